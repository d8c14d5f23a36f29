import { type Credentials, signV4 } from '../../functions/domain/sigv4.ts'
import type { PublisherOptions } from './publisher.ts'

export interface SigV4Options {
  readonly region: string
  /** Asked for each try, since those of a role change. */
  readonly credentials: Credentials | (() => Promise<Credentials>)
  readonly now?: () => Date
}

/** Signs requests to an API Gateway with AWS credentials. */
export const sigV4 =
  ({ region, credentials, now = () => new Date() }: SigV4Options): PublisherOptions['sign'] =>
  async request =>
    signV4(request, {
      credentials: typeof credentials === 'function' ? await credentials() : credentials,
      region,
      service: 'execute-api',
      at: now(),
    })
