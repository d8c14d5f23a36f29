import { CloudWatchClient } from '@aws-sdk/client-cloudwatch'
import { expect, it } from 'vitest'
import { resolveSources } from '../../../functions/providers/sources.ts'
import { checkSigningSecrets } from '../../../lib/cli/checks/check-signing-secrets.ts'
import { finishSecretRotation, type Given } from '../../../lib/cli/steps/change-secret.ts'
import type { Connection } from '../../../lib/connect/connection.ts'
import type { Terminal } from '../../../lib/terminal/terminal.ts'
import { NOON } from '../../support/events.ts'

const HOUR = 3_600_000
const SECRETS = ['whsec_newnewnewnewnewnewnewnew', 'whsec_oldoldoldoldoldoldoldold']
const CHANGED_AT = NOON - 10 * HOUR
const sources = resolveSources({ stripe: { provider: 'stripe' } })

interface Seen {
  /** Hours before now; null: CloudWatch cannot be asked. */
  readonly uses: { readonly Accepted?: number; readonly PreviousSecret?: number } | null
  readonly secrets?: readonly string[]
}

const connected = ({ uses, secrets = SECRETS }: Seen) => {
  const written: unknown[] = []
  const send = async ({
    input,
  }: {
    input: { MetricDataQueries: { Id: string; MetricStat: { Metric: object } }[] }
  }) => {
    if (uses === null) throw Object.assign(new Error('no'), { name: 'AccessDenied' })
    const MetricDataResults = input.MetricDataQueries.flatMap(({ Id, MetricStat }) => {
      const hours = uses[(MetricStat.Metric as { MetricName: keyof typeof uses }).MetricName]
      return hours === undefined ? [] : [{ Id, Timestamps: [new Date(NOON - hours * HOUR)], Values: [1] }]
    })
    return { MetricDataResults }
  }
  const cloudwatch = Object.assign(new CloudWatchClient({ region: 'us-east-1' }), { send })
  const connection = {
    ...{ kind: 'aws', environment: 'production', now: () => NOON, cloud: { cloudwatch } },
    secrets: {
      place: 'x',
      read: async () => ({ lists: { stripe: secrets }, version: '1', changedAt: CHANGED_AT }),
      write: async (lists: unknown) => {
        written.push(lists)
        return 'written'
      },
    },
  } as unknown as Connection
  return { connection, written }
}

const finished = async (seen: Seen, interactive: boolean, yes = false) => {
  const { connection, written } = connected(seen)
  const terminal = { out: () => {}, err: () => {}, interactive } as unknown as Terminal
  const given = { connection, sources, name: 'stripe', json: false, yes, span: '10m', show: false } as unknown as Given
  return { answer: await finishSecretRotation(given, terminal), written: written.length }
}

const IN_USE: readonly (readonly [string, Seen['uses'], string])[] = [
  ['the previous secret was used an hour ago', { Accepted: 1, PreviousSecret: 1 }, 'previous secret recently'],
  ['nobody can say when secrets were used', null, 'not known when the secrets were last used'],
  ['nothing came since the change', { Accepted: 11 }, 'its sender may not use it yet'],
  ['only the previous one was used since the change', { Accepted: 4, PreviousSecret: 4 }, 'may not use it yet'],
]

it.each(IN_USE)(
  'a rotation is not finished while its sender may sign with the previous secret: %s',
  async (_, uses, why) => {
    for (const interactive of [true, false]) {
      expect(await finished({ uses }, interactive)).toEqual({
        answer: { exitCode: 1, refused: expect.stringContaining(why) },
        written: 0,
      })
      expect(await finished({ uses }, interactive, true)).toEqual({ answer: 0, written: 1 })
    }
  },
)

it('a rotation is finished once its sender has changed over, and without one there is nothing to refuse', async () => {
  expect(await finished({ uses: { Accepted: 1, PreviousSecret: 5 } }, false)).toEqual({ answer: 0, written: 1 })
  expect(await finished({ uses: { Accepted: 1 } }, false)).toEqual({ answer: 0, written: 1 })
  expect(await finished({ uses: null, secrets: SECRETS.slice(1) }, false)).toEqual({ answer: 0, written: 0 })
})

it.each([
  [{ Accepted: 1 }, 'accepts a previous secret that nobody uses any more: finish the rotation'],
  [{}, 'nothing is known that the new one has signed: finish the rotation when its sender uses the new one'],
  [{ Accepted: 11 }, 'nothing is known that the new one has signed'],
  [{ Accepted: 1, PreviousSecret: 1 }, 'accepts a previous secret, last used 2026-'],
  [null, 'accepts a previous secret, and it is not known when it was used'],
])(
  'doctor calls a previous secret unused only if the new one has been used since the change: %j',
  async (uses, says) => {
    const { connection } = connected({ uses })
    expect(await checkSigningSecrets({ connection, sources })).toMatchObject([
      { level: 'warning', says: expect.stringContaining(says) },
    ])
  },
)
