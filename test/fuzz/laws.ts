import { createHash } from 'node:crypto'
import { zstdDecompressSync } from 'node:zlib'
import type { Message } from '../../functions/contract/message.ts'
import type { Fingerprint, Sha256 } from '../../functions/domain/brands.ts'
import { NOON } from '../support/events.ts'
import type { Delivered } from './rig.ts'
import { CANARY, CANARY_IN_BASE64, PROOF_HEADERS } from './targets.ts'

/** DESIGN.md, section 3: what may be answered, and what the log then calls it. No 5xx: nothing is broken here. */
const CONTRACT: Readonly<Record<string, readonly number[]>> = {
  accepted: [202],
  duplicate: [200],
  handshake: [200, 204],
  rejected: [400, 401, 404, 405, 413, 415],
}

/** The closed list of problem types. */
const PROBLEMS: Readonly<Record<string, number>> = {
  signature: 401,
  timestamp: 401,
  'unknown-source': 404,
  identity: 400,
  method: 405,
  'too-large': 413,
  encoding: 415,
}

/** SQS takes 1 MiB, CloudWatch's EMF 256 KB of a line. */
const MOST_MESSAGE_BYTES = 1_048_576
const MOST_LINE_BYTES = 262_144

export interface Account {
  readonly status: number
  readonly outcome: string
  readonly reason: string | undefined
  /** The event's fingerprint, where one was answered. */
  readonly id: string | undefined
  readonly problem: string | undefined
}

/** What holds for every delivery whatever it is; throws a sentence when it does not. */
export const lawful = async (delivered: Delivered): Promise<Account> => {
  const account = accountOf(delivered)
  saysTheContract(delivered, account)
  saysNoSecret(delivered, account)
  await keepsWhatItSays(delivered, account)
  return account
}

const must = (holds: boolean, sentence: string): void => {
  if (!holds) throw new Error(sentence)
}

const accountOf = ({ answer, lines }: Delivered): Account => {
  must(lines.length === 1, `${lines.length} log lines for one delivery`)
  const [line = ''] = lines
  must(line.indexOf('\n') === line.length - 1, 'the log line is not one line')
  must(Buffer.byteLength(line) <= MOST_LINE_BYTES, `the log line has ${line.length} characters`)
  const said = JSON.parse(line)
  must(said.status === answer.statusCode, 'the log line and the answer differ')
  const body = said.outcome === 'handshake' ? {} : JSON.parse(answer.body)
  return {
    status: answer.statusCode,
    outcome: said.outcome,
    reason: said.Reason,
    id: body.id,
    problem: wordOf(body.type),
  }
}

/** The type is a URI; its fragment is the word of the list. */
const wordOf = (type: string | undefined): string | undefined =>
  type?.replace(/^https:\/\/hooklatch\.example\/docs\/problems\.md#/, '')

const saysTheContract = ({ answer }: Delivered, { status, outcome, problem, reason }: Account): void => {
  must(CONTRACT[outcome]?.includes(status) === true, `${outcome} (${reason}) was answered with ${status}`)
  must(/^[\x20-\x7e]+$/.test(Object.values(answer.headers).join('')), 'a header of the answer is not printable')
  if (outcome !== 'rejected') return
  must(answer.headers['content-type'] === 'application/problem+json', 'a problem without its content type')
  must(problem !== undefined && PROBLEMS[problem] === status, `problem type ${problem} with status ${status}`)
}

const saysNoSecret = ({ attempt, answer, lines }: Delivered, { outcome }: Account): void => {
  const { eventId: _, ...line } = JSON.parse(lines[0] ?? '')
  // A challenge is echoed because its sender asks for it, after its signature has passed.
  const said = JSON.stringify([line, answer.headers, outcome === 'handshake' ? '' : answer.body])
  for (const canary of [CANARY, CANARY_IN_BASE64]) must(!said.includes(canary), 'a canary is in the log or the answer')
  for (const [name, value] of attempt.headers) {
    if (!PROOF_HEADERS.has(name.toLowerCase())) continue
    for (const part of value.match(/[\w+/]{16,}/g) ?? []) {
      must(!said.includes(part), `a part of ${name} is in the log or the answer`)
    }
  }
}

/** 202 means one claim and one message with the very bytes; anything else means nothing new. */
const keepsWhatItSays = async (delivered: Delivered, { outcome, id }: Account): Promise<void> => {
  const { calls, sent, at } = delivered
  must(sent === (outcome === 'accepted' ? 1 : 0), `${outcome}, and ${sent} messages were sent`)
  if (outcome === 'rejected' || outcome === 'handshake') {
    must(Object.keys(calls).length === 0, `${outcome}, but ${JSON.stringify(calls)} was asked of the stores`)
    return
  }
  if (outcome === 'duplicate') {
    const { claim, keep = 0, ...others } = calls
    must(claim === 1 && keep <= 1 && Object.keys(others).length === 0, `a duplicate asked for ${JSON.stringify(calls)}`)
    return
  }
  const text = at.rig.memory.sent.at(-1) ?? ''
  must(/^[\x20-\x7e]+$/.test(text), 'the message is not printable ASCII')
  must(text.length <= MOST_MESSAGE_BYTES, `the message has ${text.length} characters, SQS takes ${MOST_MESSAGE_BYTES}`)
  const message: Message = JSON.parse(text)
  must(message.id === id && message.eventId !== '', 'the message is of another event')
  must(at.rig.records.get(id as Fingerprint) !== undefined, 'accepted, but without a record')
  const bytes = await bytesOf(delivered, message)
  must(digest(bytes) === digest(delivered.attempt.body), 'the bytes on the queue are not those that were sent')
}

const bytesOf = async ({ at }: Delivered, { id, body }: Message): Promise<Uint8Array> => {
  switch (body.encoding) {
    case 'base64':
      return Buffer.from(body.data, 'base64')
    case 'zstd':
      return zstdDecompressSync(Buffer.from(body.data, 'base64'))
    case 'pointer': {
      const { keptBodies } = at.rig.world
      const kept = await keptBodies.fetch(id as Fingerprint, body.sha256 as Sha256, body.at, NOON)
      return kept?.bytes ?? new Uint8Array()
    }
  }
}

const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
