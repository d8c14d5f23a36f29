import type { Sha256 } from '../../functions/domain/brands.ts'
import { inlineBody } from '../../functions/domain/message.ts'
import { pack } from '../../functions/domain/packing.ts'
import { typicalEvent } from './typical-event.ts'
import { lambdaMillisOf, type Usage } from './usage.ts'

export interface CountedCase {
  readonly bytes: number
  /** The body is kept for replay, or stored before the claim. */
  readonly kept: boolean
}

/** What a receiver uses for one delivery; test/unit/cost holds these against what it really sends. */
export const countsOf = ({ bytes, kept }: CountedCase) => {
  const message = messageBytes(bytes)
  const body = kept ? bodyWrite(bytes) : { writeUnits: 0, objectPuts: 0, calls: 0 }
  return {
    new: usage({
      bodyBytes: bytes,
      calls: 3 + body.calls,
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
/** Key and names of a body's item, and the line of JSON in it. */
const ITEM_BYTES = 240

const usage = (counted: Omit<Usage, 'lambdaMillis'>): Usage => ({
  ...counted,
  lambdaMillis: lambdaMillisOf(counted.calls),
})

const typicalBytes = (bytes: number): Buffer => Buffer.from(typicalEvent('evt_typical', bytes))

/** What is left of a JSON body of that size where it is kept. */
export const packedBytes = (bytes: number): number => pack(typicalBytes(bytes)).bytes.length

const messageBytes = (bytes: number): number => {
  const body = inlineBody(typicalBytes(bytes), '' as Sha256)
  return ENVELOPE_BYTES + (body && 'data' in body ? body.data.length : 0)
}

const bodyWrite = (bytes: number) => {
  const packed = packedBytes(bytes)
  return packed > DYNAMODB_BYTES
    ? { writeUnits: 0, objectPuts: 1, calls: 1 }
    : { writeUnits: Math.ceil((packed + ITEM_BYTES) / 1_024), objectPuts: 0, calls: 1 }
}
