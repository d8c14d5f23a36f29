import type { ICertificate } from 'aws-cdk-lib/aws-certificatemanager'
import type { Metric } from 'aws-cdk-lib/aws-cloudwatch'
import type { Grant, IGrantable } from 'aws-cdk-lib/aws-iam'
import type { IFunction } from 'aws-cdk-lib/aws-lambda'
import type { LogGroupProps } from 'aws-cdk-lib/aws-logs'
import type { AliasRecordTargetConfig } from 'aws-cdk-lib/aws-route53'
import type { AccessLog } from './access-log.ts'

/** What every kind of front is built from, and what they have in common once built. */
export interface FrontProps {
  readonly handler: IFunction
  readonly domain: Domain | undefined
  readonly publish: IFunction | undefined
  /** Each has a route of its own, and with it its own share of what is let through. */
  readonly sources: readonly string[]
  readonly disableExecuteApiEndpoint: boolean
  /** Made only if asked for. */
  readonly accessLog: () => AccessLog
  /** Of any other log that the front writes. */
  readonly logs: LogGroupProps
  /** Of each route. */
  readonly rateLimit: number
  readonly burstLimit: number
}

/**
 * `http` costs $1.00 per million requests, `rest` $3.50; `rest` takes a WAF, and emulators know it. `url` is a function URL, which
 * costs nothing, and has no throttle, no WAF and no domain.
 */
export type Api = 'http' | 'rest' | 'url'

export interface Front {
  urlOf(path: string): string
  /** What the DNS record of a domain of your own is an alias of. */
  readonly domain: AliasRecordTargetConfig | undefined
  /** To allow `execute-api:Invoke` on, for POST. */
  arnOf(path: string): string
  /** If IAM cannot tell one path from another: lets somebody publish to every source. */
  grantPublish?(grantee: IGrantable): Grant
  /** To associate a web ACL with, which AWS does for REST only. */
  readonly stageArn: string
  readonly requests: Metric
  readonly serverErrors: Metric
}

export interface Domain {
  /** Such as `hooks.example.com`. */
  readonly name: string
  /** For that name, in the region of the stack. */
  readonly certificate: ICertificate
}
