import fc from 'fast-check'
import { millis } from '../../functions/domain/brands.ts'
import { NOON } from '../support/events.ts'
import { type Attempt, signedAttempt } from './attempt.ts'
import { anyName } from './bodies.ts'
import { honest } from './deliveries.ts'
import { type Account, lawful } from './laws.ts'
import type { Scene, Stage } from './stage.ts'
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
export const repeats = (stage: Stage): fc.IAsyncProperty<unknown> =>
  fc.asyncProperty(anyTwo, anyPair, fc.integer({ min: 0, max: 250 }), async ([name, other], [id, otherId], later) => {
    const scene = stage.scene()
    const first = honest(name, { id: inHeader(id) })
    const ids = { one: inHeader(id), two: inHeader(otherId) }
    const genuine = await send(scene, first)
    const again = await send(scene, resigned(name, first, later))
    demand(genuine.status === 202 && again.status === 200, `${name}: ${genuine.status} and then ${again.status}`)
    demand(genuine.id === again.id, `${name}: two fingerprints for one event`)
    const elsewhere = await send(scene, honest(other, { id: ids.one }))
    demand(elsewhere.id !== genuine.id, `${name} and ${other} share a fingerprint`)
    const stranger = await send(scene, honest(name, { id: ids.two }))
    demand(
      (stranger.id === genuine.id) === (ids.one === ids.two || MERGING.has(name)),
      `${name}: ${JSON.stringify(ids)} ${stranger.id === genuine.id ? 'are one event' : 'are two'}`,
    )
  })

/** Their identity is the body, and the sample of these says its id in a header only: by design the same event. */
const MERGING: ReadonlySet<TargetName> = new Set(['github-guarded', 'shopify-content'])

const anyTwo = fc.tuple(fc.constantFrom(...TARGET_NAMES), fc.constantFrom(...TARGET_NAMES)).filter(([a, b]) => a !== b)

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

const send = async (scene: Scene, attempt: Attempt): Promise<Account> => lawful(await scene.play(attempt))

const demand = (holds: boolean, sentence: string): void => {
  if (!holds) throw new Error(sentence)
}
