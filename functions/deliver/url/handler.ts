import { openSecrets } from '#every-call'
import { destinationSecret } from '../../adapters/destination-secret.ts'
import { targetOf } from '../../adapters/environment.ts'
import { httpsPost } from '../../adapters/https-post.ts'
import { systemClock } from '../../adapters/system.ts'
import { consume } from '../../consume/consume.ts'
import type { UrlTarget } from '../target.ts'
import { toUrl } from '../to-url.ts'

const target = targetOf<UrlTarget>()
const delivery = {
  now: systemClock,
  secret: destinationSecret({ secrets: openSecrets() }, target.secret, systemClock),
  post: (request: Parameters<typeof httpsPost>[0]) => httpsPost(request),
}

/** From the queue of a destination to an HTTPS service of the user's. */
export const handler = consume(toUrl(delivery, target))
