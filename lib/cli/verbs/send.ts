import { randomBytes } from 'node:crypto'
import { webhookPath } from '../../../functions/contract/routes.ts'
import { needsSecret } from '../../../functions/domain/scheme.ts'
import type { Source } from '../../../functions/domain/source.ts'
import { DEFAULT_SECRETS_FILE, DEFAULT_SOURCE_FILE } from '../../connect/default-files.ts'
import { readSecrets } from '../../connect/file-secrets.ts'
import { findSource } from '../../connect/find-source.ts'
import type { Instance } from '../../connect/instance.ts'
import { loadSources } from '../../connect/load-sources.ts'
import { isRefusal, type Refusal, refuse } from '../../connect/refusal.ts'
import { clockOf, runningInstance } from '../../connect/running-instance.ts'
import { sample } from '../../sender/sample.ts'
import { sign } from '../../sender/sign.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { allOf, readBytes, readNumber, readUrl } from '../flags.ts'
import { verb } from '../verb.ts'

export const send = verb({
  summary: 'Sign a sample as a provider would, and post it.',
  operands: ['<source>'],
  completes: ['sources'],
  flags: {
    type: { value: 'T', help: 'The event type (default: one that the provider sends).' },
    id: { value: 'ID', help: 'The event id (default: a new one).' },
    times: { value: 'N', help: 'How many times to deliver the event (default 1).' },
    concurrency: { value: 'C', help: 'How many deliveries at once (default 1).' },
    body: { value: 'FILE', help: 'Post the bytes of this file as they are: --id does not change an id inside.' },
    url: { value: 'URL', help: 'Post there instead of to the local instance.' },
  },
  teaches: [
    'Uses the sources and secrets of the local instance that runs in this directory. Each delivery gets a new signature,',
    'as a provider signs each of its tries. Exit code 1 if an answer is neither a 2xx nor a 409.',
    '',
    '  npx hooklatch send stripe',
    '  npx hooklatch send github --id 72d3162e --times 5 --concurrency 5',
  ].join('\n'),
  async run({ flags, positionals: [name = ''] }, terminal) {
    const asked = allOf(
      readNumber(flags.times, 'times', { min: 1, max: 100_000, otherwise: 1 }),
      readNumber(flags.concurrency, 'concurrency', { min: 1, max: 1_000, otherwise: 1 }),
      readBytes(flags.body),
      readUrl(flags.url),
    )
    if (isRefusal(asked)) return asked
    const [times, concurrency, body, url] = asked
    const running = runningInstance()
    if (url === undefined && isRefusal(running)) return running
    const instance = isRefusal(running) ? ELSEWHERE : running
    const sender = await senderOf(name, instance)
    if (isRefusal(sender)) return sender

    const now = clockOf(instance)
    const target = url ?? instance.url + webhookPath(name)
    const { source, secret } = sender
    const event = sample(source, {
      unique: randomBytes(8).toString('hex'),
      now: now(),
      ...(flags.id !== undefined && { id: flags.id }),
      ...(flags.type !== undefined && { type: flags.type }),
      ...(body !== undefined && { body }),
    })
    const deliver = (): Promise<Answer> => {
      const signed = sign(source, secret, { url: target, ...event, now: now() })
      return post(signed.url, signed.headers, signed.body)
    }
    return deliverAll(deliver, times, concurrency, terminal)
  },
})

type Target = Pick<Instance, 'url' | 'now' | 'sourceFile' | 'secretsFile'>

/** With --url, nothing has to run here. */
const ELSEWHERE: Target = { url: '', now: null, sourceFile: DEFAULT_SOURCE_FILE, secretsFile: DEFAULT_SECRETS_FILE }

const deliverAll = async (
  deliver: () => Promise<Answer>,
  times: number,
  concurrency: number,
  terminal: Terminal,
): Promise<number> => {
  let left = times
  let exitCode = 0
  const worker = async (): Promise<void> => {
    while (left > 0) {
      left -= 1
      const answer = await deliver()
      if (!answer.welcome) exitCode = 1
      if (answer.nobodyListens) left = 0
      terminal.out(`${terminal.style(answer.welcome ? 'green' : 'red', answer.status)}  ${answer.text}`)
    }
  }
  await Promise.all(Array.from({ length: Math.min(concurrency, times) }, worker))
  return exitCode
}

const senderOf = async (name: string, instance: Target): Promise<{ source: Source; secret: string } | Refusal> => {
  const sources = await loadSources(instance.sourceFile)
  if (isRefusal(sources)) return sources
  const source = findSource(sources, name)
  if (isRefusal(source)) return source
  if (source.publish) return refuse(`The source "${name}" is internal: use npx hooklatch publish ${name}.`, 2)
  const secret = readSecrets(instance.secretsFile)[name]?.[0]
  if (secret === undefined && needsSecret(source.scheme)) {
    return refuse(
      `The source "${name}" has no secret in ${instance.secretsFile}, so nothing can be signed. ${remedyFor(source)}`,
    )
  }
  return { source, secret: secret ?? '' }
}

/** A start makes up a secret for each source, unless its sender hands one over (lib/local/own-secrets.ts). */
const remedyFor = ({ name, provider }: Source): string => {
  const set = `\`npx hooklatch secrets set ${name}\``
  return provider.handshake?.offers
    ? `Its sender hands its secret over; to try it without the sender, set one: ${set}.`
    : `If the source is new, end \`npm start\` with Ctrl-C and start it again: that makes a secret. Else set one: ${set}.`
}

interface Answer {
  /** The number, or `none` when nobody answered. */
  readonly status: string
  readonly text: string
  /** A sender would be content: taken, or being taken by another delivery. */
  readonly welcome: boolean
  /** So another delivery would not get there either. */
  readonly nobodyListens?: boolean
}

const post = async (url: string, headers: Readonly<Record<string, string>>, body: Uint8Array): Promise<Answer> => {
  try {
    const answer = await fetch(url, { method: 'POST', headers, body: Buffer.from(body) })
    const text = await answer.text()
    return { status: String(answer.status), text, welcome: answer.ok || answer.status === 409 }
  } catch (error) {
    const cause = (error as { cause?: NodeJS.ErrnoException }).cause
    const nobodyListens = cause?.code === 'ECONNREFUSED'
    return { status: 'none', text: cause?.message || cause?.code || String(error), welcome: false, nobodyListens }
  }
}
