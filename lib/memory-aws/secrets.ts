import type { SecretCalls } from '../../functions/adapters/wire/secret-calls.ts'
import { canonical } from './canonical.ts'
import { fault } from './fault.ts'
import type { Stateful, Synchronous } from './synchronous.ts'

export interface MemorySecrets extends Stateful {
  readonly calls: Synchronous<SecretCalls>
}

export interface SecretWorld {
  now(): number
  newId(kind: 'version'): string
}

interface Version {
  readonly text: string
  readonly createdAt: number
}

/** Older versions stay, so one of them can be made current again. */
interface StoredSecret {
  readonly versions: Readonly<Record<string, Version>>
  readonly current: string | undefined
  readonly pending: string | undefined
}

const EMPTY: StoredSecret = { versions: {}, current: undefined, pending: undefined }
const MAX_SECRET_BYTES = 65_536

/** `initial`: the text of each secret; `undefined` for one that was created and never written. */
export const memorySecrets = (
  initial: Readonly<Record<string, string | undefined>>,
  world: SecretWorld,
): MemorySecrets => {
  let stored = new Map<string, StoredSecret>()

  const secretOf = (id: string): StoredSecret => {
    const secret = stored.get(id)
    if (!secret) throw fault('ResourceNotFoundException', `Secrets Manager can't find the specified secret: ${id}`)
    return secret
  }

  const add = (id: string, text: string, label: 'current' | 'pending'): string => {
    const secret = secretOf(id)
    if (text === '' || Buffer.byteLength(text) > MAX_SECRET_BYTES) {
      throw fault('InvalidParameterException', `A secret has 1 to ${MAX_SECRET_BYTES} bytes`)
    }
    const version = world.newId('version')
    const versions = { ...secret.versions, [version]: { text, createdAt: world.now() } }
    stored.set(id, { ...secret, versions, [label]: version })
    return version
  }

  for (const [id, text] of Object.entries(initial)) {
    stored.set(id, EMPTY)
    if (text !== undefined) add(id, text, 'current')
  }

  return {
    calls: {
      getSecret(id) {
        const { current, versions } = secretOf(id)
        const version = current === undefined ? undefined : versions[current]
        if (current === undefined || !version) {
          throw fault('ResourceNotFoundException', `The secret ${id} has no value with the label AWSCURRENT`)
        }
        return { ...version, version: current }
      },
      putPendingSecret: (id, text) => add(id, text, 'pending'),
      makeSecretCurrent(id, version, instead) {
        const secret = secretOf(id)
        if (!Object.hasOwn(secret.versions, version)) {
          throw fault('ResourceNotFoundException', `The secret ${id} has no version ${version}`)
        }
        if (secret.current !== instead) return 'changed'
        stored.set(id, { ...secret, current: version })
        return 'moved'
      },
    },
    snapshot: () => new Map(stored),
    restore(snapshot) {
      stored = new Map(snapshot as typeof stored)
    },
    stateText: () => canonical(stored),
  }
}
