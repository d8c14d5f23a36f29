import { createHash, createHmac } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SignatureV4 } from '@smithy/signature-v4'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { stsCallers } from '../../../functions/adapters/sts-callers.ts'
import type { Callers } from '../../../functions/domain/caller-proof.ts'
import { proveCaller } from '../../../lib/connect/prove-caller.ts'

const ADA = { accessKeyId: 'AKIAADA', secretAccessKey: 'adas-secret' }
const ROLE = { accessKeyId: 'ASIAROLE', secretAccessKey: 'roles-secret', sessionToken: 'roles-token' }
const ARNS: Readonly<Record<string, string>> = {
  AKIAADA: 'arn:aws:iam::123456789012:user/ada',
  ASIAROLE: 'arn:aws:sts::123456789012:assumed-role/operator/grace',
}
const REGION = 'eu-west-1'
const NOW = Date.parse('2026-11-16T12:00:00Z')
const COMMAND = '{"act":"replay"}'

/** What the SDK hashes with. */
class Sha256 {
  readonly #hash
  constructor(key?: unknown) {
    this.#hash = key === undefined ? createHash('sha256') : createHmac('sha256', key as Uint8Array)
  }
  update(data: string | Uint8Array): void {
    this.#hash.update(data)
  }
  async digest(): Promise<Uint8Array> {
    return this.#hash.digest()
  }
}

/** As STS: it signs the request again with the secret of the key, by the SDK's own signer, and says whose it is. */
const sts = createServer((request, response) => {
  void judge(request).then(({ status, text }) => response.writeHead(status, { 'content-type': 'text/xml' }).end(text))
})
const calls: string[] = []
let broken = 0
let callers: Callers

const judge = async (request: IncomingMessage): Promise<{ status: number; text: string }> => {
  let body = ''
  for await (const chunk of request.setEncoding('utf8')) body += chunk
  calls.push(body)
  if (broken > 0) return { status: broken, text: '' }
  const given = request.headers as Record<string, string>
  const [, key = '', names = ''] = /Credential=([^/]+)\/.*SignedHeaders=([^,]+),/.exec(given.authorization ?? '') ?? []
  const credentials = [ADA, ROLE].find(({ accessKeyId }) => accessKeyId === key)
  if (!credentials) return { status: 403, text: '<Error><Code>InvalidClientTokenId</Code></Error>' }
  const signer = new SignatureV4({ service: 'sts', region: REGION, credentials, sha256: Sha256, applyChecksum: false })
  const headers = Object.fromEntries(names.split(';').map(name => [name, given[name] ?? '']))
  const signed = await signer.sign(
    { method: 'POST', protocol: 'https:', hostname: given.host ?? '', path: '/', query: {}, headers, body },
    { signingDate: new Date(NOW) },
  )
  return signed.headers.authorization === given.authorization
    ? { status: 200, text: `<R><Arn>${ARNS[key]}</Arn></R>` }
    : { status: 403, text: '<Error><Code>SignatureDoesNotMatch</Code></Error>' }
}

beforeAll(async () => {
  await new Promise<void>(resolve => sts.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(sts.address() as AddressInfo).port}`
  callers = stsCallers({ AWS_REGION: REGION, AWS_ENDPOINT_URL_STS: url })
})
beforeEach(() => {
  calls.length = 0
  broken = 0
})
afterAll(() => sts.closeAllConnections())

const ACCOUNT = '123456789012'

describe('who an operator is', () => {
  it.each([
    ['a user', ADA],
    ['a session of a role', ROLE],
  ])('%s is known by the ARN that STS tells, and by nothing of their own choice', async (_, credentials) => {
    const proof = proveCaller(COMMAND, REGION, credentials, NOW)
    expect(await callers.identify(proof, COMMAND, ACCOUNT)).toEqual({
      kind: 'known',
      arn: ARNS[credentials.accessKeyId],
    })
    expect(calls).toEqual(['Action=GetCallerIdentity&Version=2011-06-15'])
  })

  it.each([
    ['made for another command', proveCaller('{"act":"accept"}', REGION, ADA, NOW), 'SignatureDoesNotMatch'],
    ['made for another region', proveCaller(COMMAND, 'us-east-1', ADA, NOW), 'SignatureDoesNotMatch'],
    [
      'signed with a wrong secret',
      proveCaller(COMMAND, REGION, { ...ADA, secretAccessKey: 'x' }, NOW),
      'SignatureDoesNotMatch',
    ],
    [
      'of a key that AWS does not know',
      proveCaller(COMMAND, REGION, { ...ADA, accessKeyId: 'AKIAEVE' }, NOW),
      'InvalidClientTokenId',
    ],
  ])('a proof that was %s names nobody', async (_, proof, code) => {
    expect(await callers.identify(proof, COMMAND, ACCOUNT)).toEqual({
      kind: 'refused',
      why: `AWS does not believe the proof of who you are (${code})`,
    })
  })

  it('a signature that does not cover the command is refused before STS is asked', async () => {
    const proof = proveCaller(COMMAND, REGION, ADA, NOW)
    const loose = { ...proof, authorization: proof.authorization.replace(';x-hooklatch-command', '') }
    const names = /SignedHeaders=[^,]+/.exec(proof.authorization)?.[0]
    const twice = { ...proof, authorization: proof.authorization.replace(', Sig', `, ${names}, Sig`) }
    const both = { ...proof, authorization: proof.authorization.replace(', ', ', SignedHeaders=host;x-amz-date, ') }
    for (const each of [loose, twice, both]) {
      expect((await callers.identify(each, COMMAND, ACCOUNT)).kind).toBe('refused')
    }
    expect(calls).toEqual([])
  })

  it('somebody of another account is refused, whatever their name', async () => {
    const proof = proveCaller(COMMAND, REGION, ADA, NOW)
    expect(await callers.identify(proof, COMMAND, '999999999999')).toEqual({
      kind: 'refused',
      why: 'arn:aws:iam::123456789012:user/ada is not of the account 999999999999',
    })
  })

  it.each([500, 503, 429])('while STS answers %d, nobody is known and nobody is refused', async status => {
    broken = status
    const proof = proveCaller(COMMAND, REGION, ADA, NOW)
    expect((await callers.identify(proof, COMMAND, ACCOUNT)).kind).toBe('unavailable')
  })
})
