import type { MemoryDynamo } from './dynamo.ts'
import { fault } from './fault.ts'
import type { Operations, Request } from './operation.ts'
import { shapeOf, type TableDescription } from './table-description.ts'

export const tableOperations = (dynamo: MemoryDynamo): Operations => {
  const descriptions = new Map<string, TableDescription>()
  const lifetimes = new Map<string, string>()
  return {
    ListTables: { takes: '*', run: () => ({ TableNames: [...descriptions.keys()] }) },
    CreateTable: {
      takes: '*',
      run(description) {
        const { TableName } = description
        if (descriptions.has(TableName)) throw fault('ResourceInUseException', `Table already exists: ${TableName}`)
        dynamo.create(TableName, shapeOf(description as TableDescription))
        descriptions.set(TableName, description as TableDescription)
        return { TableDescription: described(description) }
      },
    },
    DescribeTable: {
      takes: '',
      run({ TableName }) {
        dynamo.table(TableName)
        return { Table: described(descriptions.get(TableName) ?? { TableName }) }
      },
    },
    DescribeTimeToLive: {
      takes: '',
      run: ({ TableName }) => ({
        TimeToLiveDescription: lifetimes.has(TableName)
          ? { TimeToLiveStatus: 'ENABLED', AttributeName: lifetimes.get(TableName) }
          : { TimeToLiveStatus: 'DISABLED' },
      }),
    },
    // Noted and not acted on: in AWS, too, an expired item may stay for days.
    UpdateTimeToLive: {
      takes: 'TimeToLiveSpecification',
      run({ TableName, TimeToLiveSpecification }) {
        lifetimes.set(TableName, TimeToLiveSpecification.AttributeName)
        return { TimeToLiveSpecification }
      },
    },
  }
}

const described = (description: Request | TableDescription): object => ({ ...description, TableStatus: 'ACTIVE' })
