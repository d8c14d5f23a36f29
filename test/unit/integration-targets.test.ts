import { describe, expect, it } from 'vitest'
import { known } from '../integration/targets/cdk.ts'
import { awsConsent, requireAccount } from '../integration/targets/consent.ts'
import { findLocalStack } from '../integration/targets/find-localstack.ts'
import { requireLoopback } from '../integration/targets/loopback.ts'

const GIVEN = { IT_AWS_CONSENT: '123456789012', IT_AWS_PREFIX: 'hooklatch-it', AWS_REGION: 'eu-central-1' }

describe('the suite on AWS', () => {
  it('the suite on AWS runs in the account, the region and under the prefix that were named', () => {
    expect(awsConsent(GIVEN)).toEqual({ account: '123456789012', prefix: 'hooklatch-it', region: 'eu-central-1' })
  })

  it.each([
    ['no consent', { IT_AWS_CONSENT: undefined }, /IT_AWS_CONSENT/],
    ['a consent that names no account', { IT_AWS_CONSENT: 'yes' }, /12 digits/],
    ['no prefix', { IT_AWS_PREFIX: '' }, /IT_AWS_PREFIX/],
    ['a prefix that no stack may have', { IT_AWS_PREFIX: '1 of mine' }, /begin with/],
    ['no region', { AWS_REGION: undefined }, /AWS_REGION/],
    ['an endpoint that is not AWS', { AWS_ENDPOINT_URL_S3: 'http://127.0.0.1:4566' }, /AWS_ENDPOINT_URL_S3 must not/],
  ])('the suite on AWS is refused with %s', (_name, env, sentence) => {
    expect(() => awsConsent({ ...GIVEN, ...env })).toThrow(sentence)
  })

  it('the suite on AWS says everything that is missing at once', () => {
    expect(() => awsConsent({})).toThrow(/IT_AWS_CONSENT.*IT_AWS_PREFIX.*AWS_REGION/s)
  })

  it.each(['999999999999', undefined])('the suite on AWS is refused if the credentials are of %s', actual => {
    expect(() => requireAccount(awsConsent(GIVEN), actual)).toThrow(/names account 123456789012/)
  })
})

describe('the suite anywhere else', () => {
  it.each(['http://localhost:4566', 'http://127.0.0.1:4566', 'http://127.8.9.1:1', 'http://[::1]:4566'])(
    'the suite anywhere else takes the endpoint %s',
    endpoint => expect(requireLoopback(endpoint).href).toContain(endpoint),
  )

  it.each([
    'https://dynamodb.eu-central-1.amazonaws.com',
    'http://10.0.0.7:4566',
    'http://localhost.example.com:4566',
    'http://127.0.0.1.example.com',
    'http://localhost@example.com',
    'http://0.0.0.0:4566',
    'localhost:4566',
    '',
  ])('the suite anywhere else refuses the endpoint %s', endpoint =>
    expect(() => requireLoopback(endpoint)).toThrow(/not on this machine/),
  )

  it('a LocalStack on another machine is not even asked', async () => {
    await expect(findLocalStack({ AWS_ENDPOINT_URL: 'http://192.0.2.1:4566' })).rejects.toThrow(/not on this machine/)
  })

  it('the error without LocalStack and Docker says how to get one', async () => {
    const nowhere = { AWS_ENDPOINT_URL: 'http://127.0.0.1:9', PATH: '/nowhere' }
    await expect(findLocalStack(nowhere)).rejects.toThrow(/docker run .*localstack\/localstack:4\.14\.0/)
  })
})

describe('the outputs of a deployment', () => {
  it('outputs of a deployment that name nothing are refused by name', () => {
    const stacks = { 'it-rest': { QueueUrl: 'http://q', UrlStripe: 'https://unknown.execute-api/x', Empty: '' } }
    expect(() => known(stacks)).toThrow(/it-rest\.UrlStripe.*it-rest\.Empty/)
  })
})
