import { endpointsAt } from '../../../functions/senders/endpoints.ts'
import { isRefusal, refuse } from '../../connect/refusal.ts'
import { confirm } from '../../terminal/confirm.ts'
import { jsonLines } from '../../terminal/terminal.ts'
import { refuseFault, removeAll } from '../steps/connect-source.ts'
import { findSender } from '../steps/find-sender.ts'
import { SENDER_FLAGS, SOURCE_FILE_FLAG, TARGET_FLAGS } from '../target-flags.ts'
import { verb } from '../verb.ts'

export const disconnect = verb({
  summary: 'Take our endpoint away from a sender, through its own API.',
  operands: ['<source>'],
  completes: ['sources'],
  flags: {
    yes: { help: 'Do not ask. Required if there is no terminal.' },
    json: { help: 'Print { "source", "url", "removed" }.' },
    url: {
      value: 'URL',
      help: 'The URL that is registered (default: the one of the deployment, or `publicUrl` of the source).',
    },
    ...SENDER_FLAGS,
    ...SOURCE_FILE_FLAG,
    ...TARGET_FLAGS,
  },
  teaches: [
    'Removes every endpoint of the sender that has our URL, and no other. What was sent before still arrives: the secret stays.',
    '',
    '  npx hooklatch disconnect stripe --stack Hooklatch-staging',
  ].join('\n'),
  async run({ flags, positionals: [name = ''] }, terminal) {
    const found = await findSender(name, flags)
    if (isRefusal(found)) return found
    const { source, sender, url } = found
    const { name: there } = source.provider
    if (sender === 'none') {
      return refuse(`${there} has no API that we know how to use for this: remove the webhook there by hand.`)
    }
    const ours = await endpointsAt(sender.api, sender.registration, url)
    if (ours.kind !== 'found') return refuseFault(ours)
    const removed = ours.endpoints.length
    const asks = removed > 0 && !flags.yes
    const refused = asks ? await confirm(`Remove the endpoint with the URL ${url} at ${there}? [y/N]`, 'y') : undefined
    const failed = refused ?? (await removeAll({ sender }, ours.endpoints))
    if (failed) return failed
    if (flags.json) terminal.out(jsonLines({ source: name, url, removed }))
    else
      terminal.out(
        removed === 0
          ? `${there} has no endpoint with the URL ${url}.`
          : `${there} does not deliver to ${url} any more.`,
      )
    return 0
  },
})
