import type { Signer } from '../../functions/domain/coded.ts'
import { signedParameters, twilioHmac } from '../../functions/providers/check-twilio.ts'
import { signedUrl } from '../../functions/providers/signed-url.ts'

export const signTwilio = ({ source, key, delivery }: Signer): string => {
  const url = signedUrl(source, delivery)
  const parameters = signedParameters(url, delivery)
  if (parameters === undefined)
    throw new TypeError('the body is neither a form nor the one whose bodySHA256 the URL carries')
  return twilioHmac(key, url + parameters).toString('base64')
}
