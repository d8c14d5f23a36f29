import type { DeliveryShelf, Shelf } from '../domain/kept-delivery.ts'
import { pack } from '../domain/packing.ts'
import { unavailable } from './fault.ts'

/** An update as DynamoDB takes it. */
export interface ShelfUpdate {
  readonly TableName: string
  readonly Key: Record<string, string>
  readonly UpdateExpression: string
  readonly ExpressionAttributeNames: Record<string, string>
  readonly ExpressionAttributeValues: Record<string, unknown>
}

/** In the table of the bodies: the same permission, the same way to expire. Written by update, which is all a receiver may. */
export const shelfWriter = (
  update: (input: ShelfUpdate) => Promise<unknown>,
  table: string,
): Pick<DeliveryShelf, 'keep'> => ({
  async keep(shelf, { body, source, key, expiresAt, ...rest }) {
    const { bytes, compressed } = pack(body)
    try {
      await update({
        TableName: table,
        Key: shelfKey(shelf, source, key),
        UpdateExpression: 'SET #bytes = :bytes, compressed = :compressed, delivery = :delivery, expiresAt = :expiresAt',
        ExpressionAttributeNames: { '#bytes': 'bytes' },
        ExpressionAttributeValues: {
          ':bytes': bytes,
          ':compressed': compressed,
          ':delivery': JSON.stringify(rest),
          ':expiresAt': expiresAt,
        },
      })
      return { kind: 'kept' }
    } catch (error) {
      return unavailable(error)
    }
  },
})

export const shelfPartition = (shelf: Shelf, source: string): string => `${shelf}:${source}`

export const shelfKey = (shelf: Shelf, source: string, key: string): Record<string, string> => ({
  fingerprint: shelfPartition(shelf, source),
  sha256: key,
})
