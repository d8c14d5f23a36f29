import { type Millis, millis } from '../domain/brands.ts'
import { unavailable } from '../domain/fault.ts'
import { parseJson } from '../domain/parse-json.ts'
import type { Clock, SecretStore, Unavailable } from '../domain/ports.ts'
import type { Secret } from '../domain/secret.ts'
import { answerTo, readSecretList, type SecretList, withOffered } from '../domain/secret-list.ts'
import { secretsManagerKey } from './secrets-manager-key.ts'
import type { SecretCalls, SecretVersion } from './wire/secret-calls.ts'

const FRESH_FOR = millis(5 * 60_000)

/** A source without a secret waits for its operator, who has just been told so by a 503. Whether a handshake may bring it is looked up as often. */
const ABSENT_FOR = millis(15_000)

/** How often a wrong signature may make us look again: a flood of forgeries must not become a flood of calls. */
const REFRESH_EVERY = millis(5 * 60_000)

/** While the store fails nobody knows whether a signature is wrong: it is asked again soon, and until then the answer is 503. */
const RETRY_AFTER = millis(5_000)

/** Operators change secrets by hand: to meet three of them in a row is trouble of another kind. */
const MOST_OFFERS = 3

interface Names {
  /** Holds `{ "stripe": ["current", "previous"], ... }`. Absent for those who check no signature. */
  readonly signingSecrets?: string | undefined
  readonly fingerprintKey: string
}

interface Failure {
  readonly at: Millis
  readonly answer: Unavailable
}

type SecretsBySource = ReadonlyMap<string, SecretList>
type Lists = Readonly<Record<string, readonly unknown[]>>

/** Cached for five minutes; a failure is never cached. */
export const secretsManagerSecrets = (
  { secrets: calls }: { readonly secrets: SecretCalls },
  names: Names,
  now: Clock,
): SecretStore => {
  const { signingSecrets: signingId = 'not for this function' } = names
  let signing: { readonly secrets: SecretsBySource; readonly loadedAt: Millis } | undefined
  let refreshedAt = millis(Number.NEGATIVE_INFINITY)
  let failure: Failure | undefined
  let notStored: Failure | undefined
  let asked = 0
  let shown = 0

  const current = async (): Promise<SecretVersion> => {
    const found = await calls.getSecret(signingId)
    if (found === undefined) throw new TypeError('the secret holds no string')
    return found
  }

  const load = async () => {
    const turn = ++asked
    const { text, version } = await current()
    const lists = parseLists(text)
    const secrets = new Map(Object.entries(lists).map(([source, values]) => [source, readSecretList(values)]))
    // An answer that was on its way for long, as through a freeze, does not take the place of what was asked for after it.
    if (turn > shown) {
      shown = turn
      signing = { secrets, loadedAt: now() }
    }
    return { lists, secrets, version }
  }

  const newest = async (): Promise<SecretsBySource> => {
    const { secrets } = await load()
    return signing?.secrets ?? secrets
  }

  const age = (): number => now() - (signing?.loadedAt ?? Number.NEGATIVE_INFINITY)

  /** `undefined` when it is time to ask again. */
  const remembered = (source: string, optional = false): readonly Secret[] | undefined => {
    const secrets = signing?.secrets.get(source)?.secrets ?? []
    return age() < (secrets.length > 0 || optional ? FRESH_FOR : ABSENT_FOR) ? secrets : undefined
  }

  /** What becomes of an offer, if that needs no look: anybody can make one, as often as they like. */
  const foregone = (source: string, offered: string): 'known' | 'closed' | undefined =>
    remembered(source) && answerTo(signing?.secrets.get(source) ?? NOTHING, offered, now())

  /** As operators change them: beside the version that was seen, and in its place only if it is still the current one. */
  const offer = async (source: string, offered: string): Promise<'stored' | 'known' | 'closed' | 'changed'> => {
    const { lists, version } = await load()
    const list = withOffered(Object.hasOwn(lists, source) ? (lists[source] ?? []) : [], offered, now())
    if (typeof list === 'string') return list
    const next = await calls.putPendingSecret(signingId, JSON.stringify({ ...lists, [source]: list }))
    signing = undefined
    return (await calls.makeSecretCurrent(signingId, next, version)) === 'moved' ? 'stored' : 'changed'
  }

  return {
    async signingSecrets(source, optional) {
      try {
        const found = remembered(source, optional) ?? (await newest()).get(source)?.secrets ?? []
        return found.length > 0 ? { kind: 'found', secrets: found } : { kind: 'absent' }
      } catch (error) {
        return unavailable(error)
      }
    },

    capturing: source => signing?.secrets.get(source)?.capture ?? null,

    async refresh() {
      if (now() - refreshedAt < REFRESH_EVERY) return { kind: 'too-soon' }
      if (failure && now() - failure.at < RETRY_AFTER) return failure.answer
      try {
        await load()
        refreshedAt = now()
        return { kind: 'refreshed' }
      } catch (error) {
        failure = { at: now(), answer: unavailable(error) }
        return failure.answer
      }
    },

    async accept(source, offered) {
      const known = foregone(source, offered)
      if (known) return { kind: known }
      if (notStored && now() - notStored.at < RETRY_AFTER) return notStored.answer
      try {
        for (let tries = 0; tries < MOST_OFFERS; tries++) {
          const kind = await offer(source, offered)
          if (kind !== 'changed') return { kind }
        }
        throw new Error('the signing secrets were changed each time before this one was stored')
      } catch (error) {
        notStored = { at: now(), answer: unavailable(error) }
        return notStored.answer
      }
    },

    ...secretsManagerKey({ secrets: calls }, names),
  }
}

const NOTHING = readSecretList([])

/** Lists by source, as they are stored. */
const parseLists = (text: string): Lists => {
  const parsed = parseJson(text)
  if (parsed === null || typeof parsed !== 'object' || Array.isArray(parsed)) {
    throw new TypeError('the signing secrets are not a JSON object of { source: [secret, ...] }')
  }
  return Object.fromEntries(
    Object.entries(parsed).map(([source, values]) => [source, Array.isArray(values) ? values : [values]]),
  )
}
