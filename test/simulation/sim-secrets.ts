import { memorySecrets } from '../../functions/adapters/memory-secrets.ts'
import type { SecretStore, SecretsAnswer } from '../../functions/domain/ports.ts'
import { Secret } from '../../functions/domain/secret.ts'

export const SECRETS = {
  old: 'whsec_sim_old',
  new: 'whsec_sim_new',
  github: 'github-sim-secret',
  gocardless: 'gocardless-sim',
} as const

type Lists = Record<string, readonly string[]>

const FIRST = { stripe: [SECRETS.old], github: [SECRETS.github], gocardless: [SECRETS.gocardless] } as const

/** Where a schedule begins. */
export const atFirst = (): Lists => ({ ...FIRST })

/** The receiver knows the sender's next secret, and still the one before. */
export const ROTATED: readonly string[] = [SECRETS.new, SECRETS.old]

const KEY = new Secret('simulated-key')
const answers = new WeakMap<readonly string[], Promise<SecretsAnswer>>()

/** As the real store does, it hands out the same secrets until they change: the receiver makes a key of each only once. */
export const simSecrets = (secrets: Lists): SecretStore => {
  const store = memorySecrets(secrets, KEY.reveal())
  const read = (source: string, list: readonly string[]): Promise<SecretsAnswer> => {
    const answer = answers.get(list) ?? store.signingSecrets(source)
    answers.set(list, answer)
    return answer
  }
  return {
    ...store,
    signingSecrets: source => read(source, secrets[source] ?? NONE),
    fingerprintKey: async () => KEY,
  }
}

const NONE: readonly string[] = []
