import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { denialsIn } from '../../../lib/cli/checks/denials-in-lines.ts'
import { type FunctionName, grantedBy, LINES } from '../../../lib/cli/checks/granted-by.ts'

const ROOT = join(import.meta.dirname, '../../..')
const rows = Object.entries(LINES).flatMap(([name, lines]) =>
  Object.keys(lines).map(action => [name as FunctionName, action] as const),
)

async function* of(...lines: string[]): AsyncGenerator<string> {
  yield* lines
}

describe('the line that grants something', () => {
  it.each(rows)('the line that grants %s its %s is in the file that doctor names', (name, action) => {
    const { file = '', line = '' } = grantedBy(name, action) ?? {}
    expect(readFileSync(join(ROOT, file), 'utf8')).toContain(line)
  })

  it('an action that SQS names in lower case is found', () => {
    expect(grantedBy('receive', 'sqs:sendmessage')?.line).toBe('queue.grantSend(receive.role)')
  })

  it('the secrets of the reconciler are granted by two lines, and the one of the secret is named', () => {
    const lineOf = (on: 'fingerprintKey' | '') => grantedBy('reconcile', 'secretsmanager:GetSecretValue', on)?.line
    expect(lineOf('fingerprintKey')).toBe('stores.secrets.grantReadFingerprintKey(reconcile.role)')
    expect(lineOf('')).toContain('Object.values(apiKeys)')
  })

  it('what no line grants to a function has no line', () => {
    expect(grantedBy('worker', 'sqs:SendMessage')).toBeUndefined()
  })
})

describe('what a line says was refused', () => {
  it.each([
    [
      'a cause of ours',
      '{"cause":"AccessDeniedException: no permission for dynamodb:PutItem on table/events because no"}',
      'table/events',
    ],
    [
      'a cause of S3, which quotes what it refuses',
      String.raw`{"cause":"AccessDenied: no permission for s3:PutObject on \"arn:aws:s3:::bodies/7d/abc\" because no"}`,
      'bodies',
    ],
    [
      "AWS's own words",
      '{"errorMessage":"User: u is not authorized to perform: sqs:sendmessage on resource: arn:aws:sqs:eu-west-1:1:q because no"}',
      'q',
    ],
  ])('%s names the resource that was refused', async (_, line, resource) => {
    expect(await denialsIn(of(line))).toMatchObject({ denials: [{ resource, times: 1 }] })
  })

  it('refusals of many objects of a bucket are told as one of the bucket', async () => {
    const line = (key: string) =>
      `{"lastError":"AccessDenied: no permission for s3:PutObject on bodies/14d/${key} because no"}`
    expect(await denialsIn(of(line('1'), line('2')))).toMatchObject({
      denials: [{ action: 's3:PutObject', resource: 'bodies', times: 2 }],
    })
  })

  it.each([
    ['dynamodb:PutItem', 'because no policy allows it'],
    ['kms:Decrypt', 'on the resource associated with this ciphertext because no policy allows it'],
    ['kms:GenerateDataKey', 'on this resource because no policy allows it'],
  ])('a refusal of %s that names no resource is told with its action alone', async (action, rest) => {
    const line = `{"cause":"AccessDeniedException: no permission for ${action} ${rest}"}`
    expect(await denialsIn(of(line))).toMatchObject({ denials: [{ action, resource: '' }] })
  })

  it('refusals are counted, and other lines are not', async () => {
    const denied = '"no permission for sqs:SendMessage on q"'
    expect(await denialsIn(of(denied, '{"outcome":"accepted"}', denied))).toEqual({
      denials: [{ action: 'sqs:SendMessage', resource: 'q', times: 2 }],
      lockedKeys: [],
    })
  })

  const KEY = 'arn:aws:kms:eu-west-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab'

  it('a key that the role may not use is named with its action', async () => {
    const line = `{"cause":"AccessDeniedException: no permission for kms:Decrypt on key/1234abcd because no"}`
    expect(await denialsIn(of(line))).toMatchObject({ denials: [{ action: 'kms:Decrypt', resource: 'key/1234abcd' }] })
    expect(grantedBy('worker', 'kms:Decrypt')?.file).toBe('lib/constructs/encryption.ts')
  })

  it.each(['disabled', 'pending deletion'])('a key that is %s is named with its state', async state => {
    const line = `{"cause":"KMS.DisabledException: ${KEY} is ${state}."}`
    expect(await denialsIn(of(line, line))).toEqual({ denials: [], lockedKeys: [{ key: KEY, state, times: 2 }] })
  })
})
