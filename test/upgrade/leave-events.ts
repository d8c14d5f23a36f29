import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { unique } from '../integration/rig.ts'
import type { TwoVersions } from './two-versions.ts'

/** Longer than a deployment: the version before does not finish what is left to this one. */
const LATER_MS = 135_000
/** What the sender of `quarantined` signs with already. */
export const NEXT_SECRET = 'whsec_upgrade_next_0123456789abcdef'

/** Events in every state, and all else that outlives a deployment, as the version before leaves them. */
export const leaveEvents = async (at: TwoVersions) => {
  const { rig, roles, setFlow } = at
  const cli = commandOf(at)
  const stripe = async (
    event: Parameters<typeof rig.stripe>[0] = {},
    source: 'stripe' | 'ordered' | 'routed' = 'stripe',
  ) => {
    const eventId = unique()
    const { body } = await rig.patiently(() => rig.stripe({ id: eventId, ...event }, { source }))
    return { eventId, source, id: body.id as string }
  }
  const ended = async (status: string, ...given: Parameters<typeof stripe>) => {
    const event = await stripe(...given)
    await rig.settled(event.id, status)
    return event
  }
  const doneOf = async (source: 'github' | 'gitlab'): Promise<string> => {
    const { body } = await rig.patiently(() => rig.provider(source, unique('')))
    await rig.settled(body.id, 'done')
    return body.id
  }

  const done = await ended('done')
  const failed = await ended('failed', { todo: { kind: 'refuse' } })
  const copies = await ended('done', { type: 'checkout.completed' }, 'routed')
  const ignored = await ended('ignored', { type: 'payout.paid' }, 'routed')
  const abandoned = await doneOf('github')
  const sentAgain = await ended('done')
  const replayed = await ended('done')
  await cli('replay', replayed.id, '--reason', 'before the upgrade', '--yes')
  await rig.until(
    'the replay',
    () => rig.record(replayed.id),
    record => record?.generation === 1 && record.status === 'done',
  )
  await doneOf('gitlab')
  const { job } = await cli('replay', '--source', 'gitlab', '--since', '1h', '--reason', 'a job of before', '--yes')
  const key = unique('key-')
  await ended('done', { todo: { kind: 'newest', key, version: 5 } })
  const order = unique('order-')
  const published = await rig.publisher.publish({ orderId: order }, order)

  await cli('capture', 'start', 'shopify')
  await roles.restart('Receive')
  const twice = unique('')
  for (const _ of ['first', 'second']) await rig.patiently(() => rig.provider('shopify', twice))
  await rig.stripe({}, { source: 'quarantined', secret: NEXT_SECRET })

  await setFlow(false)
  const dead = await stripe()
  await moved(at)
  const queued = await stripe()
  const inOrder = await stripe({}, 'ordered')
  const toBilling = await stripe({ type: 'invoice.paid' }, 'routed')
  const toSeveral = await stripe({ type: 'checkout.completed' }, 'routed')
  const working = await stripe()
  await rig.amend(working.id, { status: 'working', fence: 'e'.repeat(32), leaseUntil: Date.now() - 1, attempts: 1 })
  await rig.abandon(abandoned, LATER_MS)
  await rig.abandon(sentAgain.id, LATER_MS)
  return {
    events: {
      done,
      failed,
      copies,
      ignored,
      sentAgain,
      replayed,
      dead,
      queued,
      inOrder,
      toBilling,
      toSeveral,
      working,
    },
    abandoned,
    order: { key: order, answer: published },
    newest: key,
    job: job.id as string,
  }
}

export type Left = Awaited<ReturnType<typeof leaveEvents>>

/** The command line of that version. */
const commandOf =
  ({ rig, root }: TwoVersions) =>
  async (...args: string[]) => {
    const { env, flags } = rig.deployment.cli
    const all = [join(root, 'bin/hooklatch.ts'), ...args, ...flags, '--json']
    const options = { cwd: join(root, 'test/integration'), env: { ...process.env, ...env } }
    return JSON.parse((await promisify(execFile)(process.execPath, all, options)).stdout || '{}')
  }

/** As SQS does after the last try. */
const moved = async ({ rig }: TwoVersions): Promise<void> => {
  const { queueUrl, deadLettersUrl } = rig.deployment
  const texts = await rig.until(
    'its message',
    () => rig.takeFrom(queueUrl),
    found => found.length > 0,
  )
  for (const text of texts) await rig.sendTo(deadLettersUrl, text)
}
