import { secretsManagerSecrets } from '../../functions/adapters/secrets-manager-secrets.ts'
import type { AwsCalls } from '../../functions/adapters/wire/aws-calls.ts'
import type { Clock, SecretStore } from '../../functions/domain/ports.ts'
import type { Process } from './faults.ts'
import type { Chance } from './random.ts'
import { NAMES } from './watch-writes.ts'

/** Who runs in an environment now, and what it reaches for. */
interface Invocation {
  readonly process: Process
  readonly far: AwsCalls
  readonly now: Clock
}

interface Environment {
  current: Invocation
  readonly secrets: SecretStore
}

/** How many invocations begin in a new environment though there is a warm one. */
const COLD = 0.2

/** As in Lambda, an invocation mostly finds the secrets that the one before it has read, unless that one took its environment down. */
export const warmSecrets = (luck: Chance): ((invocation: Invocation) => SecretStore) => {
  const environments = new Map<string, Environment>()
  return current => {
    const { kind } = current.process
    const warm = environments.get(kind)
    if (warm?.current.process.alive && !luck.happens(COLD)) {
      warm.current = current
      return warm.secrets
    }
    const secrets: AwsCalls['secrets'] = {
      getSecret: id => made.current.far.secrets.getSecret(id),
      putPendingSecret: (id, text) => made.current.far.secrets.putPendingSecret(id, text),
      makeSecretCurrent: (id, to, from) => made.current.far.secrets.makeSecretCurrent(id, to, from),
    }
    const made: Environment = { current, secrets: secretsManagerSecrets({ secrets }, NAMES, () => made.current.now()) }
    environments.set(kind, made)
    return made.secrets
  }
}
