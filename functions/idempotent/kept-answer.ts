import type { KeptAnswer } from '../domain/answers.ts'
import type { Fingerprint, Seconds } from '../domain/brands.ts'
import type { HttpAnswer } from '../domain/http.ts'
import { sha256 } from '../domain/identity.ts'
import type { AnswerWorld, Rules } from './rules.ts'

/** Every repeat is a refused write, billed by the size of what is there: $0.625 a million for each KB. */
const IN_RECORD_BYTES = 4_096

/** Without a body store; DynamoDB takes 400 KB, headers and names included. */
const ALONE_BYTES = 300_000

/** Where its body cannot be kept, that it was carried out still can: the handler must not run again for want of a place. */
export const keepAnswer = async (
  { bodies, now, note }: AnswerWorld,
  { storedHeaders }: Rules,
  fingerprint: Fingerprint,
  answer: HttpAnswer,
  expiresAt: Seconds,
): Promise<KeptAnswer> => {
  const { status, base64, body } = answer
  if (typeof body !== 'string') throw new TypeError(`only text is kept, and the body is of type ${typeof body}`)
  const headers = Object.fromEntries(Object.entries(answer.headers).filter(([name]) => storedHeaders.includes(name)))
  const kept = { status, headers, base64 }
  const bytes = Buffer.from(body, 'utf8')
  if (bytes.length <= (bodies ? IN_RECORD_BYTES : ALONE_BYTES)) return { ...kept, body: { text: body } }
  if (!bodies) return { ...kept, body: 'gone' }
  const digest = sha256(bytes)
  const place = await bodies.keep(
    { fingerprint, sha256: digest, bytes, eventId: '', headers: {}, ordering: null },
    now(),
    expiresAt,
  )
  if (place.kind === 'kept') return { ...kept, body: { at: place.at, sha256: digest } }
  note({ kind: 'not-kept', cause: place.cause })
  return { ...kept, body: 'gone' }
}

/** `gone`: it was carried out, and what was answered is kept no longer. */
export const openAnswer = async (
  { bodies, now }: AnswerWorld,
  fingerprint: Fingerprint,
  { status, headers, base64, body }: KeptAnswer,
): Promise<HttpAnswer | { readonly kind: 'gone' | 'unavailable' }> => {
  if (body === 'gone') return { kind: 'gone' }
  if ('text' in body) return { status, headers, base64, body: body.text }
  if (!bodies) return { kind: 'unavailable' }
  try {
    const found = await bodies.fetch(fingerprint, body.sha256, body.at, now())
    if (!found) return { kind: 'gone' }
    return { status, headers, base64, body: Buffer.from(found.bytes).toString('utf8') }
  } catch {
    return { kind: 'unavailable' }
  }
}
