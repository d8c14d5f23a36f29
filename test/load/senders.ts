import { millis } from '../../functions/domain/brands.ts'
import type { Source } from '../../functions/domain/source.ts'
import { readSecrets } from '../../lib/connect/file-secrets.ts'
import type { Instance } from '../../lib/connect/instance.ts'
import { loadSources } from '../../lib/connect/load-sources.ts'
import { isRefusal } from '../../lib/connect/refusal.ts'
import { sample } from '../../lib/sender/sample.ts'
import { sign } from '../../lib/sender/sign.ts'
import type { Delivery } from './client.ts'

/** Plays the providers of a local instance. */
export interface Senders {
  /** A delivery of event number so-and-so, signed now: another time, the same event. */
  event(number: number): Delivery
  forged(number: number): Delivery
  /** With the status it has to be refused with. */
  malformed(number: number): { readonly delivery: Delivery; readonly status: number }
}

/** One of each kind of signature, identity and retry behaviour. */
const NAMES = [
  'stripe',
  'github',
  'shopify',
  'slack',
  'twilio',
  'square',
  'svix',
  'paddle',
  'gitlab',
  'discord',
  'custom-basic',
]
/** Whose secret is any text, so that a wrong one can be made. */
const FORGEABLE = ['stripe', 'github', 'shopify', 'slack', 'square', 'paddle']

export const sendersOf = async (instance: Instance, run: string): Promise<Senders> => {
  const sources = await loadSources(instance.sourceFile)
  if (isRefusal(sources)) throw new Error(sources.refused)
  const secrets = readSecrets(instance.secretsFile)
  const now = () => millis(instance.now === null ? Date.now() : Date.parse(instance.now))

  const sourceNamed = (name: string): Source => {
    const source = sources.get(name)
    if (source === undefined) throw new Error(`the local instance has no source ${name}`)
    return source
  }

  const deliver = (name: string, id: string, more: { body?: Uint8Array; secret?: string } = {}): Delivery => {
    const source = sourceNamed(name)
    const event = sample(source, { unique: id, id, now: millis(0), ...(more.body && { body: more.body }) })
    const secret = (secrets[name]?.[0] ?? '') + (more.secret ?? '')
    const { headers } = sign(source, secret, { url: `${instance.url}/webhooks/${name}`, ...event, now: now() })
    return { source: name, headers, body: event.body }
  }

  const pick = (names: readonly string[], number: number): string => names[number % names.length] ?? 'stripe'

  return {
    event: number => deliver(pick(NAMES, number), `${run}-${number}`),
    forged: number => forge(deliver, pick(FORGEABLE, number), `${run}-forged-${number}`, number),
    malformed: number => malform(deliver, `${run}-malformed-${number}`, number),
  }
}

type Deliver = (name: string, id: string, more?: { body?: Uint8Array; secret?: string }) => Delivery

const FORGERIES: readonly ((deliver: Deliver, name: string, id: string) => Delivery)[] = [
  (deliver, name, id) => deliver(name, id, { secret: 'not-the-secret' }),
  (deliver, name, id) => {
    const genuine = deliver(name, id)
    return { ...genuine, body: Buffer.concat([genuine.body, Buffer.from(' ')]) }
  },
  (deliver, name, id) => ({ ...deliver(name, id), headers: { 'content-type': 'application/json' } }),
]

const forge = (deliver: Deliver, name: string, id: string, number: number): Delivery => {
  const how = FORGERIES[Math.floor(number / FORGEABLE.length) % FORGERIES.length]
  return how?.(deliver, name, id) ?? deliver(name, id, { secret: 'not-the-secret' })
}

const MALFORMATIONS: readonly (readonly [number, (deliver: Deliver, id: string) => Delivery])[] = [
  [400, (deliver, id) => deliver('stripe', id, { body: Buffer.from('{"id":') })],
  [400, (deliver, id) => deliver('square', id, { body: Buffer.from('{"type":"no id"}') })],
  [400, (deliver, id) => deliver('paddle', id, { body: Buffer.from('{"event_id":42}') })],
  [404, (deliver, id) => ({ ...deliver('stripe', id), source: 'nobody' })],
  [405, (deliver, id) => ({ ...deliver('stripe', id), method: 'PUT' })],
  [415, (deliver, id) => withHeaders(deliver('stripe', id), { 'content-encoding': 'gzip' })],
]

const malform = (deliver: Deliver, id: string, number: number): ReturnType<Senders['malformed']> => {
  const [status, how] = MALFORMATIONS[number % MALFORMATIONS.length] ?? []
  if (status === undefined || how === undefined) throw new RangeError('there are no malformations')
  return { status, delivery: how(deliver, id) }
}

const withHeaders = (delivery: Delivery, headers: Delivery['headers']): Delivery => ({
  ...delivery,
  headers: { ...delivery.headers, ...headers },
})
