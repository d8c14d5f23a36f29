import { type Refusal, refuse } from '../connect/refusal.ts'
import { painted } from './escape.ts'
import type { Terminal } from './terminal.ts'

/** A certificate is two kilobytes; Secrets Manager takes 64 for all of them. */
const LONGEST = 8_192

const CTRL_C = '\u0003'
// biome-ignore lint/suspicious/noControlCharactersInRegex: the keys that end it are Enter, Ctrl-D and Ctrl-C
const ENDED = /[\r\n\u0003\u0004]/
const BACKSPACES = ['\u0008', '\u007f']

/** From a pipe or a file; on a terminal it is asked for and not shown. Never an argument: those are seen by every process. */
export const readSecret = async (
  what: string,
  command: string,
  terminal: Pick<Terminal, 'err'>,
  input: NodeJS.ReadStream = process.stdin,
): Promise<string | Refusal> => {
  const value = input.isTTY ? await typed(`${what} (not shown): `, input) : await piped(input)
  if (value === undefined) return refuse('Nothing was changed.')
  if (input.isTTY) terminal.err('')
  // What `echo` and editors add is not part of it.
  const secret = value.replace(/\r?\n$/, '')
  if (secret === '') return refuse(`No secret was given: pipe it in, such as \`${command} < file\`.`)
  return secret.length > LONGEST
    ? refuse(`The secret is longer than ${LONGEST} characters: is it the right file?`)
    : secret
}

const piped = async (input: NodeJS.ReadStream): Promise<string> => {
  let text = ''
  for await (const chunk of input.setEncoding('utf8')) {
    text += chunk
    if (text.length > LONGEST + 2) break
  }
  return text
}

/** `undefined` when it was given up with Ctrl-C. */
const typed = async (prompt: string, input: NodeJS.ReadStream): Promise<string | undefined> => {
  // First, or what is typed at once would be shown.
  input.setRawMode(true).setEncoding('utf8')
  process.stderr.write(painted(prompt))
  let text = ''
  for await (const keys of input) {
    for (const key of String(keys)) {
      if (BACKSPACES.includes(key)) text = text.slice(0, -1)
      else text += key
    }
    const end = text.search(ENDED)
    if (end < 0) continue
    input.setRawMode(false)
    return text[end] === CTRL_C ? undefined : text.slice(0, end)
  }
  return undefined
}
