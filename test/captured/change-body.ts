import { crc32 } from 'node:zlib'
import { withCrc } from '../support/solve-crc.ts'
import type { Captured, Change } from './change.ts'
import { formChanges } from './change-form.ts'
import { jsonChanges } from './change-json.ts'

/** The body of a captured delivery changed: byte by byte, in its spelling, and field by field. */
export const bodyChanges = (captured: Captured): readonly Change[] => {
  const body = Buffer.from(captured.request.body)
  const json = parsed(body)
  const changes = [
    ...byteChanges(captured, body),
    ...(json === undefined ? [] : [...jsonChanges(captured, json), ...payloadChanges(captured, body)]),
    ...(json === undefined && FORM.test(body.toString('utf8')) ? formChanges(captured, body.toString()) : []),
  ]
  return captured.coverage.checksum ? changes.flatMap(change => [failed(change), solved(change, crc32(body))]) : changes
}

const FORM = /^[\w.%[\]-]+=/

/** A checksum finds an accident, and nobody who means it. */
const failed = (change: Change): Change => ({ ...change, name: `${change.name}, checksum wrong`, refused: true })

const solved = (change: Change, wanted: number): Change => ({
  ...change,
  request: { ...change.request, body: withCrc(Buffer.from(change.request.body ?? ''), wanted) },
})

/** Bytes that hold a proof cannot be cut at random: there the fields are changed one by one. */
const byteChanges = ({ request, coverage }: Captured, body: Buffer): readonly Change[] => {
  if (coverage.body === 'fields' || coverage.proof.length > 0) return []
  const flipped = (at: number) => Buffer.from(body.map((byte, index) => (index === at ? byte ^ 1 : byte)))
  const change = (name: string, changed: Uint8Array): Change => ({
    name: `body: ${name}`,
    part: 'body',
    request: { ...request, body: changed },
    refused: coverage.body !== 'nothing',
  })
  const added = [change('a byte more', Buffer.concat([body, Buffer.from('x')]))]
  if (body.length === 0) return added
  return [
    ...added,
    change('its first byte', flipped(0)),
    change('a byte in the middle', flipped(body.length >> 1)),
    change('its last byte', flipped(body.length - 1)),
    change('a byte less', body.subarray(0, -1)),
    change('white space before it', Buffer.concat([Buffer.from(' '), body])),
    change('a line after it', Buffer.concat([body, Buffer.from('\r\n')])),
    change('a byte order mark', Buffer.concat([Buffer.from('\ufeff'), body])),
    change('emptied', Buffer.alloc(0)),
    change('another one', Buffer.from('{"something":"else"}')),
  ]
}

/** JSON in a form, as some senders have theirs: what stands beside it is signed by nobody. */
const payloadChanges = ({ request, coverage }: Captured, body: Buffer): readonly Change[] =>
  ['', '&more=1'].map(beside => ({
    name: `body: as a form's payload${beside && ' beside more'}`,
    part: 'body',
    request: { ...request, body: `payload=${encodeURIComponent(body.toString('utf8'))}${beside}` },
    refused: coverage.body !== 'nothing' || coverage.proof.length > 0,
  }))

const parsed = (body: Buffer): unknown => {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'))
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}
