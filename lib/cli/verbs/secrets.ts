import { connectWithSources } from '../../connect/connect.ts'
import { isRefusal, type Refusal, refuse } from '../../connect/refusal.ts'
import { rotateTo, setTo } from '../../operator/change-secrets.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { leaveOut } from '../flags.ts'
import { printSecrets } from '../print/print-secrets.ts'
import { awaitHandshake } from '../steps/await-handshake.ts'
import { changeSecret, finishSecretRotation, type Given } from '../steps/change-secret.ts'
import { confirmHandedOver } from '../steps/confirm-handed-over.ts'
import { setApiKey } from '../steps/set-api-key.ts'
import { SOURCE_FILE_FLAG, TARGET_FLAGS } from '../target-flags.ts'
import { findAction, verb } from '../verb.ts'

type SecretAction = (given: Given, terminal: Terminal) => Promise<number | Refusal>

const ACTIONS = {
  set: (given, terminal) => (given.apiKey ? setApiKey(given, terminal) : changeSecret('set', setTo, given, terminal)),
  rotate: (given, terminal) => changeSecret('rotate', rotateTo, given, terminal),
  'finish-rotation': finishSecretRotation,
  list: printSecrets,
  await: awaitHandshake,
  confirm: confirmHandedOver,
} as const satisfies Record<string, SecretAction>

export const secrets = verb({
  summary: 'Set and rotate signing secrets, or list what is known of them: never a value.',
  operands: ['<action>', '[source]'],
  completes: [Object.keys(ACTIONS), 'sources'],
  flags: {
    json: { help: 'Print what was found or done as JSON.' },
    yes: { help: 'finish-rotation: even if the previous secret may still be in use. confirm: without asking.' },
    show: { help: 'confirm: print the secret, once, for a sender that wants it pasted back, such as Notion.' },
    fingerprint: { value: 'SHA256', help: 'confirm: which secret, if several were handed over.' },
    for: { value: 'TIME', help: 'await: how long to wait for the handshake, such as 10m (default) or 1h.' },
    'api-key': { help: 'set: the key for the sender\u2019s own API instead, for connect and reconcile.' },
    ...SOURCE_FILE_FLAG,
    ...TARGET_FLAGS,
  },
  teaches: [
    'set <source>              Set the one secret of a source, from standard input or typed without being shown.',
    'rotate <source>           Set a new current secret; the old one is still accepted as the previous one.',
    'finish-rotation <source>  Accept only the current secret from now on.',
    'list                      Show how many secrets each source has, whether they fit, and when they were last used.',
    'await <source>            Let a sender hand over its secret: Asana, Notion and Gusto do so in their handshake.',
    '                          Then create the webhook there. An existing secret is never replaced.',
    'confirm <source>          Use what was handed over. `list` shows its fingerprint, which begins its SHA-256.',
    '',
    'A value is checked against what the provider hands out, and never printed. To rotate without a gap: create a new secret at',
    'the sender, `rotate` to it here, and `finish-rotation` when `list` shows that the previous one is no longer used.',
    '',
    '  npx hooklatch secrets set stripe < stripe.secret',
    '  pbpaste | npx hooklatch secrets rotate github --stack Hooklatch-production',
    '  npx hooklatch secrets set stripe --api-key < stripe.key',
    '  npx hooklatch secrets list',
    '  npx hooklatch secrets await notion --for 1h',
    '  npx hooklatch secrets confirm notion --show',
  ].join('\n'),
  async run({ flags, positionals: [action = '', name] }, terminal) {
    const act = actionOf(action, name)
    if (isRefusal(act)) return act
    // Else it would be taken for a signing secret.
    const wrong = action === 'set' ? undefined : leaveOut(flags, ['api-key'], 'An API key is only ever set')
    if (wrong) return wrong
    const connected = await connectWithSources(flags)
    if (isRefusal(connected)) return connected
    const { connection, sources } = connected
    return act(
      {
        connection,
        sources,
        name: name ?? '',
        json: flags.json === true,
        yes: flags.yes === true,
        span: flags.for ?? '10m',
        fingerprint: flags.fingerprint,
        show: flags.show === true,
        apiKey: flags['api-key'] === true,
      },
      terminal,
    )
  },
})

const actionOf = (action: string, name: string | undefined): SecretAction | Refusal => {
  const known = findAction<SecretAction>(ACTIONS, action)
  if (isRefusal(known)) return known
  const ofSource = action !== 'list'
  if (ofSource === (name !== undefined)) return known
  return refuse(`Usage: npx hooklatch secrets ${action}${ofSource ? ' <source>' : ''}`, 2)
}
