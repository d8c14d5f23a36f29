import { inspect, isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DynamoCalls } from '../../functions/adapters/wire/dynamo-calls.ts'
import type { ProgramKind } from '../../lib/connect/instance.ts'
import { javaAvailable } from '../../lib/local/engines/dynamo-command.ts'
import { type DynamoEngine, startDynamo } from '../../lib/local/engines/start-dynamo.ts'
import { RESERVED } from '../../lib/memory-aws/expressions/reserved-words.ts'
import { memoryAws } from '../../lib/memory-aws/memory-aws.ts'
import { carryOut } from './memory-aws/carry-out.ts'
import { DIFFERENCES, UNKNOWN_WORDS } from './memory-aws/differences.ts'
import { anyOperations, type Operation, TABLES, type TableName } from './memory-aws/random-operations.ts'
import { callsOf, newTable } from './memory-aws/real-engines.ts'

/** `MEMORY_AWS_SEQUENCES=20000` for a long night. */
const SEQUENCES = Number(process.env.MEMORY_AWS_SEQUENCES ?? 300)
const SEED = Number(process.env.MEMORY_AWS_SEED ?? 14)

const memoryTables = (): DynamoCalls => memoryAws({ tables: TABLES, now: () => 0 }).aws.dynamo

const law = (kind: ProgramKind): void => {
  let engine: DynamoEngine
  let real: DynamoCalls
  const names = new Map<string, string>()
  let sequences = 0
  const met = new Set<string>()

  beforeAll(async () => {
    engine = await startDynamo(kind)
    real = callsOf(engine.endpoint).dynamo
    for (const name of Object.keys(TABLES)) {
      names.set(name, await newTable(engine.endpoint, TABLES[name as TableName]))
    }
  })
  afterAll(() => engine.stop())

  /** `undefined` if both answer alike, else what is different, or how the answers differ. */
  const compare = async (operation: Operation, memory: DynamoCalls, sequence: string): Promise<string | undefined> => {
    const inSequence = (text: string) => (text.startsWith('@') ? `${sequence}${text.slice(1)}` : text)
    const mine = await carryOut(memory, operation, (_name, text) => inSequence(text))
    const theirs = await carryOut(real, operation, (name, text) =>
      name === 'TableName' ? (names.get(text) ?? text) : inSequence(text),
    )
    if (isDeepStrictEqual(mine.answer, theirs.answer)) return undefined
    const known = DIFFERENCES.find(each => each.engine === kind && each.isIt(operation, mine, theirs))
    if (known) return known.what
    const show = (value: unknown) => inspect(value, { depth: 12, breakLength: 120 })
    throw new Error(`${show(operation)}\nin memory: ${show(mine)}\n${kind}: ${show(theirs)}`)
  }

  /** After a difference the two may not hold the same any more: the sequence ends. */
  const answerAlike = async (operations: readonly Operation[]): Promise<void> => {
    const memory = memoryTables()
    const sequence = `s${sequences++}`
    for (const operation of operations) {
      const different = await compare(operation, memory, sequence)
      if (different === undefined) continue
      met.add(different)
      return
    }
  }

  it(`${kind} and the memory AWS answer ${SEQUENCES} random sequences of calls alike`, async () => {
    await fc.assert(fc.asyncProperty(anyOperations, answerAlike), { numRuns: SEQUENCES, seed: SEED })
  }, 600_000)

  it(`${kind} still has every difference from AWS that is written down for it`, () => {
    const written = DIFFERENCES.filter(each => each.engine === kind).map(({ what }) => what)
    expect([...met].sort()).toEqual(written.sort())
  })

  it(`${kind} has neither a lag of the index nor one of TTL, so the memory AWS shows both by itself`, async () => {
    const TableName = names.get('alone') ?? ''
    const item = { id: 'lagging', listing: 'lagging', at: '1', expiresAt: 1 }
    await real.putItem({ TableName, Item: item })
    const listed = await real.query({
      TableName,
      IndexName: 'listing',
      KeyConditionExpression: 'listing = :listing',
      ExpressionAttributeValues: { ':listing': 'lagging' },
    })
    expect(listed.items).toEqual([{ id: 'lagging', listing: 'lagging', at: '1' }])
    expect(await real.getItem({ TableName, Key: { id: 'lagging' } })).toEqual(item)
  })

  it(`${kind} refuses the same bare words in an expression as the memory AWS`, async () => {
    const words = [...RESERVED, 'fingerprint', 'fence', 'leaseUntil', 'generation', 'attempts', 'listing', 'payload']
    const accepted = async (dynamo: DynamoCalls, TableName: string): Promise<string[]> => {
      const found: string[] = []
      for (const word of words) {
        const input = { TableName, Key: { id: 'words' }, UpdateExpression: `REMOVE ${word}` }
        const { answer } = await carryOut(dynamo, { call: 'updateItem', input }, (_name, text) => text)
        if (!isDeepStrictEqual(answer, { error: 'ValidationException' })) found.push(word)
      }
      return found
    }
    const mine = await accepted(memoryTables(), 'alone')
    expect(await accepted(real, names.get('alone') ?? '')).toEqual([...UNKNOWN_WORDS[kind], ...mine])
  })
}

describe('dynoxide', () => law('dynoxide'))

const java = await javaAvailable()
describe.skipIf(!java)(`DynamoDB Local${java ? '' : ' (skipped: no Java 17 on this machine)'}`, () =>
  law('dynamodb-local'),
)
