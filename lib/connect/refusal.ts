/** Why a command ends without doing what it was asked: one message for a person, never a stack. */
export interface Refusal {
  readonly refused: string
  /** 1: it could not be done. 2: it was asked in a way that makes no sense. */
  readonly exitCode: 1 | 2
}

export const refuse = (sentence: string, exitCode: Refusal['exitCode'] = 1): Refusal => ({
  refused: sentence,
  exitCode,
})

export const isRefusal = (value: unknown): value is Refusal =>
  typeof value === 'object' && value !== null && 'refused' in value
