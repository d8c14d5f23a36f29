import { verify } from 'node:crypto'
import { iso } from '../../domain/brands.ts'
import type { CodedVerdict, Download, Inspection } from '../../domain/coded.ts'
import type { CodeModule } from '../../domain/scheme.ts'
import { checkAge, parseTimestamp } from '../check-timestamp.ts'
import { decodeSignature } from '../decode-signature.ts'
import { keyOfCertificate } from '../published-certificate.ts'
import { readJson } from '../read-body.ts'
import type { Key } from '../read-key.ts'
import { readTopic } from '../sns-topic.ts'
import { distrusted, matchedBy } from '../verdict.ts'

export const file = 'aws-sns'

export const reads: CodeModule['reads'] = { headers: [] }

/**
 * RSA over some fields of the message. Any AWS account can have SNS sign something, so the topic has to be one of
 * `config.topics`. All that needs no certificate is asked before one is downloaded.
 */
export const check: CodeModule['check'] = async (scheme, inspection, download) => {
  const { delivery, source, now } = inspection
  const message = readMessage(delivery.body)
  if (message === undefined) return distrusted('header-missing')
  const hash = Object.hasOwn(HASHES, message.SignatureVersion ?? '')
    ? HASHES[message.SignatureVersion ?? '']
    : undefined
  const signature = decodeSignature('base64', message.Signature ?? '')
  const text = signedText(message)
  if (hash === undefined || signature === undefined || text === undefined) return distrusted('header-malformed')
  if (!isListed(source.config.topics, message.TopicArn)) return distrusted('signature-mismatch')
  const signedAt = parseTimestamp('iso8601', message.Timestamp ?? '')
  if (signedAt === undefined) return distrusted('timestamp-malformed')
  const late = checkAge(signedAt, scheme.toleranceSeconds ?? 0, now)
  if (late) return distrusted(late)
  const keys = inspection.keys.length > 0 ? inspection.keys : await publishedKeys(message, inspection, download)
  if ('kind' in keys) return keys
  return matchedBy(keys, key => verify(hash, Buffer.from(text), key, signature))
}

export const sign: CodeModule['sign'] = ({ source, delivery, privately }) => {
  const json = JSON.parse(Buffer.from(delivery.body).toString('utf8'))
  const message = { ...json, Timestamp: iso(delivery.receivedAt), SignatureVersion: '2' }
  const text = signedText(message)
  if (text === undefined) throw new TypeError(`source ${source.name}: the body is no message of SNS`)
  const Signature = privately(Buffer.from(text), 'sha256').toString('base64')
  const SigningCertURL = 'https://sns.eu-central-1.amazonaws.com/SimpleNotificationService-local.pem'
  return { body: Buffer.from(JSON.stringify({ ...message, Signature, SigningCertURL })) }
}

export const words = (): string => 'RSA over the fields of the message, with a certificate that SNS publishes'

export const covers: CodeModule['covers'] = () => ({
  body: 'fields',
  fields: NOTIFICATION.map(name => `json:${name}` as const),
  proof: ['json:Signature', 'json:SignatureVersion'],
  time: 'always',
})

const HASHES: Readonly<Record<string, string>> = { '1': 'sha1', '2': 'sha256' }

type Message = Readonly<Record<string, string | undefined>>

/** Its texts. What SNS signs is text: another type in its place would be left out of what is checked, and not of the event. */
const readMessage = (body: Uint8Array): Message | undefined => {
  const json = readJson(body)
  if (json.kind !== 'parsed' || typeof json.value !== 'object' || json.value === null) return undefined
  const fields = Object.entries(json.value)
  const message: Message = Object.fromEntries(fields.filter(([, value]) => typeof value === 'string'))
  const plain = fields.every(([name, value]) => typeof value === 'string' || !signedNames(message)?.includes(name))
  return message.Signature && plain ? message : undefined
}

const NOTIFICATION = ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'] as const
const CONFIRMATION = ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type']
const SIGNED: Readonly<Record<string, readonly string[]>> = {
  Notification: NOTIFICATION,
  SubscriptionConfirmation: CONFIRMATION,
  UnsubscribeConfirmation: CONFIRMATION,
}

/** Names and values on lines of their own; `Subject` is the only one that may be left out. */
const signedText = (message: Message): string | undefined => {
  const present = signedNames(message)?.filter(name => message[name] !== undefined || name !== 'Subject')
  if (present === undefined || present.some(name => message[name] === undefined)) return undefined
  // Only a message has lines. With some in an id as well, the same text could be read as another event.
  if (present.some(name => name !== 'Message' && message[name]?.includes('\n'))) return undefined
  return present.map(name => `${name}\n${message[name]}\n`).join('')
}

const signedNames = ({ Type = '' }: Message): readonly string[] | undefined =>
  Object.hasOwn(SIGNED, Type) ? SIGNED[Type] : undefined

const isListed = (topics: unknown, topic: string | undefined): boolean =>
  Array.isArray(topics) && topics.includes(topic)

/** After the host, which has to be that of the topic's own region: a bucket may be called almost anything. */
const CERTIFICATE = /^\/[\w-]{1,128}\.pem$/

const publishedKeys = async (
  { SigningCertURL: url = '', TopicArn }: Message,
  { now }: Inspection,
  download: Download,
): Promise<readonly Key[] | CodedVerdict> => {
  const topic = readTopic(TopicArn)
  const start = `https://${topic?.host}`
  if (!topic || !url.startsWith(start) || !CERTIFICATE.test(url.slice(start.length))) {
    return distrusted('header-malformed')
  }
  const answer = await download(url)
  if (answer.kind === 'unavailable') return answer
  const key = await keyOfCertificate(answer.text, now, { issuedTo: topic.certificateName })
  return key ? [key] : distrusted('signature-mismatch')
}
