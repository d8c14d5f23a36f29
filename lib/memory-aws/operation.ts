import { fromWire } from './wire-value.ts'

// biome-ignore lint/suspicious/noExplicitAny: a request as it came, which each call checks for itself
export type Request = Readonly<Record<string, any>>

/** An operation of DynamoDB, as an SDK asks for it. */
export interface Operation {
  /** Fields that it understands, `*` for all: any other would change what is answered. */
  readonly takes: string
  run(request: Request): object | undefined
}

export type Operations = Readonly<Record<string, Operation>>

const HOLD_VALUES = ['Item', 'Key', 'ExpressionAttributeValues', 'ExclusiveStartKey'] as const

/** The request with plain values. */
export const plainly = (request: Request): Record<string, unknown> => {
  const plain: Record<string, unknown> = { ...request }
  for (const name of HOLD_VALUES) if (request[name]) plain[name] = fromWire(request[name])
  return plain
}
