import { hasTables } from '../app/plan-app.ts'
import type { App } from '../app/read-app.ts'
import { isRefusal, type Refusal, refuse } from '../connect/refusal.ts'
import { takeDataDir } from './data-dir.ts'
import { accessKeyFor, adoptSharedDatabase } from './engines/access-key.ts'
import { availableDynamo } from './engines/dynamo-command.ts'
import { type Engines, startEngines } from './engines/start-engines.ts'

/** What has to be undone at the end, last first. */
export type Closing = (() => unknown)[]

interface OpenedEngines {
  readonly engines: Engines
  /** Of the data directory, if there is one. */
  readonly fingerprintKey: string | undefined
}

/**
 * The engines of a local instance, on a data directory that no other uses. The tables are in this process if nothing is to be kept and
 * only our own functions use them: they are faster there, but not all that DynamoDB can do can be asked of them.
 */
export const openEngines = async (
  { dataDir, app }: { readonly dataDir: string | undefined; readonly app?: App | undefined },
  closing: Closing,
): Promise<OpenedEngines | Refusal> => {
  const data = dataDir === undefined ? undefined : takeDataDir(dataDir)
  if (isRefusal(data)) return data
  if (data) closing.push(data.release)
  const asksAnything = app !== undefined && hasTables(app)
  const found = data || asksAnything ? await availableDynamo() : { kind: 'memory' as const }
  if ('missing' in found && dataDir !== undefined) {
    return refuse(`--data ${dataDir} cannot be used, since nothing here can keep data. ${found.missing}`)
  }
  const dynamodb = 'missing' in found ? 'memory' : found.kind
  const fingerprintKey = data?.fingerprintKey
  const accessKey = accessKeyFor(dynamodb, fingerprintKey)
  if (dataDir !== undefined && dynamodb === 'dynamodb-local') adoptSharedDatabase(dataDir, accessKey)
  const engines = await startEngines({ dynamodb, accessKey, ...(dataDir !== undefined && { dataDir }) })
  closing.push(engines.stop)
  return { engines, fingerprintKey }
}
