import { idempotencyKey } from '../../../functions/consume/handler-event.ts'
import { QUEUE } from '../../../functions/contract/queues.ts'
import type { Outcome } from '../../../functions/domain/outcome.ts'
import type { Machine, SharedId } from './machine.ts'
import { taken } from './missing.ts'
import { burial, consumer, delivery, type Program, recovery, type Setup } from './programs.ts'

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
      const moved = await taken(() => machine.apply(shared, call, now, handling))
      shared = moved.shared
      const { answer } = moved
      const before = local
      local = await taken(() => machine.observe(before, { of: call.index, answer }, shared, now))
    }
    return local.ended.value
  }

  const handOut = async (id: string, round: number): Promise<void> => {
    const message = machine.state(shared).queue.find(each => each.id === id)
    if (!message) return
    if (message.receives >= QUEUE.maxReceiveCount) return void (await run(burial(`burial-${round}`, message)))
    shared = received(machine, shared, id)
    await run(consumer(`consumer-${round}`, setup, { ...message, receives: message.receives + 1 }))
  }

  for (const [round, pause] of PAUSES.entries()) {
    now += pause
    if (setup.source === 'stripe' && !acked) {
      const outcome = (await run(delivery(`retry-${round}`, setup))) as Outcome
      acked = machine.answered(outcome, shared, machine.state(shared).records[0], now)
    }
    await run(recovery(`recovery-${round}`))
    for (const { id } of machine.state(shared).queue) await handOut(id, round)
    if (isQuiet(machine, shared) && (acked || setup.source === 'github')) break
  }
  judge(machine, setup, shared, acked)
}

/** A message is handed out once more. */
export const received = (machine: Machine, shared: SharedId, id: string): SharedId => {
  const before = machine.state(shared)
  const queue = before.queue.map(each => (each.id === id ? { ...each, receives: each.receives + 1 } : each))
  return machine.number({ ...before, queue })
}

const isOver = ({ status }: { status: string }): boolean => status === 'done' || status === 'failed'

const isQuiet = (machine: Machine, shared: SharedId): boolean => {
  const { queue, records } = machine.state(shared)
  return queue.length === 0 && records.every(isOver)
}

const judge = (machine: Machine, { source, mode }: Setup, shared: SharedId, acked: boolean): void => {
  const { records, queue, kept, commits, effects } = machine.state(shared)
  const [record] = records
  machine.check('L4 a sender that retries is acknowledged in the end', acked || source === 'github', () => source)
  machine.check('L1 an acknowledged event has a record', record !== undefined || !acked, () => source)
  machine.check('L3 the queue drains', queue.length === 0, () => `${queue.length} left`)
  if (!record) return
  const { fingerprint, edition, status, bodyAt, bodySha256, lastError } = record
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
    const there = bodyAt !== null && kept.some(({ body }) => body.sha256 === bodySha256)
    machine.check('a failed event keeps its body', there, () => String(lastError))
  }
}
