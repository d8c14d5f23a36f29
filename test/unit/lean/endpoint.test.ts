import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { S3Client } from '@aws-sdk/client-s3'
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { SQSClient } from '@aws-sdk/client-sqs'
import { STSClient } from '@aws-sdk/client-sts'
import { describe, expect, it } from 'vitest'
import { endpointOf, type Service } from '../../../functions/adapters/lean/endpoint.ts'

const urlOf = (service: Service, env: Record<string, string>): string => endpointOf(service, env).url.href

describe('where a service answers', () => {
  it.each([
    ['dynamodb', 'us-east-1', 'https://dynamodb.us-east-1.amazonaws.com/'],
    ['sqs', 'us-gov-west-1', 'https://sqs.us-gov-west-1.amazonaws.com/'],
    ['s3', 'cn-north-1', 'https://s3.cn-north-1.amazonaws.com.cn/'],
    ['secretsmanager', 'eusc-de-east-1', 'https://secretsmanager.eusc-de-east-1.amazonaws.eu/'],
  ] as const)('the endpoint of %s in %s is %s', (service, AWS_REGION, expected) => {
    expect(urlOf(service, { AWS_REGION })).toBe(expected)
    expect(endpointOf(service, { AWS_REGION }).custom).toBe(false)
  })

  it('an endpoint is a FIPS endpoint if the environment asks for one', () => {
    const env = { AWS_REGION: 'us-east-1', AWS_USE_FIPS_ENDPOINT: 'true' }
    expect(urlOf('dynamodb', env)).toBe('https://dynamodb-fips.us-east-1.amazonaws.com/')
  })

  const sdk = {
    dynamodb: new DynamoDBClient().config.endpointProvider,
    sqs: new SQSClient().config.endpointProvider,
    s3: new S3Client().config.endpointProvider,
    secretsmanager: new SecretsManagerClient().config.endpointProvider,
    sts: new STSClient().config.endpointProvider,
  } satisfies Partial<Record<Service, unknown>>
  const regions = ['eu-central-1', 'cn-north-1', 'us-gov-west-1', 'us-gov-east-1', 'eusc-de-east-1']
  const isolated = ['us-iso-east-1', 'us-isob-east-1', 'us-isof-south-1', 'eu-isoe-west-1']

  it.each([...regions, ...isolated])('every endpoint in %s is the one that the SDK asks', Region => {
    for (const [service, endpoint] of Object.entries(sdk)) {
      // S3 in China has none for FIPS.
      for (const UseFIPS of Region.startsWith('cn-') ? [false] : [false, true]) {
        const env = { AWS_REGION: Region, ...(UseFIPS && { AWS_USE_FIPS_ENDPOINT: 'true' }) }
        expect(urlOf(service as Service, env)).toBe(endpoint({ Region, UseFIPS }).url.href)
      }
    }
  })

  it('an endpoint is what AWS_ENDPOINT_URL says, unless the service has a variable of its own', () => {
    const env = { AWS_ENDPOINT_URL: 'http://localhost:4566', AWS_ENDPOINT_URL_SECRETS_MANAGER: 'http://localhost:1' }
    expect(endpointOf('sqs', env)).toMatchObject({ custom: true })
    expect(urlOf('sqs', env)).toBe('http://localhost:4566/')
    expect(urlOf('secretsmanager', env)).toBe('http://localhost:1/')
  })

  it('an endpoint without a region is an error that names AWS_REGION', () => {
    expect(() => endpointOf('sqs', {})).toThrow('AWS_REGION is not set')
  })
})
