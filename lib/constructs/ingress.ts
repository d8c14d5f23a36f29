import type { IFunction } from 'aws-cdk-lib/aws-lambda'
import { RetentionDays } from 'aws-cdk-lib/aws-logs'
import { Construct } from 'constructs'
import { publishBatchPath, publishPath, webhookPath } from '../../functions/contract/routes.ts'
import { AccessLog } from './access-log.ts'
import type { Api, Front, FrontProps } from './front.ts'
import { httpFront } from './http-front.ts'
import type { Lifetime } from './lifetime.ts'
import type { WebhookReceiverProps } from './receiver-props.ts'
import { restFront } from './rest-front.ts'
import { urlFront } from './url-front.ts'

export interface IngressProps
  extends Pick<
    WebhookReceiverProps,
    'api' | 'domain' | 'disableExecuteApiEndpoint' | 'requestsPerSecond' | 'logRetention' | 'encryptionKey'
  > {
  readonly handler: IFunction
  /** Behind IAM, for your own services. @default - no source is internal */
  readonly publish?: IFunction | undefined
  readonly lifetime: Lifetime
  /** Those that senders post to. */
  readonly sources: readonly string[]
}

/** The public door, any method, since the functions themselves answer handshakes and 405. */
export class Ingress extends Construct {
  readonly front: Front

  constructor(scope: Construct, id: string, props: IngressProps) {
    super(scope, id)
    const rateLimit = props.requestsPerSecond ?? 1_000
    const logs = {
      retention: props.logRetention ?? RetentionDays.ONE_MONTH,
      removalPolicy: props.lifetime.removalPolicy,
      ...(props.encryptionKey && { encryptionKey: props.encryptionKey }),
    }
    this.front = FRONTS[props.api ?? 'http'](this, {
      handler: props.handler,
      domain: props.domain,
      publish: props.publish,
      sources: props.sources,
      disableExecuteApiEndpoint: props.disableExecuteApiEndpoint ?? false,
      accessLog: () => new AccessLog(this, 'AccessLog', logs),
      logs,
      rateLimit,
      burstLimit: 2 * rateLimit,
    })
  }

  urlOf(source: string): string {
    return this.front.urlOf(webhookPath(source))
  }

  publishUrlOf(source: string): string {
    return this.front.urlOf(publishPath(source))
  }

  publishArnsOf(source: string): string[] {
    return [publishPath(source), publishBatchPath(source)].map(path => this.front.arnOf(path))
  }
}

const FRONTS = { http: httpFront, rest: restFront, url: urlFront } satisfies Record<
  Api,
  (scope: Construct, props: FrontProps) => Front
>
