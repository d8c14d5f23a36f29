import { describe, expect, it } from 'vitest'
import { OUTPUTS, type OutputName } from '../../../functions/contract/outputs.ts'
import { checkStack } from '../../../lib/cli/checks/check-stack.ts'
import type { Connection } from '../../../lib/connect/connection.ts'

/** What a stack has only with something that not every app uses; test/infra/receiver-stack.test.ts has what every stack says. */
const NOT_OF_EVERY_STACK: readonly OutputName[] = [
  ...(['orderedQueueUrl', 'orderedDeadLettersUrl'] as const),
  ...(['publishFunction', 'publishLogs'] as const),
  ...(['destinations', 'fanOutLogs'] as const),
  ...(['reconcileFunction', 'reconcileLogs', 'apiKeys'] as const),
  ...(['executeApi', 'receiveConcurrency'] as const),
]

/** What doctor says of a stack without these outputs. */
const saysWithout = async (...absent: readonly OutputName[]) => {
  const said = Object.keys(OUTPUTS).filter(name => !absent.includes(name as OutputName))
  const outputs = Object.fromEntries(said.map(name => [name, `the-${name}`]))
  const stack = { kind: 'aws', name: 'Webhooks', region: 'eu-central-1', account: '111111111111', outputs }
  return checkStack({ connection: stack as unknown as Connection, sources: new Map() })
}

describe('doctor and the outputs of a stack', () => {
  it('a stack without ordering, internal sources, destinations, schedules and a domain lacks nothing', async () => {
    expect(await saysWithout(...NOT_OF_EVERY_STACK)).toMatchObject([{ level: 'ok' }])
  })

  it('an output that every stack of this version has is missed, with its name', async () => {
    expect(await saysWithout('erasePolicy')).toMatchObject([
      {
        level: 'warning',
        says: 'was deployed by an older version and lacks the outputs ErasePolicy',
        fix: 'npx cdk deploy',
      },
    ])
  })
})
