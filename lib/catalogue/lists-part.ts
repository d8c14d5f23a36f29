import type { Provider } from '../../functions/domain/provider.ts'
import { apisOf } from '../../functions/senders/find-api.ts'
import type { SenderApi } from '../../functions/senders/sender-api.ts'
import { inWords } from './span-words.ts'

/** The part of docs/reconcile.md that says for each provider what its own API can do. */
export const listsPart = (providers: Readonly<Record<string, Provider>>): string => {
  const all = Object.values(providers).sort((left, right) => (left.id < right.id ? -1 : 1))
  const listing = all.filter(({ id }) => apisOf(id).some(({ ledger }) => ledger))
  const others = all.filter(provider => !listing.includes(provider))
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
    'The others have no list that `reconcile` reads. What they do not send again, they may still have: ask their API for the objects that changed since, or look',
    'for a button in their dashboard. Of some we know more:',
    '',
    '| provider | what to do if events are missing |',
    '| --- | --- |',
    ...others.flatMap(({ name, missed }) => (missed === undefined ? [] : [`| ${name} | ${missed} |`])),
    '',
    'How long they retry says how much can be lost:',
    '',
    '| retries | providers |',
    '| --- | --- |',
    ...[...Map.groupBy(others.toSorted(byRetries), retries)].map(
      ([words, group]) => `| ${words} | ${group.map(({ name }) => name).join(', ')} |`,
    ),
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

const byRetries = ({ retry: left }: Provider, { retry: right }: Provider): number =>
  (left.windowSeconds ?? -1) - (right.windowSeconds ?? -1)

const retries = ({ retry: { windowSeconds } }: Provider): string => {
  if (windowSeconds === null) return 'not known'
  return windowSeconds === 0 ? 'never' : `for ${inWords(`${windowSeconds}s`)}`
}
