import type { Verb } from './verb.ts'

export const helpForAll = (
  verbs: Readonly<Record<string, Pick<Verb, 'summary' | 'operands'>>>,
  width?: number | undefined,
): string => {
  const lines = Object.entries(verbs).map(([name, verb]) => [[name, ...verb.operands].join(' '), verb.summary] as const)
  return [
    'hooklatch: webhooks, verified, once each.',
    '',
    'Usage: npx hooklatch <command> [flags]',
    '',
    ...columns(lines, width),
    '',
    'npx hooklatch <command> --help explains a command and shows examples; npx hooklatch --version prints the version.',
  ].join('\n')
}

export const helpFor = (
  name: string,
  verb: Pick<Verb, 'summary' | 'operands' | 'teaches' | 'flags'>,
  width?: number | undefined,
): string => {
  const flags = Object.entries({ ...verb.flags, help: { help: 'Show this text.' } }).map(
    ([flag, { value, help }]: [string, { value?: string; help: string }]) =>
      [`--${flag}${value ? ` ${value}` : ''}`, help] as const,
  )
  return [
    `${verb.summary}`,
    '',
    `Usage: npx hooklatch ${[name, ...verb.operands].join(' ')} [flags]`,
    '',
    ...columns(flags, width),
    '',
    verb.teaches,
  ].join('\n')
}

/** A name that would push every text to the right has its own on the next line. */
const columns = (rows: readonly (readonly [string, string])[], width: number | undefined): string[] => {
  const left = Math.min(WIDEST_NAME, Math.max(...rows.map(([each]) => each.length))) + 4
  return rows.flatMap(([name, text]) => {
    const lines = wrapped(text, Math.max(LEAST, (width ?? Number.POSITIVE_INFINITY) - left))
    const [first = '', ...rest] = name.length > WIDEST_NAME ? ['', ...lines] : lines
    return [`  ${name}`.padEnd(left) + first, ...rest.map(line => ' '.repeat(left) + line)].map(line => line.trimEnd())
  })
}

const WIDEST_NAME = 28

/** Narrower than this, a text cannot be read. */
const LEAST = 24

const wrapped = (text: string, width: number): string[] => {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const line = lines.at(-1)
    if (line === undefined || line.length + 1 + word.length > width) lines.push(word)
    else lines[lines.length - 1] = `${line} ${word}`
  }
  return lines
}
