import { particulars } from '../accept/particulars.ts'
import type { Sha256 } from '../domain/brands.ts'
import { canonicalJson } from '../domain/canonical-json.ts'
import type { Identified, Verified } from '../domain/evidence.ts'
import { fingerprint, type Identity, sha256 } from '../domain/identity.ts'
import { type Ending, outage, type Rejection, reject } from '../domain/outcome.ts'
import { textOf } from '../domain/parse-json.ts'
import type { Selector } from '../domain/selector.ts'
import type { Source } from '../domain/source.ts'
import type { TakingIn } from '../domain/world.ts'
import { type BodyView, readBody } from '../providers/read-body.ts'
import { type Integers, type Selected, select } from '../providers/select.ts'

/** Which event this is: the same for every delivery of it, and never shared by two. */
export const identify = async (
  world: TakingIn,
  verified: Verified,
): Promise<Identified | Ending<'rejected'> | Ending<'unavailable'>> => {
  const { delivery, source } = verified
  if (delivery.body.length === 0 && !source.provider.emptyBody) return reject('body-empty')
  const key = await world.secrets.fingerprintKey()
  if ('kind' in key) return outage('secret-store', key.cause)

  const view = readBody(delivery.body)
  const bodySha256 = sha256(delivery.body)
  const named = nameOf(verified, view, bodySha256)
  if (typeof named === 'string') return reject(named)
  if (!isUsable(named)) return reject('id-malformed')

  const scope = { environment: world.environment, source: source.name }
  const guarded = guardOf(verified, view, bodySha256)
  if (typeof guarded === 'string') return reject(guarded)
  // Spread first, where V8 copies an object as it is.
  return {
    ...particulars(source, delivery, view, named.eventId),
    source,
    fingerprint: fingerprint(key, { ...scope, kind: source.identity.kind, parts: named.parts }),
    guard: guarded && fingerprint(key, { ...scope, ...guarded }),
    eventId: named.eventId,
    bodySha256,
  } as Identified
}

/** What was signed as an identity of its own: something unique, the bytes, or the text that stands for them. */
const guardOf = (
  { delivery, source, signed }: Verified,
  view: BodyView,
  bodySha256: Sha256,
): Pick<Identity, 'kind' | 'parts'> | Rejection | null => {
  if (source.unique !== null) {
    const unique = select(source.unique, delivery, view, 'integers too')
    return unique.kind === 'found' ? { kind: 'unique', parts: [unique.value] } : 'id-malformed'
  }
  if (source.guard === false) return null
  return { kind: 'guard', parts: [source.guard === 'signed' && signed !== undefined ? digestOf(signed) : bodySha256] }
}

const digestOf = (text: string): Sha256 => sha256(Buffer.from(text, 'utf8'))

/** A lone surrogate has no UTF-8 of its own: two ids that differ in nothing else would be one. */
const isUsable = ({ eventId, parts }: Named): boolean =>
  parts.every(part => part.isWellFormed()) && Buffer.byteLength(eventId) <= MOST_ID_BYTES

/** Far longer than any provider's: an id must fit into the message. */
const MOST_ID_BYTES = 1_024

interface Named {
  readonly eventId: string
  readonly parts: Identity['parts']
}

const nameOf = ({ delivery, source, signed }: Verified, view: BodyView, digest: Sha256): Named | Rejection => {
  const { identity } = source
  const readAs = (integers: Integers) => (selector: Selector) => select(selector, delivery, view, integers)
  const read = readAs('integers too')
  switch (identity.kind) {
    case 'id': {
      const named = byId(identity, identity.integer ? read : readAs('strings only'), view)
      const { otherwise } = identity
      if (!otherwise || (named !== 'id-missing' && named !== 'body-not-json')) return named
      if (otherwise === 'body') return byBytes(identity.scope, read, digest)
      const together = byBusinessKey(otherwise, read, view)
      if (together !== 'id-missing') return together
      // Those of one delivery that are the same byte for byte are one, as repeats inside a delivery always are.
      return byBytes([], read, digestOf(`${delivery.correlationId} ${digest}`))
    }
    case 'business':
      return byBusinessKey(identity.parts, read, view)
    case 'body':
      return bySigned(identity, read, view, digest)
    case 'signed':
      return signed === undefined ? 'id-missing' : byBytes([], read, digestOf(signed))
    case 'delivery':
      return { eventId: delivery.correlationId, parts: [delivery.correlationId] }
    case 'json':
      return byContent(delivery.body, identity.exclude)
  }
}

type Read = (selector: Selector) => Selected

type By<Kind extends Source['identity']['kind']> = Extract<Source['identity'], { kind: Kind }>

const byId = ({ id: ids, scope = [], also = [] }: By<'id'>, read: Read, view: BodyView): Named | Rejection => {
  const parts = scopeParts(scope, read)
  if (parts === undefined) return 'id-malformed'
  for (const selector of ids) {
    const id = read(selector)
    if (id.kind === 'found')
      return {
        eventId: id.value,
        parts: [
          ...parts,
          id.value,
          ...also
            .map(read)
            .map(textIn)
            .filter(value => value !== ''),
        ],
      }
    if (id.kind === 'refused') return 'id-malformed'
  }
  return missing(ids, view)
}

/** Empty where there is nothing; undefined where there is something else. */
const scopeParts = (scope: readonly Selector[], read: Read): readonly string[] | undefined => {
  const scoped = scope.map(read)
  if (scoped.some(part => part.kind === 'refused')) return undefined
  return scoped.map(textIn)
}

const textIn = (part: Selected): string => (part.kind === 'found' ? part.value : '')

const byBytes = (scope: readonly Selector[] = [], read: Read, digest: Sha256): Named | Rejection => {
  const parts = scopeParts(scope, read)
  return parts ? { eventId: `sha256:${digest}`, parts: [...parts, digest] } : 'id-malformed'
}

/** A form has many spellings and one meaning, which is what its sender signed. */
const bySigned = ({ of, scope }: By<'body'>, read: Read, view: BodyView, digest: Sha256): Named | Rejection => {
  if (of === undefined) return byBytes(scope, read, digest)
  const meant = of === 'form' ? formText(view) : read(of)
  if (meant?.kind !== 'found') return meant?.kind === 'refused' ? 'id-malformed' : 'id-missing'
  return byBytes(scope, read, digestOf(meant.value.trim()))
}

const formText = (view: BodyView): Selected | undefined => {
  const form = view.form()
  if (form === undefined) return undefined
  const pairs = [...form].map(([name, values]) => [name, [...values].sort()] as const)
  return { kind: 'found', value: JSON.stringify(pairs.sort(([left], [right]) => (left < right ? -1 : 1))) }
}

/** Every part has to be there: an empty one would merge strangers. */
const byBusinessKey = (selectors: readonly Selector[], read: Read, view: BodyView): Named | Rejection => {
  const parts: string[] = []
  for (const selector of selectors) {
    const part = read(selector)
    if (part.kind === 'refused') return 'id-malformed'
    if (part.kind === 'absent') return missing([selector], view)
    parts.push(part.value)
  }
  return { eventId: parts.join('/'), parts }
}

const byContent = (body: Uint8Array, exclude: readonly string[]): Named | Rejection => {
  try {
    const text = textOf(body)
    const digest = sha256(Buffer.from(canonicalJson(text, exclude), 'utf8'))
    return { eventId: `json-sha256:${digest}`, parts: [digest] }
  } catch {
    return 'body-not-json'
  }
}

/** Any text can be read as a form: a body is one only to those who look for a field of it. */
const missing = (selectors: readonly Selector[], view: BodyView): Rejection => {
  const looksIn = (place: 'json:' | 'form:') => selectors.some(selector => selector.startsWith(place))
  const wantsJson = looksIn('json:') && !looksIn('form:')
  return wantsJson && view.json().kind === 'unreadable' ? 'body-not-json' : 'id-missing'
}
