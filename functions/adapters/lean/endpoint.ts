import { type Environment, regionIn } from './environment.ts'

export type Service = 'dynamodb' | 'sqs' | 's3' | 'secretsmanager' | 'sts' | 'lambda' | 'events'

export interface Endpoint {
  readonly url: URL
  /** Of somebody's own: neither queue URLs nor bucket names resolve there. */
  readonly custom: boolean
}

/** Where a service answers: what the environment says, else AWS's own endpoint of the region. IPv4 only, as the SDK's default. */
export const endpointOf = (service: Service, env: Environment): Endpoint => {
  const custom = env[`AWS_ENDPOINT_URL_${VARIABLE[service]}`] || env.AWS_ENDPOINT_URL
  if (custom) return { url: new URL(custom), custom: true }
  const region = regionIn(env)
  const fips = env.AWS_USE_FIPS_ENDPOINT === 'true' && !isFipsAnyway(service, region) ? '-fips' : ''
  return { url: new URL(`https://${service}${fips}.${region}.${domainOf(region)}`), custom: false }
}

/** Of GovCloud, whose endpoints are no others for these. */
const isFipsAnyway = (service: Service, region: string): boolean =>
  region.startsWith('us-gov-') && ['dynamodb', 'sqs', 'sts', 'events'].includes(service)

const VARIABLE = {
  dynamodb: 'DYNAMODB',
  sqs: 'SQS',
  s3: 'S3',
  secretsmanager: 'SECRETS_MANAGER',
  sts: 'STS',
  lambda: 'LAMBDA',
  events: 'EVENTBRIDGE',
} as const satisfies Record<Service, string>

const DOMAINS = [
  ['cn-', 'amazonaws.com.cn'],
  ['eusc-', 'amazonaws.eu'],
  ['us-iso-', 'c2s.ic.gov'],
  ['us-isob-', 'sc2s.sgov.gov'],
  ['us-isof-', 'csp.hci.ic.gov'],
  ['eu-isoe-', 'cloud.adc-e.uk'],
] as const

const domainOf = (region: string): string =>
  DOMAINS.find(([prefix]) => region.startsWith(prefix))?.[1] ?? 'amazonaws.com'
