import { generateKeyPairSync, sign as signWith } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { KeyFetcher } from '../../../functions/domain/ports.ts'
import { localPrivateKey } from '../../../lib/sender/local-key-pair.ts'
import { makeCertificate } from '../../support/make-certificate.ts'
import catalogue from '../../vectors/catalogue.json' with { type: 'json' }
import { fetcher, judged, source } from './rig.ts'

describe('SNS', () => {
  const [vector] = catalogue.vectors.filter(({ id }) => id === 'aws-sns-docs-v2')
  const message = JSON.parse(vector?.body ?? '{}')
  const at = (region: string, partition = 'aws') => `arn:${partition}:sns:${region}:123456789012:MyTopic`
  const TOPICS = [at('us-west-2'), at('af-south-1'), at('us-gov-east-1', 'aws-us-gov'), at('cn-north-1', 'aws-cn')]
  const sns = source({ provider: 'aws-sns', config: { topics: TOPICS } })
  const URL = 'https://sns.us-west-2.amazonaws.com/SimpleNotificationService-test.pem'
  const rsa = localPrivateKey('rsa')
  const certificate = makeCertificate({ to: 'sns.amazonaws.com', key: rsa })
  const FIELDS = ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type']

  /** The documented example, signed by a key of ours. */
  const signed = (change: object = {}, key = rsa): Record<string, string> => {
    const fields = { ...message, SigningCertURL: URL, ...change }
    const text = FIELDS.map(name => `${name}\n${fields[name]}\n`).join('')
    return { ...fields, Signature: signWith('sha256', Buffer.from(text), key).toString('base64') }
  }
  const ask = (body: object, keys: KeyFetcher, of = sns, seconds = vector?.now ?? 0) =>
    judged(of, { body: JSON.stringify(body) }, [], seconds, keys)

  test('the certificate of SNS is downloaded from the host of its topic', async () => {
    const { keys, asked } = fetcher({ [URL]: certificate })
    expect(await ask(signed(), keys)).toBe('genuine')
    expect(asked).toEqual([URL])
  })

  test.each([
    ['us-west-2', 'aws', 'sns.us-west-2.amazonaws.com', 'sns.amazonaws.com'],
    ['af-south-1', 'aws', 'sns.af-south-1.amazonaws.com', 'sns-signing.af-south-1.amazonaws.com'],
    ['us-gov-east-1', 'aws-us-gov', 'sns.us-gov-east-1.amazonaws.com', 'sns-us-gov-west-1.amazonaws.com'],
    ['cn-north-1', 'aws-cn', 'sns.cn-north-1.amazonaws.com.cn', 'sns-cn-north-1.amazonaws.com.cn'],
  ])('the certificate of SNS in %s (%s) is at %s, and issued to %s', async (region, partition, host, to) => {
    const SigningCertURL = `https://${host}/SimpleNotificationService-test.pem`
    const body = signed({ TopicArn: at(region, partition), SigningCertURL })
    const answered = (text: string) => ask(body, fetcher({ [SigningCertURL]: text }).keys)
    expect(await answered(makeCertificate({ to, key: rsa }))).toBe('genuine')
    expect(await answered(makeCertificate({ to: 'other.example.com', alsoTo: [to], key: rsa }))).toBe('genuine')
    expect(await answered(makeCertificate({ to: `x.${to}`, key: rsa }))).toBe('signature-mismatch')
  })

  test.each([
    'https://sns.us-west-2.amazonaws.com.evil.com/x.pem',
    'https://evil.com/sns.us-west-2.amazonaws.com/x.pem',
    'https://sns.us-west-2.amazonaws.com@evil.com/x.pem',
    'http://sns.us-west-2.amazonaws.com/x.pem',
    'https://sns.us-west-2.amazonaws.com:8443/x.pem',
    'https://sns.us-west-2.amazonaws.com/x.pem?a=b',
    'https://sns.us-west-2.amazonaws.com/x.pem#y',
    'https://sns.us-west-2.amazonaws.com/../x.pem',
    'https://s3.us-west-2.amazonaws.com/x.pem',
    'https://sns.s3-us-west-2.amazonaws.com/x.pem',
    'https://sns.us-east-1.amazonaws.com/x.pem',
    'https://sns.us-west-2.amazonaws.com.cn/x.pem',
    'https://sns.us-west-2.amazonaws.com/x.txt',
    'https://169.254.169.254/x.pem',
    '',
  ])('a certificate of SNS is never downloaded from %s', async SigningCertURL => {
    const { keys, asked } = fetcher({ [SigningCertURL]: certificate })
    expect(await ask(signed({ SigningCertURL }), keys)).toBe('header-malformed')
    expect(asked).toEqual([])
  })

  test.each([
    ['of somebody else', { to: 'sns.evil.example', key: rsa }],
    ['of another region', { to: 'sns-signing.af-south-1.amazonaws.com', key: rsa }],
    ['whose other names do not have it', { to: 'sns.amazonaws.com', alsoTo: ['sns.evil.example'], key: rsa }],
    ['for every host', { to: '*.amazonaws.com', key: rsa }],
  ])('a certificate of SNS %s is not believed, though its key fits', async (_, issued) => {
    expect(await ask(signed(), fetcher({ [URL]: makeCertificate(issued) }).keys)).toBe('signature-mismatch')
  })

  test('a certificate of SNS with a key of 1024 bits is not believed', async () => {
    const { privateKey: key } = generateKeyPairSync('rsa', { modulusLength: 1024 })
    const { keys } = fetcher({ [URL]: makeCertificate({ to: 'sns.amazonaws.com', key }) })
    expect(await ask(signed({}, key), keys)).toBe('signature-mismatch')
  })

  test('a certificate that an operator pinned for SNS may be issued to anybody', async () => {
    const pinned = makeCertificate({ to: 'test.invalid', key: rsa })
    const { keys, asked } = fetcher({})
    const body = JSON.stringify(signed({ SigningCertURL: 'https://anywhere.example/x.pem' }))
    expect(await judged(sns, { body }, pinned, vector?.now ?? 0, keys)).toBe('genuine')
    expect(asked).toEqual([])
  })

  test('a message of SNS that needs no certificate to be refused is refused before one is downloaded', async () => {
    const { keys, asked } = fetcher({ [URL]: certificate })
    const other = source({ provider: 'aws-sns', config: { topics: ['arn:aws:sns:us-west-2:123456789012:Other'] } })
    expect(await ask(signed(), keys, other)).toBe('signature-mismatch')
    expect(await ask(signed(), keys, sns, (vector?.now ?? 0) + 3_700)).toBe('timestamp-stale')
    expect(await ask({ ...signed(), Signature: 'x' }, keys)).toBe('header-malformed')
    expect(asked).toEqual([])
  })

  test('each signed field of a message of SNS counts', async () => {
    const { keys } = fetcher({ [URL]: certificate })
    for (const name of ['Message', 'MessageId', 'Subject', 'Timestamp', 'Type']) {
      for (const value of ['changed', undefined, 7]) {
        expect(await ask({ ...signed(), [name]: value }, keys), name).not.toBe('genuine')
      }
    }
    expect(await ask({ ...signed(), SignatureVersion: '1' }, keys)).toBe('signature-mismatch')
    expect(await ask({ ...signed(), SignatureVersion: '3' }, keys)).toBe('header-malformed')
  })

  test('a certificate of SNS that is none, or is over, proves nothing', async () => {
    expect(await ask(signed(), fetcher({ [URL]: 'not a certificate' }).keys)).toBe('signature-mismatch')
    const later = { Timestamp: '2046-01-01T00:00:00.000Z' }
    const then = Date.parse(later.Timestamp) / 1000
    expect(await ask(signed(later), fetcher({ [URL]: certificate }).keys, sns, then)).toBe('signature-mismatch')
    expect(await ask(signed(), fetcher({}).keys)).toBe('key-source')
  })
})
