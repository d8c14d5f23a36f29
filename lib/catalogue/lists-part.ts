import type { Provider } from '../../functions/domain/provider.ts'
import { apisOf } from '../../functions/senders/find-api.ts'
import type { SenderApi } from '../../functions/senders/sender-api.ts'
import { inWords } from './span-words.ts'

/** The part of docs/reconcile.md that says for each provider what its own API can do. */
export const listsPart = (providers: Readonly<Record<string, Provider>>): string => {
  const all = Object.values(providers).sort((left, right) => (left.id < right.id ? -1 : 1))
  const listing = all.filter(({ id }) => apisOf(id).some(({ ledger }) => ledger))
  return [
    `${listing.length} of the ${all.length} providers have a list that \`reconcile\` reads:`,
    '',
    '| provider | goes back | what is missing | `account` | the key needs |',
    '| --- | --- | --- | --- | --- |',
    ...listing.flatMap(provider => apisOf(provider.id).flatMap(api => (api.ledger ? [listRow(provider, api)] : []))),
    '',
    'What such a copy may lack beside the webhook, and what is not certain:',
    '',
    ...listing.flatMap(provider =>
      [...new Set(apisOf(provider.id).flatMap(caveats))].map(text => `- ${provider.name}: ${text}`),
    ),
    '',
    'Where these facts are from:',
    '',
    ...all.flatMap(({ id, name }) =>
      [...new Set(apisOf(id).flatMap(({ docs }) => docs))].map(url => `- ${name}: <${url}>`),
    ),
    '',
    'The others have no list that `reconcile` reads. What to do instead:',
    '',
    '| provider | what to do if events are missing |',
    '| --- | --- |',
    ...all
      .filter(provider => !listing.includes(provider))
      .map(provider => `| ${provider.name} | ${insteadOf(provider)} |`),
  ].join('\n')
}

const listRow = ({ name }: Provider, { ledger, account, rights }: SenderApi): string =>
  `| ${[
    name,
    inWords(ledger?.back ?? ''),
    ledger?.redeliver ? 'is delivered again by the sender' : 'is taken from the list',
    account ? `${account.says}: \`${account.example}\`` : '-',
    rights.list ?? '-',
  ].join(' | ')} |`

const caveats = ({ ledger, uncertain = [] }: SenderApi): readonly string[] => [
  ...(ledger ? [ledger.lacks] : []),
  ...uncertain.map(text => `not certain: ${text}`),
]

/** By how the sender retries: that is what decides how much can be lost. */
const insteadOf = ({ missed = ASK, retry: { windowSeconds } }: Provider): string => {
  if (windowSeconds === 0) return `It never retries. ${missed}`
  if (windowSeconds === null) return `Whether it retries is not known. ${missed}`
  return `It retries for ${inWords(`${windowSeconds}s`)}. ${missed}`
}

const ASK =
  'What it does not send again: ask its API for the objects that changed since, or look for a button in its dashboard.'
