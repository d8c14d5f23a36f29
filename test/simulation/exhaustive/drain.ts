import type { ReceivedMessage } from '../../../functions/adapters/wire/queue-calls.ts'
import { idempotencyKey } from '../../../functions/consume/handler-event.ts'
import type { Outcome } from '../../../functions/domain/outcome.ts'
import { NAMES } from '../watch-writes.ts'
import { isBodyKept, type Machine, type SharedId } from './machine.ts'
import { taken } from './missing.ts'
import { burial, consumer, delivery, type Program, recovery, type Setup } from './programs.ts'
import type { Shared } from './shared-state.ts'

const MINUTE = 60_000
/** Past the leases, past recovery's first lag, and twice past the lag of its second pass. */
const PAUSES = [3 * MINUTE, 3 * MINUTE, 80 * MINUTE, 80 * MINUTE]

/** The faults have stopped: senders that retry do, recovery and workers run, one after another, until all is quiet. Then it is judged. */
export const drain = async (
  machine: Machine,
  setup: Setup,
  from: SharedId,
  acknowledged: boolean,
  at: number,
): Promise<void> => {
  let shared = from
  let now = at
  let acked = acknowledged

  const run = async (program: Program): Promise<unknown> => {
    let local = await taken(() => machine.start(program, shared, now))
    while (!local.ended) {
      const [call] = local.pending
      const { handling } = local
      if (!call) throw new Error(`${program.name} waits for nothing`)
      const moved = machine.apply(shared, call, now, handling)
      shared = moved.shared
      const { answer } = moved
      const before = local
      local = await taken(() => machine.observe(before, { of: call.index, answer }, shared, now))
    }
    return local.ended.value
  }

  const handOut = async (queueUrl: string, programOf: (message: ReceivedMessage) => Program): Promise<void> => {
    for (const { id } of waitingIn(machine.state(shared), queueUrl)) {
      const handed = machine.receive(shared, queueUrl, id, now)
      shared = handed.shared
      if (handed.message) await run(programOf(handed.message))
    }
  }

  for (const [round, pause] of PAUSES.entries()) {
    now += pause
    if (setup.source === 'stripe' && !acked) {
      const outcome = (await run(delivery(`retry-${round}`, setup))) as Outcome
      acked = machine.answered(outcome, shared, machine.state(shared).records[0], now)
    }
    await run(recovery(`recovery-${round}`))
    await handOut(NAMES.queueUrl, message => consumer(`consumer-${round}`, setup, message))
    await handOut(NAMES.deadLettersUrl, message => burial(`burial-${round}`, message))
    if (isQuiet(machine, shared) && (acked || setup.source === 'github')) break
  }
  judge(machine, setup, shared, acked)
}

const waitingIn = ({ queue, deadLetters }: Shared, queueUrl: string) =>
  queueUrl === NAMES.queueUrl ? queue : deadLetters

const isOver = ({ status }: { status: string }): boolean => status === 'done' || status === 'failed'

const isQuiet = (machine: Machine, shared: SharedId): boolean => {
  const { queue, deadLetters, records } = machine.state(shared)
  return queue.length + deadLetters.length === 0 && records.every(isOver)
}

const judge = (machine: Machine, { source, mode }: Setup, shared: SharedId, acked: boolean): void => {
  const state = machine.state(shared)
  const { commits, effects } = state.remembered
  const [record] = state.records
  const left = state.queue.length + state.deadLetters.length
  machine.check('L4 a sender that retries is acknowledged in the end', acked || source === 'github', () => source)
  machine.check('L1 an acknowledged event has a record', record !== undefined || !acked, () => source)
  machine.check('L3 the queues drain', left === 0, () => `${left} left`)
  if (!record) return
  const { fingerprint, edition, status, lastError } = record
  machine.check('L1 L2 every event ends done or failed', isOver(record), () => `stays ${status}`)
  machine.check(
    'a healthy handler ends in done',
    (status === 'done') === (mode !== 'unprocessable'),
    () => `${mode} is ${status}: ${lastError}`,
  )
  if (status === 'done') {
    const happened =
      mode === 'commit'
        ? commits.length > 0
        : effects.some(([key]) => key === idempotencyKey({ id: fingerprint, edition }))
    machine.check('done means that the effect happened', happened, () => mode)
    machine.check('S3 one idempotency key', effects.length <= 1, () => JSON.stringify(effects))
    machine.check('S3 one committed effect', commits.length <= 1, () => JSON.stringify(commits))
  }
  if (status === 'failed') {
    machine.check('a failed event keeps its body', isBodyKept(state, record), () => String(lastError))
  }
}
