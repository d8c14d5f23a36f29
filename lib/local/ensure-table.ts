import { setTimeout as sleep } from 'node:timers/promises'
import type { CreateTableCommandInput } from '@aws-sdk/client-dynamodb'
import { isFault } from '../../functions/adapters/lean/json-protocol.ts'
import type { LocalCreating } from '../connect/local-clients.ts'

type Tables = LocalCreating['tables']

export interface TableDefinition extends CreateTableCommandInput {
  readonly TableName: string
  /** The attribute that says when an item is deleted, if the engine is to delete any. */
  readonly timeToLive: string | undefined
}

const LOOKS = 100
const LOOK_EVERY_MS = 100

/** Creates a table; one that is there already stays as it is. */
export const ensureTable = async (call: Tables, { timeToLive, ...definition }: TableDefinition): Promise<void> => {
  const { TableName } = definition
  try {
    await call('CreateTable', { BillingMode: 'PAY_PER_REQUEST', ...definition })
  } catch (error) {
    if (!isFault(error, 'ResourceInUseException')) throw error
  }
  await untilActive(call, TableName)
  if (timeToLive !== undefined) await enableTimeToLive(call, TableName, timeToLive)
}

const untilActive = async (call: Tables, TableName: string): Promise<void> => {
  for (let look = 0; look < LOOKS; look++) {
    const { Table } = await call<{ Table?: { readonly TableStatus?: string } }>('DescribeTable', { TableName })
    if (Table?.TableStatus === 'ACTIVE') return
    await sleep(LOOK_EVERY_MS)
  }
  throw new Error(`the table ${TableName} was not ready within ${(LOOKS * LOOK_EVERY_MS) / 1000} seconds.`)
}

/** Asked first: enabling what is enabled is an error in DynamoDB. */
const enableTimeToLive = async (call: Tables, TableName: string, AttributeName: string): Promise<void> => {
  const { TimeToLiveDescription: now } = await call<TimeToLive>('DescribeTimeToLive', { TableName })
  if (now?.TimeToLiveStatus === 'ENABLED') return
  await call('UpdateTimeToLive', { TableName, TimeToLiveSpecification: { AttributeName, Enabled: true } })
}

interface TimeToLive {
  readonly TimeToLiveDescription?: { readonly TimeToLiveStatus?: string }
}
