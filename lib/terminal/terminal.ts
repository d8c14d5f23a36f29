import { inspect, styleText } from 'node:util'
import { mark, painted } from './escape.ts'

export type Style = 'bold' | 'dim' | 'green' | 'yellow' | 'red' | 'cyan'

/**
 * Where a command writes: results to `out`, warnings and errors to `err`. A text is one line, whatever is in it, and a list several.
 * Everything goes through one gate (escape.ts), so a command can forget nothing.
 */
export interface Terminal {
  out(text: Lines): void
  err(text: Lines): void
  /** A person is looking: tables and colours; else plain lines for programs. */
  readonly interactive: boolean
  /** How wide it is, if that is known. */
  readonly columns?: number | undefined
  style(style: Style, text: string): string
  /** Aborted when nobody reads any more, as when `head` has had enough. */
  readonly closed: AbortSignal
}

export type Lines = string | readonly string[]

export const processTerminal = (): Terminal => {
  const { stdout, stderr } = process
  // `hooklatch events | head` closes our output early, which is not an error.
  const closed = new AbortController()
  stdout.on('error', () => closed.abort())
  stderr.on('error', () => {})
  return {
    out: text => void stdout.write(written(text)),
    err: text => void stderr.write(written(text)),
    interactive: stdout.isTTY === true,
    // It may be resized while we run; a terminal without a size says 0.
    get columns() {
      return stdout.columns || undefined
    },
    // Honours NO_COLOR and FORCE_COLOR.
    style: (style, text) => (styleText(style, ' ', { stream: stdout }) === ' ' ? text : coloured(style, text)),
    closed: closed.signal,
  }
}

const written = (text: Lines): string =>
  [text]
    .flat()
    .map(line => `${painted(line)}\n`)
    .join('')

const coloured = (style: Style, text: string): string => {
  const [on, off] = inspect.colors[style] ?? [0, 0]
  return mark(on) + text + mark(off)
}

/** A value as `--json` prints it. */
export const jsonLines = (value: unknown): readonly string[] => JSON.stringify(value, null, 2).split('\n')
