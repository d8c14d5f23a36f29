import type { Prices } from './prices.ts'

/** What one delivery uses of what AWS bills. */
export interface Usage {
  /** Of the request, as the front door meters it. */
  readonly bodyBytes: number
  readonly calls: number
  readonly writeUnits: number
  /** Of 64 KB each. */
  readonly queueChunks: number
  readonly objectPuts: number
  readonly lambdaMillis: number
}

export type Front = 'http' | 'rest' | 'url'

/** A delivery on Lambda: assumed, since nobody can measure it here. About as long as published for three calls in a row in one region. */
const BASE_MILLIS = 1
const MILLIS_PER_CALL = 3.7

/** Calls that are made side by side take the time of one. */
export const lambdaMillisOf = (callsInARow: number): number => BASE_MILLIS + callsInARow * MILLIS_PER_CALL

/** Of the receive function, unless its owner says otherwise. */
export const MEMORY_MB = 512

const METERED_BYTES = {
  http: 524_288,
  rest: Number.POSITIVE_INFINITY,
  url: Number.POSITIVE_INFINITY,
} as const satisfies Record<Front, number>

export const frontRequests = (front: Front, bytes: number): number =>
  Math.max(1, Math.ceil(bytes / METERED_BYTES[front]))

const requestPrice = (front: Front, { httpApiRequest, restApiRequest }: Prices): number =>
  // AWS bills a function URL as the function alone.
  ({ http: httpApiRequest, rest: restApiRequest, url: 0 })[front]

/** A million deliveries like it, by item; logs and what is by the month aside. */
export const dollarsByItem = (usage: Usage, prices: Prices, front: Front) => ({
  front: frontRequests(front, usage.bodyBytes) * requestPrice(front, prices),
  lambda: prices.lambdaRequest + (usage.lambdaMillis / 1000) * (MEMORY_MB / 1024) * prices.lambdaGbSecond,
  dynamodb: usage.writeUnits * prices.dynamodbWriteUnit,
  queue: usage.queueChunks * prices.sqsRequest,
  objects: usage.objectPuts * prices.s3Put,
})
