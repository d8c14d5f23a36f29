import type { Message, MessageBody } from '../contract/message.ts'
import { parseJson } from './parse-json.ts'

export type ReadMessage = { readonly kind: 'read'; readonly message: Message } | Malformed

export interface Malformed {
  readonly kind: 'malformed'
  readonly why: string
  /** Only of a later version: the message as we know one, or null if that much of it cannot be read. */
  readonly later?: Message | null
}

/** The text of a message, if it is one of ours and of a version we know. */
export const readMessage = (text: string): ReadMessage => {
  const parsed = parseJson(text)
  if (!isObject(parsed)) return { kind: 'malformed', why: 'not a JSON object' }
  const whole = { ...ADDED, ...parsed }
  const message = whole as unknown as Message
  const wrong = Object.entries(SHAPE).find(([name, is]) => !is(whole[name as keyof typeof whole]))
  if (parsed.version !== 1) {
    const why = `version ${JSON.stringify(parsed.version)?.slice(0, 20)}, expected 1`
    return { kind: 'malformed', why, ...(isLater(parsed.version) && { later: wrong ? null : message }) }
  }
  if (wrong) return { kind: 'malformed', why: `"${wrong[0]}" is missing or of the wrong type` }
  return { kind: 'read', message }
}

/** What a message of an older version does not have, and what it means by that. A field that is added gets its line here. */
const ADDED = { edition: 0, bodySigned: false, ordering: null } satisfies Partial<Message>

type Is = (value: unknown) => boolean

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isText: Is = value => typeof value === 'string' && value !== ''
export const isCount: Is = value => Number.isSafeInteger(value) && (value as number) >= 0
const isLater: Is = value => isCount(value) && (value as number) > 1
const isVersion: Is = value => value === null || typeof value === 'number' || isText(value)
export const isDigest: Is = value => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value)

const BODY_BY_ENCODING = {
  base64: body => typeof body.data === 'string',
  zstd: body => isText(body.data),
  pointer: body => isText(body.at),
} satisfies Record<MessageBody['encoding'], (body: Record<string, unknown>) => boolean>

const isBody: Is = value =>
  isObject(value) &&
  isDigest(value.sha256) &&
  isCount(value.size) &&
  Object.hasOwn(BODY_BY_ENCODING, String(value.encoding)) &&
  BODY_BY_ENCODING[value.encoding as MessageBody['encoding']](value)

const SHAPE = {
  version: isCount,
  id: isDigest,
  source: isText,
  provider: isText,
  eventId: isText,
  // Version 0.1 could clip a type to nothing.
  type: value => value === null || typeof value === 'string',
  generation: isCount,
  edition: isCount,
  receivedAt: value => isText(value) && Number.isFinite(Date.parse(value as string)),
  correlationId: isText,
  expiresAt: isCount,
  retain: isCount,
  bodySigned: value => typeof value === 'boolean',
  headers: value => isObject(value) && Object.values(value).every(header => typeof header === 'string'),
  ordering: value => value === null || (isObject(value) && isText(value.key) && isVersion(value.version)),
  via: value => value === undefined || isText(value),
  to: value => value === undefined || (Array.isArray(value) && value.length > 0 && value.every(isText)),
  firstSeenAt: value => value === undefined || isCount(value),
  copyOf: value => value === undefined || isDigest(value),
  madeBy: value => value === undefined || isCount(value),
  madeIn: value => value === undefined || isCount(value),
  body: isBody,
} satisfies Record<keyof Message, Is>
