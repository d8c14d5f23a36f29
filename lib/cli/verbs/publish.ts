import { readFileSync } from 'node:fs'
import type { Credentials } from '../../../functions/adapters/lean/credentials.ts'
import { publishPath } from '../../../functions/contract/routes.ts'
import { readIdempotencyKey, writeIdempotencyKey } from '../../../functions/domain/idempotency-key.ts'
import { type Answer, publisher } from '../../client/publisher.ts'
import { sigV4 } from '../../client/sig-v4.ts'
import { findSource } from '../../connect/find-source.ts'
import { loadSources } from '../../connect/load-sources.ts'
import { isRefusal, type Refusal, refuse } from '../../connect/refusal.ts'
import { runningInstance } from '../../connect/running-instance.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { allOf, readUrl } from '../flags.ts'
import { verb } from '../verb.ts'

export const publish = verb({
  summary: 'Publish an event to an internal source, under an Idempotency-Key.',
  operands: ['<source>'],
  flags: {
    key: { value: 'K', help: 'The Idempotency-Key (default: a new one). The same key is the same event.' },
    data: { value: 'JSON', help: 'The event: JSON, @FILE, or - for standard input (default: an example).' },
    url: { value: 'URL', help: 'Publish there, signed with your AWS credentials, instead of to the local instance.' },
    region: { value: 'REGION', help: 'The region to sign for (default: the one in the URL, else AWS_REGION).' },
    as: { value: 'CALLER', help: 'On the local instance: the caller to act as (default: hooklatch).' },
    json: { help: 'Print the answer as one line of JSON.' },
  },
  teaches: [
    'Tries again if nobody answers or the answer is 409, 429 or 5xx, always with the same key. Exit code 0 if the event was',
    'accepted, now or earlier; else 1.',
    '',
    `  npx hooklatch publish orders --data '{"orderId":"o-1","type":"order.created"}'`,
    '  npx hooklatch publish orders --key o-1-created --data @order.json',
    '  npx hooklatch publish orders --url https://abc.execute-api.eu-central-1.amazonaws.com/publish/orders --data -',
  ].join('\n'),
  async run({ flags, positionals: [source = ''] }, terminal) {
    const asked = allOf(readKey(flags.key), readData(flags.data), readUrl(flags.url))
    if (isRefusal(asked)) return asked
    const [key, data, url] = asked
    const target = url === undefined ? await localTarget(source, flags.as) : awsTarget(url, flags.region)
    if (isRefusal(target)) return target
    const answer = await publisher(target).publish(data, key)
    show(answer, flags.json === true, terminal)
    return answer.status >= 200 && answer.status < 300 ? 0 : 1
  },
})

type Target = Pick<Parameters<typeof publisher>[0], 'url' | 'sign'>

/** Nobody checks the signature there: the access key id is whom the event is from. */
const localTarget = async (name: string, caller = 'hooklatch'): Promise<Target | Refusal> => {
  if (!/^[\w.-]{1,128}$/.test(caller)) {
    return refuse(`--as ${caller} is not a caller: expected up to 128 letters, digits, dots and hyphens.`, 2)
  }
  const instance = runningInstance()
  if (isRefusal(instance)) return instance
  const sources = await loadSources(instance.sourceFile)
  if (isRefusal(sources)) return sources
  const source = findSource(sources, name)
  if (isRefusal(source)) return source
  if (!source.publish) return refuse(`The source "${name}" is not internal: use npx hooklatch send ${name}.`, 2)
  const credentials = { accessKeyId: caller, secretAccessKey: 'local' }
  return { url: instance.url + publishPath(name), sign: sigV4({ region: 'us-east-1', credentials }) }
}

const awsTarget = (url: string, given: string | undefined): Target | Refusal => {
  const region = given ?? REGION.exec(new URL(url).hostname)?.[1] ?? process.env.AWS_REGION
  if (region === undefined) {
    return refuse(`--url ${url} does not name a region: add --region, such as --region eu-central-1.`, 2)
  }
  return { url, sign: sigV4({ region, credentials: operatorCredentials }) }
}

const REGION = /\.(?:execute-api|lambda-url)\.([a-z0-9-]+)\.(?:amazonaws\.com|on\.aws)/

/** Wherever the AWS SDK finds them: variables, a profile, single sign-on, a role. */
const operatorCredentials = async (): Promise<Credentials> => {
  const { STSClient } = await import('@aws-sdk/client-sts')
  return new STSClient({ region: 'us-east-1' }).config.credentials()
}

const show = ({ key, status, body, replayed, tries }: Answer, asJson: boolean, terminal: Terminal): void => {
  if (asJson) {
    terminal.out(JSON.stringify({ key, status, replayed, tries, body: parsed(body) }))
    return
  }
  const good = status >= 200 && status < 300
  const word = status === 0 ? 'none' : String(status)
  terminal.out(`${terminal.style(good ? 'green' : 'red', word)}  ${body}${replayed ? '  (replayed)' : ''}`)
  terminal.out(terminal.style('dim', `key ${key}${tries > 1 ? `, ${tries} tries` : ''}`))
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

const readKey = (key: string | undefined): string | undefined | Refusal => {
  if (key === undefined) return undefined
  const read = readIdempotencyKey([writeIdempotencyKey(key)])
  return read.kind === 'malformed' ? refuse(`--key cannot be used: ${read.why}.`, 2) : key
}

const EXAMPLE = '{"orderId":"o-1001","type":"order.created"}'

/** The text as it is: what is signed and hashed are its bytes. */
const readData = (given: string | undefined): string | Refusal => {
  if (given === undefined) return EXAMPLE
  try {
    const text =
      given === '-' || given.startsWith('@') ? readFileSync(given === '-' ? 0 : given.slice(1), 'utf8') : given
    JSON.parse(text)
    return text
  } catch (error) {
    const why = error instanceof SyntaxError ? 'it is not JSON' : (error as Error).message
    return refuse(`--data ${given.slice(0, 60)} cannot be used: ${why}. Expected JSON, @FILE or -.`, 2)
  }
}
