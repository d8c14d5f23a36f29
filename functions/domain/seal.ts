import { createHmac } from 'node:crypto'
import { Secret } from './secret.ts'

/** The text of a message with its MAC, which covers every character after it. A reader that does not know it reads on. */
export const seal = (key: Secret, text: string): string => `${BEFORE}${macOf(key, text)}${AFTER}${text.slice(1)}`

/** `unsealed`: it has no MAC, as messages of older versions have none. */
export const checkSeal = (key: Secret, sealed: string): 'ours' | 'forged' | 'unsealed' => {
  if (!sealed.startsWith(BEFORE)) return 'unsealed'
  const end = BEFORE.length + MAC_LENGTH
  const mac = new Secret(macOf(key, `{${sealed.slice(end + AFTER.length)}`))
  return mac.equals(sealed.slice(BEFORE.length, end)) && sealed.startsWith(AFTER, end) ? 'ours' : 'forged'
}

const BEFORE = '{"mac":"'
const AFTER = '",'
const MAC_LENGTH = 64

/** The fingerprint key names events too: what is named begins with a digit, so no fingerprint is ever the MAC of a message. */
const macOf = (key: Secret, text: string): string =>
  createHmac('sha256', key.reveal()).update('message').update(text).digest('hex')
