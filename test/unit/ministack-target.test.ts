import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { findMiniStack } from '../integration/targets/find-ministack.ts'
import { fitTemplate, type Template } from '../integration/targets/fit-template.ts'
import { MINISTACK_NAMES, startMiniStack } from '../integration/targets/start-ministack.ts'
import { makeCertificate } from '../support/make-certificate.ts'

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const open: ReturnType<typeof createServer>[] = []
afterEach(() => {
  for (const server of open.splice(0)) server.close()
})

/** As MiniStack tells of its health. */
const emulator = async (health: object, names: readonly string[] = MINISTACK_NAMES): Promise<NodeJS.ProcessEnv> => {
  const cert = makeCertificate({ to: 'an emulator', key: privateKey, alsoTo: names })
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' })
  const server = createServer({ cert, key }, (_, answer) => answer.end(JSON.stringify(health))).listen(0, '127.0.0.1')
  open.push(server)
  await once(server, 'listening')
  return { AWS_ENDPOINT_URL: `https://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

describe('the MiniStack of a run', () => {
  it('a MiniStack that runs with authorisation is used, with the certificate it shows', async () => {
    const env = await emulator({ auth: 'enabled', version: '9.9.9' })
    expect(await findMiniStack(env)).toMatchObject({
      endpoint: env.AWS_ENDPOINT_URL,
      version: '9.9.9',
      certificate: expect.stringMatching(/^-----BEGIN CERTIFICATE-----/),
      isOurs: false,
    })
  })

  it('a MiniStack that authorises nobody is refused, since it would prove nothing', async () => {
    await expect(findMiniStack(await emulator({ auth: 'disabled' }))).rejects.toThrow(/AUTH=true/)
  })

  it('a MiniStack whose certificate functions would not accept is refused, with the name that it lacks', async () => {
    const env = await emulator({ auth: 'enabled' }, ['127.0.0.1'])
    await expect(findMiniStack(env)).rejects.toThrow(/does not name sts\.us-east-1\.amazonaws\.com/)
  })

  it('a MiniStack without TLS is refused', async () => {
    await expect(findMiniStack({ AWS_ENDPOINT_URL: 'http://127.0.0.1:9' })).rejects.toThrow(/USE_SSL=1/)
  })

  it('a MiniStack that is named and does not answer is not replaced by another', async () => {
    await expect(findMiniStack({ AWS_ENDPOINT_URL: 'https://127.0.0.1:9' })).rejects.toThrow(/no MiniStack at/)
  })

  it('a MiniStack on another machine is not even asked', async () => {
    await expect(findMiniStack({ AWS_ENDPOINT_URL: 'https://192.0.2.1:4777' })).rejects.toThrow(/not on this machine/)
  })

  it('the error without Python says what starting a MiniStack needs', async () => {
    const nowhere = { PATH: '/nowhere', XDG_CACHE_HOME: '/dev/null/nowhere' }
    await expect(startMiniStack(nowhere, async () => undefined)).rejects.toThrow(/needs python3/)
  })
})

const ROLE = { Type: 'AWS::IAM::Role', Properties: { AssumeRolePolicyDocument: { Statement: [] } } }
const allow = (Resource: unknown) => ({
  Type: 'AWS::IAM::Policy',
  Properties: {
    PolicyDocument: { Statement: [{ Effect: 'Allow', Action: 'secretsmanager:GetSecretValue', Resource }] },
  },
})
const TEMPLATE: Template = {
  Resources: {
    Key: { Type: 'AWS::SecretsManager::Secret' },
    Table: { Type: 'AWS::DynamoDB::Table' },
    Role: ROLE,
    Policy: allow({ Ref: 'Key' }),
    Share: { Type: 'AWS::CloudWatch::Alarm', Properties: { Metrics: [] } },
    Failed: { Type: 'AWS::CloudWatch::Alarm', Properties: { MetricName: 'Failed' } },
    Empty: { Type: 'Custom::S3AutoDeleteObjects' },
    Logs: { Type: 'AWS::Logs::LogGroup' },
    Writes: allow({ 'Fn::GetAtt': ['Logs', 'Arn'] }),
    Read: { ...allow({ 'Fn::GetAtt': ['Logs', 'Arn'] }), Type: 'AWS::IAM::ManagedPolicy' },
  },
}

describe('the template for MiniStack', () => {
  const { template, changes } = fitTemplate(TEMPLATE)

  it('what MiniStack cannot make is left out of the template, and everything else stays', () => {
    expect(Object.keys(template.Resources)).toEqual([
      'Key',
      'Table',
      'Role',
      'Policy',
      'Failed',
      'Logs',
      'Writes',
      'Read',
    ])
  })

  it('a policy names the ARN of a secret in the one way that MiniStack knows, and a role stays as it is', () => {
    expect(template.Resources.Policy).toEqual(allow({ 'Fn::GetAtt': ['Key', 'Id'] }))
    expect(template.Resources.Role).toEqual(ROLE)
  })

  it('a policy for people names a log group without its last :*, and the policy of a role as it was', () => {
    const arn = { 'Fn::Select': [0, { 'Fn::Split': [':*', { 'Fn::GetAtt': ['Logs', 'Arn'] }] }] }
    expect(template.Resources.Read).toEqual({ ...allow(arn), Type: 'AWS::IAM::ManagedPolicy' })
    expect(template.Resources.Writes).toEqual(allow({ 'Fn::GetAtt': ['Logs', 'Arn'] }))
  })

  it('every resource that was changed for MiniStack is listed', () => {
    expect(changes.map(({ resources }) => resources)).toEqual([['Share'], ['Empty'], ['Policy'], ['Read']])
  })
})
