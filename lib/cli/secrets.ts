import { GetSecretValueCommand, PutSecretValueCommand } from '@aws-sdk/client-secrets-manager'
import { secretsClient } from '../../functions/adapters/clients.ts'
import { systemClock } from '../../functions/adapters/system.ts'
import type { Millis } from '../../functions/domain/brands.ts'
import { durationSeconds, isDuration } from '../../functions/domain/duration.ts'
import { readSecrets, type SecretsBySource, writeSecrets } from '../local/file-secrets.ts'
import { isRefusal, type Refusal, refuse } from '../local/refusal.ts'
import { awaitSecret } from '../operator/await-secret.ts'
import { clockOf, runningInstance } from './running-instance.ts'
import { verb } from './verb.ts'

export const secrets = verb({
  summary: 'Let a sender hand its signing secret over: Asana, Notion and Gusto do so in their handshake.',
  operands: ['<await>', '<source>'],
  flags: {
    for: { value: 'TIME', help: 'How long the door stays open, such as 10m (default) or 1h.' },
    'secret-id': {
      value: 'ARN',
      help: 'The secret named by the stack\u2019s output SigningSecrets (default: the local instance).',
    },
  },
  teaches: [
    'Then create the webhook at the sender. The first secret it hands over is stored, and the door closes. A secret that is',
    'there already is never replaced.',
    '',
    '  npx hooklatch secrets await asana',
    '  npx hooklatch secrets await notion --for 1h --secret-id arn:aws:secretsmanager:...',
  ].join('\n'),
  async run({ flags, positionals: [action, source = ''] }, terminal) {
    if (action !== 'await')
      return refuse(`Unknown action "${action}": expected npx hooklatch secrets await <source>.`, 2)
    const span = flags.for ?? '10m'
    if (!isDuration(span)) return refuse(`--for ${span} is no time: expected such as 90s, 10m or 1h.`, 2)
    const store = flags['secret-id'] === undefined ? localStore() : cloudStore(flags['secret-id'])
    if (isRefusal(store)) return store
    const opened = awaitSecret(await store.read(), source, store.now(), durationSeconds(span))
    if (!opened) return refuse(`The source "${source}" has a secret, and no handshake may replace it.`)
    await store.write(opened)
    terminal.out(`The first secret that a handshake brings to "${source}" within ${span} will be stored.`)
    return 0
  },
})

interface Store {
  now(): Millis
  read(): Promise<SecretsBySource>
  write(secrets: SecretsBySource): Promise<void>
}

const localStore = (): Store | Refusal => {
  const instance = runningInstance()
  if (isRefusal(instance)) return instance
  const file = instance.secretsFile
  return {
    now: clockOf(instance),
    read: async () => readSecrets(file),
    write: async opened => writeSecrets(file, opened),
  }
}

const cloudStore = (SecretId: string): Store => {
  const client = secretsClient()
  return {
    now: systemClock,
    read: async () => JSON.parse((await client.send(new GetSecretValueCommand({ SecretId }))).SecretString ?? '{}'),
    write: async opened => {
      await client.send(new PutSecretValueCommand({ SecretId, SecretString: JSON.stringify(opened) }))
    },
  }
}
