import { ERASE_ALIAS } from '../contract/outputs.ts'
import type { Callers } from '../domain/caller-proof.ts'
import { type Acting, type Acts, actsOf } from './acts.ts'
import { type Command, ERASES, readRequest } from './read-request.ts'

export type Operating = Acting & { readonly callers: Callers }

export interface OperateBounds {
  /** Of the function: who is of another one does nothing here. */
  readonly account: string
  /** Aborted when a job has had its share of time; the caller asks for the next one. */
  readonly stop: AbortSignal
  /** Aborted when a page has had its share: what is missing in it goes on with the next call. */
  readonly late?: AbortSignal
  /** It was called by the name that only those may call who may erase. */
  readonly byEraseDoor?: boolean
}

export type OperateReply =
  | { readonly kind: 'answered'; readonly actor: string; readonly answer: unknown }
  /** Nothing was done. */
  | { readonly kind: 'refused'; readonly why: string }

/** The flow: a command is read, its caller made out, and the act done in the caller's name. */
export const operate = async (
  world: Operating,
  payload: unknown,
  { account, byEraseDoor = false, ...bounds }: OperateBounds,
): Promise<OperateReply> => {
  const asked = readRequest(payload)
  if (asked.kind === 'malformed') return { kind: 'refused', why: asked.why }
  const { command, request } = asked
  const closed = whyClosed(command.act, byEraseDoor)
  if (closed) return { kind: 'refused', why: closed }
  const caller = await world.callers.identify(request.proof, request.command, account)
  if (caller.kind === 'refused') return caller
  if (caller.kind === 'unavailable') return { kind: 'refused', why: `AWS did not say who you are (${caller.cause})` }
  const answer = await perform(actsOf(world, caller.arn), command, bounds)
  return { kind: 'answered', actor: caller.arn, answer: answer ?? null }
}

/** Erasing has a permission of its own, and gives no other. Whoever may do either may end a job. */
const whyClosed = (act: Command['act'], byEraseDoor: boolean): string | undefined => {
  if (act === 'cancel-job' || ERASES.has(act) === byEraseDoor) return undefined
  return byEraseDoor
    ? `"${act}" is not done by its name for erasing`
    : `"${act}" is done only by its name for erasing, \`${ERASE_ALIAS}\``
}

const perform = (acts: Acts, command: Command, { stop, late }: Omit<OperateBounds, 'account'>): Promise<unknown> => {
  switch (command.act) {
    case 'replay':
      return acts.replay(command)
    case 'start-job':
      return acts.startJob(command)
    case 'run-job':
      return acts.replayMany(command.job, { stop })
    case 'erase':
      return acts.erase(command)
    case 'start-erase':
      return acts.startEraseJob(command)
    case 'run-erase':
      return acts.eraseMany(command.job, { stop })
    case 'cancel-job':
      return acts.cancelJob(command.job)
    case 'verify':
      return acts.reverify(command.source, command.key)
    case 'accept':
      return acts.accept(command)
    case 'pause':
      return acts.pauseDestination(command)
    case 'resume':
      return acts.resumeDestination(command)
    case 'compare-sent':
      return acts.compareSent(command, late)
    case 'note-comparison': {
      const { act: _, ...comparison } = command
      return acts.noteComparison(comparison)
    }
  }
}
