import { createHmac, timingSafeEqual } from 'node:crypto'
import { asciiJson } from './message.ts'
import { parseJson } from './parse-json.ts'
import type { Secret } from './secret.ts'

/** The text of a message with its MAC, which covers every character after it. A reader that does not know it reads on. */
export const seal = (key: Secret, text: string): string => `${BEFORE}${macOf(key, text)}${AFTER}${text.slice(1)}`

/** `unsealed`: it has no MAC, as messages of older versions have none. */
export const checkSeal = (key: Secret, text: string): 'ours' | 'forged' | 'unsealed' => {
  const sealed = text.startsWith(BEFORE) ? text : respelled(text)
  if (sealed === undefined) return 'unsealed'
  const end = BEFORE.length + MAC_LENGTH
  const mac = Buffer.from(macOf(key, `{${sealed.slice(end + AFTER.length)}`))
  const said = Buffer.from(sealed.slice(BEFORE.length, end))
  const isOurs = said.length === mac.length && timingSafeEqual(said, mac)
  return isOurs && sealed.startsWith(AFTER, end) ? 'ours' : 'forged'
}

/** SQS hands a text over as it is. LocalStack reads it and writes it anew, with spaces: then the MAC is that of what it says, as we would write it. */
const respelled = (text: string): string | undefined => {
  const { mac, ...said } = Object(parseJson(text))
  return typeof mac === 'string' ? `${BEFORE}${mac}${AFTER}${asciiJson(said).slice(1)}` : undefined
}

const BEFORE = '{"mac":"'
const AFTER = '",'
const MAC_LENGTH = 64

/** The fingerprint key names events too: what is named begins with a digit, so no fingerprint is ever the MAC of a message. */
const macOf = (key: Secret, text: string): string =>
  createHmac('sha256', key.key()).update('message').update(text).digest('hex')
