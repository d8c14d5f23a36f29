import type { Verb } from './verb.ts'

export const helpForAll = (verbs: Readonly<Record<string, Pick<Verb, 'summary' | 'operands'>>>): string => {
  const lines = Object.entries(verbs).map(([name, verb]) => [[name, ...verb.operands].join(' '), verb.summary] as const)
  return [
    'hooklatch: webhooks, verified, once each.',
    '',
    'Usage: npx hooklatch <command> [flags]',
    '',
    ...columns(lines),
    '',
    'npx hooklatch <command> --help explains a command and shows examples.',
  ].join('\n')
}

export const helpFor = (name: string, verb: Pick<Verb, 'summary' | 'operands' | 'teaches' | 'flags'>): string => {
  const flags = Object.entries({ ...verb.flags, help: { help: 'Show this text.' } }).map(
    ([flag, { value, help }]: [string, { value?: string; help: string }]) =>
      [`--${flag}${value ? ` ${value}` : ''}`, help] as const,
  )
  return [
    `${verb.summary}`,
    '',
    `Usage: npx hooklatch ${[name, ...verb.operands].join(' ')} [flags]`,
    '',
    ...columns(flags),
    '',
    verb.teaches,
  ].join('\n')
}

const columns = (rows: readonly (readonly [string, string])[]): string[] => {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`)
}
