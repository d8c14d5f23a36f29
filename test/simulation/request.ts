import type { Process } from './faults.ts'
import type { Rig } from './rig.ts'
import { STILL } from './timeline.ts'

const LAMBDA_MS = 10_000

export interface Request<Outcome extends { readonly outcome: string }, Reply> {
  readonly process: Process
  readonly run: Promise<Outcome>
  /** What leaves the function, judged on its way. */
  readonly reply: (outcome: Outcome) => Reply
  /** Nothing is heard when the function died, or threw, or when its answer was lost. */
  readonly hear: (reply: Reply | undefined) => void
}

/** One request to a function of ours: it has one answer, which may get lost, or time runs out. */
export const request = <Outcome extends { readonly outcome: string }, Reply>(
  rig: Rig,
  { process, run, reply, hear }: Request<Outcome, Reply>,
): void => {
  const { timeline, luck, ledger } = rig
  let answered = false
  ledger.received++
  const answer = (outcome: string, heard: Reply | undefined): void => {
    if (answered) return
    answered = true
    ledger.answered(outcome)
    ledger.note(process.name, `answers ${outcome}${heard === undefined ? ', unheard' : ''}`)
    hear(heard)
  }
  const timeOut = (): void => {
    // Lambda ends the environment, or freezes it: then it may go on whenever it is thawed.
    if (luck.happens(0.5)) process.alive = false
    answer('unknown', undefined)
  }
  timeline.after(LAMBDA_MS, () => (answered ? STILL : timeOut()))
  void run.then(
    outcome => {
      if (answered) return
      const replied = reply(outcome)
      answer(outcome.outcome, rig.failing && luck.happens(0.05) ? undefined : replied)
    },
    () => answer('surprise', undefined),
  )
}
