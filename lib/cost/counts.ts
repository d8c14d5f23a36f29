import type { Sha256 } from '../../functions/domain/brands.ts'
import { inlineBody } from '../../functions/domain/message.ts'
import { pack } from '../../functions/domain/packing.ts'
import { typicalEvent } from './typical-event.ts'
import { lambdaMillisOf, type Usage } from './usage.ts'

export interface CountedCase {
  readonly bytes: number
  /** The body is kept for replay. One that is stored before the claim takes a call in a row more: $0.02 a million. */
  readonly kept: boolean
}

/** Claim, send and settle; the copy for replay is written while the message is sent. */
const CALLS_IN_A_ROW = 3

/** What a receiver uses for one delivery; test/unit/cost holds these against what it really sends. */
export const countsOf = ({ bytes, kept }: CountedCase) => {
  const message = messageBytes(bytes)
  const body = kept ? bodyWrite(bytes) : { writeUnits: 0, objectPuts: 0, calls: 0 }
  return {
    new: usage({
      bodyBytes: bytes,
      calls: CALLS_IN_A_ROW + body.calls,
      writeUnits: 3 + body.writeUnits,
      queueChunks: Math.ceil(message / CHUNK_BYTES),
      objectPuts: body.objectPuts,
    }),
    duplicate: usage({ bodyBytes: bytes, calls: 1, writeUnits: 1, queueChunks: 0, objectPuts: 0 }),
    forged: usage({ bodyBytes: bytes, calls: 0, writeUnits: 0, queueChunks: 0, objectPuts: 0 }),
  }
}

export const CHUNK_BYTES = 65_536

/** Identity, headers and attributes around the body of a message. */
const ENVELOPE_BYTES = 900

/** As much as DynamoDB takes of a body before S3 is cheaper: functions/adapters/s3-and-dynamodb-bodies.ts. */
const DYNAMODB_BYTES = 8_192
/** Key, names and expiry of a body's item. */
const ITEM_BYTES = 180
/** What DynamoDB bills besides, of an item and of an entry of an index. */
export const ITEM_OVERHEAD = 100

const usage = (counted: Omit<Usage, 'lambdaMillis'>): Usage => ({
  ...counted,
  lambdaMillis: lambdaMillisOf(Math.min(counted.calls, CALLS_IN_A_ROW)),
})

const typicalBytes = (bytes: number): Buffer => Buffer.from(typicalEvent('evt_typical', bytes))

/** What is left of a JSON body of that size where it is kept. */
export const packedBytes = (bytes: number): number => pack(typicalBytes(bytes)).bytes.length

/** The same with all that is stored beside it, in the place that it is kept in. */
export const keptBytes = (bytes: number): { readonly inTable: boolean; readonly bytes: number } => {
  const packed = packedBytes(bytes)
  const inTable = packed <= DYNAMODB_BYTES
  return { inTable, bytes: inTable ? packed + ITEM_BYTES + ITEM_OVERHEAD : packed }
}

const messageBytes = (bytes: number): number => {
  const body = inlineBody(typicalBytes(bytes), '' as Sha256)
  return ENVELOPE_BYTES + (body && 'data' in body ? body.data.length : 0)
}

const bodyWrite = (bytes: number) => {
  const kept = keptBytes(bytes)
  return kept.inTable
    ? { writeUnits: Math.ceil((kept.bytes - ITEM_OVERHEAD) / 1_024), objectPuts: 0, calls: 1 }
    : { writeUnits: 0, objectPuts: 1, calls: 1 }
}
