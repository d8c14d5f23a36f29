import { createHmac, randomBytes } from 'node:crypto'
import { existsSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import type { DynamoKind } from '../../connect/instance.ts'

/**
 * The secret of this run, which engines are shown as an access key id. DynamoDB Local keeps one database for each, so with
 * a data directory it gets the same one every time.
 */
export const accessKeyFor = (kind: DynamoKind, fingerprintKey: string | undefined): string => {
  if (kind !== 'dynamodb-local' || fingerprintKey === undefined) return randomBytes(16).toString('hex')
  return createHmac('sha256', fingerprintKey).update('access key of the engines').digest('hex').slice(0, 32)
}

/** Until version 0.1 every access key had the same database: what is in it stays ours. */
export const adoptSharedDatabase = (directory: string, accessKey: string): void => {
  const shared = join(directory, 'shared-local-instance.db')
  const own = join(directory, `${accessKey}_us-east-1.db`)
  if (existsSync(shared) && !existsSync(own)) renameSync(shared, own)
}
