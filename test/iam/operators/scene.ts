import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Rig, unique } from '../../integration/rig.ts'
import { stripeEndpoints } from '../../support/sender-stubs.ts'
import { stubApi } from '../../support/stub-api.ts'
import type { Roles } from '../roles.ts'

/** What the commands are about. */
export interface Scene {
  /** Of the account, who may do everything. */
  readonly owner: Pick<Rig, 'setSecrets'>
  /** An event whose body is in the table, and one whose body is in the bucket. */
  readonly done: string
  readonly large: string
  /** Events that nobody has replayed yet. */
  fresh(): Promise<string>
  failed(): Promise<string>
  /** One more event of svix that is done. */
  svix(): Promise<string>
  /** A delivery in quarantine that is genuine by today's secret. One that was `taken` is not given out again. */
  rejected(how?: 'taken'): string
  readonly captured: readonly [string, string]
  /** Of a bulk replay that has finished. */
  readonly job: string
  /** A server that answers 200. */
  readonly laptop: string
  /** Flags for a sender's API that is not the sender's. */
  readonly api: readonly string[]
  /** The same of an API that knows no endpoint of ours. */
  readonly stranger: readonly string[]
  end(): Promise<void>
}

/** How many deliveries are put into quarantine: more than the commands take. */
const REJECTED = 16
const NEXT_SECRET = 'whsec_integration_next_0123456789abc'
const BYTES = 100_000

/** Everything that a command may want to see, made by senders and by the owner of the account. */
export const setScene = async (rig: Rig, roles: Roles): Promise<Scene> => {
  const taken = async (...event: Parameters<Rig['stripe']>) => (await rig.patiently(() => rig.stripe(...event))).body.id
  const ended = async (status: string, event: Parameters<Rig['stripe']>[0]): Promise<string> => {
    const id = await taken(event)
    await rig.settled(id, status)
    return id
  }
  const json = async (...args: string[]) => {
    const { code, out, err } = await rig.hooklatch(...args, '--json')
    if (code !== 0) throw new Error(`hooklatch ${args.join(' ')}: ${err}`)
    return JSON.parse(out)
  }

  await json('capture', 'start', 'shopify')
  await roles.restart('Receive')
  const twice = unique('')
  for (const _ of ['first', 'second']) await rig.patiently(() => rig.provider('shopify', twice))
  const keysOf = ({ deliveries }: { deliveries: readonly { key: string }[] }) => deliveries.map(({ key }) => key)
  const quarantined = async () => keysOf(await json('quarantine', 'list', 'quarantined'))
  // What the probes of other functions have left there, no secret of ours verifies.
  const others = new Set(await quarantined())
  const forged = { source: 'quarantined', secret: NEXT_SECRET } as const
  for (let sent = 0; sent < REJECTED; sent += 1) await rig.stripe({}, forged)
  await rig.setSecrets({ quarantined: [NEXT_SECRET] })
  const kept = (await quarantined()).filter(key => !others.has(key))
  const [first = '', second = ''] = keysOf(await json('capture', 'list', 'shopify'))

  await rig.patiently(() => rig.provider('gitlab', unique('')))
  await rig.patiently(() => rig.provider('github', unique('')))
  const done = await ended('done', {})
  const large = await ended('done', { pad: randomBytes(BYTES).toString('hex') })
  const whole = await json('replay', '--source', 'gitlab', '--since', '1h', '--reason', 'scene', '--yes')
  const server = createServer((request, response) => request.resume().on('end', () => response.end()))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const answer = stripeEndpoints([], unique('whsec_'))
  const stripe = await stubApi(asked => answer(asked) ?? { status: 404, body: {} })
  const other = await stubApi(() => ({ body: { object: 'list', data: [], has_more: false } }))
  return {
    owner: rig,
    done,
    large,
    fresh: () => ended('done', {}),
    failed: () => ended('failed', { todo: { kind: 'refuse' } }),
    svix: async () => {
      const { body } = await rig.patiently(() => rig.provider('svix', unique('')))
      await rig.settled(body.id, 'done')
      return body.id
    },
    rejected: how => {
      const key = how === 'taken' ? kept.pop() : kept.at(-1)
      if (key === undefined) throw new Error(`${REJECTED} deliveries in quarantine are too few.`)
      return key
    },
    captured: [first, second],
    job: whole.job.id,
    laptop: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    api: ['--api-url', stripe.url],
    stranger: ['--api-url', other.url],
    end: async () => {
      server.close()
      await Promise.all([stripe.close(), other.close()])
    },
  }
}
