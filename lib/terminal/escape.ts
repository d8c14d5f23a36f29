import { randomBytes } from 'node:crypto'

/**
 * What came from outside may hold anything: control characters (C0, C1), escape sequences, a carriage return, characters that
 * turn the direction of a text or that nobody sees. Each is shown as `\uXXXX`, which is also how JSON writes it. A tab
 * stays, and so do the marks of our own colours.
 */
export const escaped = (text: string): string =>
  text.replace(SPECIAL, (found, code) => (code === undefined ? units(found) : found))

/** The same as it is written: the marks become colours. Only lib/terminal/terminal.ts calls it, at the terminal's edge. */
export const painted = (text: string): string =>
  text.replace(SPECIAL, (found, code) => (code === undefined ? units(found) : `\u001b[${code}m`))

/** What somebody else's code writes beside us, such as a worker: its lines and colours stay. */
export const escapedForeign = (text: string): string =>
  text.replace(FOREIGN, (found, stays) => (stays === undefined ? units(found) : found))

/** The mark of a colour of ours. Nobody outside knows the word in it, so nobody outside can colour anything. */
export const mark = (code: number): string => `\u001b]${WORD};${code}\u0007`

const WORD = randomBytes(8).toString('hex')

/** Controls, formats, lone surrogates, and two separators that some programs take for a line break. */
const HOSTILE = '(?!\\t)[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}]'

const SPECIAL = new RegExp(`\\u001b\\]${WORD};(\\d+)\\u0007|${HOSTILE}`, 'gu')
const FOREIGN = new RegExp(`(\\u001b\\[[\\d;]*m|\\r?\\n)|${HOSTILE}`, 'gu')

const units = (text: string): string =>
  Array.from({ length: text.length }, (_, at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`).join('')
