import { type Callers, proofRequest, signsTheCommand } from '../domain/caller-proof.ts'
import { unavailable } from '../domain/fault.ts'
import { endpointOf } from './lean/endpoint.ts'
import { type Environment, regionIn } from './lean/environment.ts'
import { exchange, type Incoming } from './lean/exchange.ts'
import { transportOf } from './lean/transport.ts'

const PATIENCE = { connect: 1_000, answer: 4_000 }

/** STS says who signed a proof. Where it is asked is ours to say: the caller gives a signature, and no address. */
export const stsCallers = (env: Environment): Callers => {
  const { url } = endpointOf('sts', env)
  const { Agent, request } = transportOf(url)
  const agent = new Agent({ keepAlive: true })

  return {
    async identify(proof, command, account) {
      if (!signsTheCommand(proof)) return { kind: 'refused', why: 'the proof of who you are is not for this command' }
      const { headers, ...asked } = proofRequest(command)
      const signed = {
        ...headers,
        host: stsHost(regionIn(env)),
        'content-length': String(asked.body.length),
        'x-amz-date': proof.date,
        ...(proof.token && { 'x-amz-security-token': proof.token }),
        authorization: proof.authorization,
      }
      try {
        return answerOf(await exchange({ ...asked, url, headers: signed, agent, request }, PATIENCE), account)
      } catch (error) {
        return unavailable(error)
      }
    },
  }
}

/** What proofs are signed for, wherever an emulator may be. */
export const stsHost = (region: string): string => endpointOf('sts', { AWS_REGION: region }).url.host

const answerOf = ({ status, body }: Incoming, account: string): Awaited<ReturnType<Callers['identify']>> => {
  const text = body.toString('utf8')
  if (status >= 500 || status === 429) return { kind: 'unavailable', cause: `STS answered ${status}` }
  const arn = /<Arn>([^<]+)<\/Arn>/.exec(text)?.[1]
  if (status !== 200 || arn === undefined) {
    const code = /<Code>(\w+)<\/Code>/.exec(text)?.[1] ?? status
    return { kind: 'refused', why: `AWS does not believe the proof of who you are (${code})` }
  }
  // Anybody can have a user of any name, in an account of their own.
  if (arn.split(':')[4] !== account) return { kind: 'refused', why: `${arn} is not of the account ${account}` }
  return { kind: 'known', arn }
}
