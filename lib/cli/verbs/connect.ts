import type { Source } from '../../../functions/domain/source.ts'
import { type Endpoint, endpointsAt, typesWanted } from '../../../functions/senders/endpoints.ts'
import type { Registration } from '../../../functions/senders/sender-api.ts'
import type { Sender } from '../../connect/open-sender.ts'
import { isRefusal, type Refusal, refuse } from '../../connect/refusal.ts'
import { jsonLines, type Terminal } from '../../terminal/terminal.ts'
import { readTypes } from '../flags.ts'
import { connectSource, type Registered, refuseFault } from '../steps/connect-source.ts'
import { findSender } from '../steps/find-sender.ts'
import { SENDER_FLAGS, SOURCE_FILE_FLAG, TARGET_FLAGS } from '../target-flags.ts'
import { verb } from '../verb.ts'

export const connect = verb({
  summary: 'Have a sender deliver to us: register our URL through its own API, and store the secret that comes back.',
  operands: ['<source>'],
  completes: ['sources'],
  flags: {
    types: {
      value: 'TYPES',
      help: 'The types to deliver, such as invoice.paid,charge.refunded (default: those of the routes, else all).',
    },
    status: { help: 'Say what the sender has on us, and change nothing.' },
    replace: { help: 'Make a new endpoint in place of the one that is there, whose secret nobody has.' },
    'dry-run': { help: 'Say what would be done.' },
    json: { help: 'Print what was found or done as JSON (below).' },
    url: {
      value: 'URL',
      help: 'The URL to register (default: the one of the deployment, or `publicUrl` of the source).',
    },
    ...SENDER_FLAGS,
    ...SOURCE_FILE_FLAG,
    ...TARGET_FLAGS,
  },
  teaches: [
    'Stripe, GitHub, GitLab, Shopify, Paddle, Square and PayPal can be asked through their API; for the others it says what to do by',
    'hand. Run twice, it changes nothing the second time. The secret is never shown. An endpoint that was disabled is enabled again.',
    'The API key is read from HOOKLATCH_API_KEY, or is the one of `npx hooklatch secrets set <source> --api-key`.',
    'Exit code 0 if it is connected, 1 if not; with --status, 1 also if the endpoint is disabled.',
    '',
    '--json: { "source", "url", "action": "created" | "updated" | "replaced" | "unchanged", "types", "secret": "stored" | "kept" |',
    '"missing" }; of --status: { "source", "url", "connected", "endpoints": [{ "id", "types", "enabled", "lastError" }] }.',
    '',
    '  npx hooklatch connect stripe --types invoice.paid --stack Hooklatch-production',
    '  npx hooklatch connect github --account acme/shop --types push,pull_request --stack Hooklatch-production',
    '  npx hooklatch connect stripe --status',
  ].join('\n'),
  async run({ flags, positionals: [name = ''] }, terminal) {
    const named = readTypes(flags.types)
    if (isRefusal(named)) return named
    const found = await findSender(name, flags)
    if (isRefusal(found)) return found
    const { source, sender, url } = found
    const json = flags.json === true
    if (sender === 'none') return byHand(source, url, json, terminal)
    if (flags.status) return status(source, sender, url, json, terminal)
    if (found.isUnreachable) {
      return refuse(
        `${source.provider.name} cannot reach ${url}: name a public URL with --url, or a stack with --stack.`,
        2,
      )
    }
    const types = named ?? typesWanted(sender.registration, source)
    const dryRun = flags['dry-run'] === true
    const done = await connectSource({ ...found, sender, types, replace: flags.replace === true, dryRun })
    if (isRefusal(done)) return done
    if (json) terminal.out(jsonLines({ source: name, url, ...done, ...(dryRun && { dryRun }) }))
    else terminal.out(sentenceOf(found, sender.registration, done, dryRun))
    return 0
  },
})

/** What people do at a sender that has no such API. */
const byHand = (source: Source, url: string, json: boolean, terminal: Terminal): number => {
  const { name, docs, secret } = source.provider
  if (json) terminal.out(jsonLines({ source: source.name, url, action: 'by-hand', docs }))
  else {
    terminal.out([
      `${name} has no API that we know how to use for this. By hand:`,
      `  1. Create a webhook at ${name} (${docs}) with this URL: ${url}`,
      `  2. Store its secret here: npx hooklatch secrets set ${source.name}${secret ? ` (${secret})` : ''}`,
      '  3. See whether it fits: npx hooklatch doctor',
    ])
  }
  return 0
}

const status = async (
  source: Source,
  sender: Sender,
  url: string,
  json: boolean,
  terminal: Terminal,
): Promise<number | Refusal> => {
  const found = await endpointsAt(sender.api, sender.registration, url)
  if (found.kind !== 'found') return refuseFault(found)
  const endpoints = found.endpoints.map(({ id, types, enabled, lastError }) => ({ id, types, enabled, lastError }))
  const connected = endpoints.length > 0
  if (json) terminal.out(jsonLines({ source: source.name, url, connected, endpoints }))
  else if (connected) terminal.out(found.endpoints.map(lineOf))
  else terminal.out(`${source.provider.name} has no endpoint with the URL ${url}.`)
  return connected && endpoints.every(({ enabled }) => enabled !== false) ? 0 : 1
}

const lineOf = ({ id, types, enabled, lastError }: Endpoint): string => {
  const state = enabled === null ? 'there' : enabled ? 'enabled' : 'DISABLED'
  return `${id} is ${state}, for ${types.join(', ')}${lastError === null ? '' : `; last answer: ${lastError}`}.`
}

const DONE = {
  created: 'has a new endpoint',
  updated: 'has its endpoint changed',
  replaced: 'has a new endpoint in place of the old one',
  unchanged: 'has this endpoint already',
} as const

const SECRET = {
  stored: 'Its secret is stored',
  kept: 'Its secret is the one that is set here',
  missing: 'Its secret has to be set by hand: npx hooklatch secrets set',
  config: 'Write this into the source in sources.ts, and deploy: config: ',
} as const

const sentenceOf = (
  { source: { name, provider }, url }: { readonly source: Source; readonly url: string },
  { secret: told }: Registration,
  { action, types, secret, config }: Registered,
  dryRun: boolean,
): string => {
  const isUnseen = secret === 'kept' && !(typeof told === 'object' && told?.listed)
  const missing =
    secret === 'missing' ? ` ${name}` : isUnseen ? `, as far as we know: ${provider.name} shows it to nobody` : ''
  const more = config === undefined ? missing : JSON.stringify(config)
  const what = `${provider.name} ${DONE[action]}: ${url}, for ${types.join(', ')}.`
  return dryRun ? `Nothing was done. It would be so: ${what}` : `${what} ${SECRET[secret]}${more}.`
}
