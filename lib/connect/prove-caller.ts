import type { Credentials } from '../../functions/adapters/lean/credentials.ts'
import { sign } from '../../functions/adapters/lean/sign.ts'
import { stsHost } from '../../functions/adapters/sts-callers.ts'
import { type CallerProof, proofRequest } from '../../functions/domain/caller-proof.ts'

/** Proves who wants a command, to whoever can ask STS; it is worth nothing for another command, and after some minutes for none. */
export const proveCaller = (command: string, region: string, credentials: Credentials, now: number): CallerProof => {
  const unsigned = { ...proofRequest(command), host: stsHost(region) }
  const headers = sign(unsigned, { service: 'sts', region }, credentials, now)
  return {
    authorization: headers.authorization ?? '',
    date: headers['x-amz-date'] ?? '',
    ...(credentials.sessionToken && { token: credentials.sessionToken }),
  }
}
