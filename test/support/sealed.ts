import type { Message } from '../../functions/contract/message.ts'
import { messageText } from '../../functions/domain/message.ts'
import { seal } from '../../functions/domain/seal.ts'
import { Secret } from '../../functions/domain/secret.ts'

/** The fingerprint key of every rig. */
export const RIG_KEY = new Secret('fingerprint-key')

/** For a world that has no other secrets. */
export const RIG_KEYS = { fingerprintKey: async () => RIG_KEY }

/** A message as our functions put it on the queue. */
export const sealed = (message: Message): string => seal(RIG_KEY, messageText(message))
