import fc from 'fast-check'
import { millis } from '../../functions/domain/brands.ts'
import { NOON } from '../support/events.ts'
import { type Attempt, signedAttempt } from './attempt.ts'
import { anyName } from './bodies.ts'
import { honest } from './deliveries.ts'
import { type Account, lawful } from './laws.ts'
import type { FreshReceiver, FuzzRig } from './rig.ts'
import { secretOf, sourceNamed, TARGET_NAMES, type TargetName } from './targets.ts'

/** Ids that differ in nothing that a careless key would see. */
const twin = (id: string): readonly string[] => [
  `${id} `,
  `${id}\u0000`,
  `${id}/`,
  id.normalize('NFD'),
  id.toUpperCase(),
  id.slice(1),
  `1:${id}`,
  encodeURIComponent(id.toWellFormed()),
]

const anyPair = anyName.chain(id => fc.tuple(fc.constant(id), fc.oneof(anyName, fc.constantFrom(...twin(id)))))

/** S9: one fingerprint for one event, whenever and however it comes; another for every other id and source. */
export const repeats = (rig: FuzzRig): fc.IAsyncProperty<unknown> =>
  fc.asyncProperty(anyTwo, anyPair, fc.integer({ min: 0, max: 250 }), async ([name, other], [id, otherId], later) => {
    const receiver = rig.receiver()
    const first = honest(name, { id: inHeader(id) })
    const ids = { one: inHeader(id), two: inHeader(otherId) }
    const genuine = await send(receiver, first)
    const again = await send(receiver, resigned(name, first, later))
    demand(genuine.status === 202 && again.status === 200, `${name}: ${genuine.status} and then ${again.status}`)
    demand(genuine.id === again.id, `${name}: two fingerprints for one event`)
    const elsewhere = await send(receiver, honest(other, { id: ids.one }))
    demand(elsewhere.id !== genuine.id, `${name} and ${other} share a fingerprint`)
    const stranger = await send(receiver, honest(name, { id: ids.two }))
    if (stranger.status === 400)
      return demand(!isUsable(ids.two), `${name}: the id ${JSON.stringify(ids.two)} is refused`)
    demand(
      (stranger.id === genuine.id) === (ids.one === ids.two || MERGING.has(name)),
      `${name}: ${JSON.stringify(ids)} ${stranger.id === genuine.id ? 'are one event' : 'are two'}`,
    )
  })

/** Their identity is the body, and the sample of these says its id in a header only: by design the same event. */
const MERGING: ReadonlySet<TargetName> = new Set(['github-guarded', 'shopify-content'])

const anyTwo = fc.tuple(fc.constantFrom(...TARGET_NAMES), fc.constantFrom(...TARGET_NAMES)).filter(([a, b]) => a !== b)

/** What no UTF-8 or no queue can hold names nothing. */
const isUsable = (id: string): boolean => id.isWellFormed() && Buffer.byteLength(id) <= 1_024

const inHeader = (id: string): string => id.replaceAll(',', '.') || 'x'

/** The sender's next try: other time, other gateway, other headers, same bytes. */
const resigned = (name: TargetName, { headers, body }: Attempt, later: number): Attempt => {
  const at = millis(NOON + (name === 'paddle' ? later % 30 : later) * 1000)
  const attempt = signedAttempt(sourceNamed(name), {
    secret: secretOf(name),
    body,
    headers: Object.fromEntries(headers),
    at,
  })
  return {
    ...attempt,
    format: later % 2 === 0 ? 'v1' : 'v2',
    headers: [...attempt.headers, ['user-agent', `try-${later}`]],
  }
}

const send = async (receiver: FreshReceiver, attempt: Attempt): Promise<Account> =>
  lawful(await receiver.deliver(attempt))

const demand = (holds: boolean, sentence: string): void => {
  if (!holds) throw new Error(sentence)
}

/** Where one text is cut into the parts of an identity: shop, topic and event id of Shopify. */
const anyCut = fc.tuple(fc.nat(), fc.nat())

const cut = (text: string, [one, two]: readonly [number, number]): readonly [string, string, string] => {
  const [first, second] = [1 + (one % (text.length - 2)), 1 + (two % (text.length - 2))].sort((a, b) => a - b)
  const end = Math.max(second ?? 0, (first ?? 0) + 1)
  return [text.slice(0, first), text.slice(first, end), text.slice(end)]
}

/** ("a", "bc") and ("ab", "c") are two events, however the parts are put together. */
export const parted = (rig: FuzzRig): fc.IAsyncProperty<unknown> =>
  fc.asyncProperty(fc.stringMatching(/^[a-z0-9:/|.]{4,12}$/), anyCut, anyCut, async (text, one, two) => {
    const receiver = rig.receiver()
    const [first, second] = [cut(text, one), cut(text, two)]
    const [left, right] = [await send(receiver, fromShop(first)), await send(receiver, fromShop(second))]
    demand((left.id === right.id) === (first.join() === second.join()), `${first.join()} and ${second.join()}`)
  })

const fromShop = ([shop, topic, id]: readonly [string, string, string]): Attempt => {
  const { body, headers } = honest('shopify', { id })
  const named = { ...Object.fromEntries(headers), 'x-shopify-shop-domain': shop, 'x-shopify-topic': topic }
  return signedAttempt(sourceNamed('shopify'), { secret: secretOf('shopify'), body, headers: named })
}
