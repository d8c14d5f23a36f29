import { styleText } from 'node:util'

export type Style = 'bold' | 'dim' | 'green' | 'yellow' | 'red' | 'cyan'

/** Where a command writes: results to `out`, warnings and errors to `err`. */
export interface Terminal {
  out(text: string): void
  err(text: string): void
  /** A person is looking: tables and colours; else plain lines for programs. */
  readonly interactive: boolean
  /** How wide it is, if that is known. */
  readonly columns?: number | undefined
  style(style: Style, text: string): string
  /** Aborted when nobody reads any more, as when `head` has had enough. */
  readonly closed: AbortSignal
}

export const processTerminal = (): Terminal => {
  const { stdout, stderr } = process
  // `hooklatch events | head` closes our output early, which is not an error.
  const closed = new AbortController()
  stdout.on('error', () => closed.abort())
  stderr.on('error', () => {})
  return {
    out: text => void stdout.write(`${text}\n`),
    err: text => void stderr.write(`${text}\n`),
    interactive: stdout.isTTY === true,
    // It may be resized while we run; a terminal without a size says 0.
    get columns() {
      return stdout.columns || undefined
    },
    // Honours NO_COLOR and FORCE_COLOR.
    style: (style, text) => styleText(style, text, { stream: stdout }),
    closed: closed.signal,
  }
}

/** What a sender wrote, without the control characters that would speak to the terminal. */
export const printable = (text: string): string => text.replace(/[^\P{Cc}\n\t]/gu, '\ufffd')
