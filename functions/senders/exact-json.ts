/** A number that JavaScript cannot hold as it was written: it is written again with all of its digits. */
export interface ExactNumber {
  readonly rawJSON: string
}

/** JSON, with every number as it was written: a copy of an event loses no digit above 2^53. */
export const parseExactly = (text: string): unknown => JSON.parse(text, exactly)

export const isExact = (value: unknown): value is ExactNumber => RAW.isRawJSON(value)

const exactly = (_name: string, value: unknown, { source }: { readonly source?: string } = {}): unknown =>
  typeof value === 'number' && source !== undefined && String(value) !== source ? RAW.rawJSON(source) : value

/** Node has them from version 21 on, and TypeScript has no types for them. */
const RAW = JSON as unknown as {
  rawJSON(text: string): ExactNumber
  isRawJSON(value: unknown): boolean
}
