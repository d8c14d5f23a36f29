import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { type Millis, toMillis } from '../../functions/domain/brands.ts'
import { type Duration, durationSeconds, isDuration } from '../../functions/domain/duration.ts'
import { nearest } from '../../functions/providers/suggest.ts'
import { isRefusal, type Refusal, refuse } from '../connect/refusal.ts'

export interface Flag {
  /** What stands for its value in the help; a flag without one is a switch. */
  readonly value?: string
  readonly help: string
  /** What a shell offers for its value. @default files, for a value called FILE or DIR; else nothing */
  readonly choices?: Choices
}

/** Words, or a list that is known only when the shell asks. */
export type Choices = readonly string[] | 'sources' | 'providers'

export type Flags = Readonly<Record<string, Flag>>

export type FlagValues<Known extends Flags> = {
  readonly [Name in keyof Known]?: Known[Name] extends { readonly value: string } ? string : true
}

export interface Arguments<Known extends Flags> {
  readonly flags: FlagValues<Known>
  readonly positionals: readonly string[]
}

/** Reads a command line against its table of flags; every mistake in one refusal. */
export const readFlags = <Known extends Flags>(known: Known, argv: readonly string[]): Arguments<Known> | Refusal => {
  const { tokens, positionals } = parseArgs({
    args: [...argv],
    options: Object.fromEntries(
      Object.entries(known).map(([name, flag]) => [
        name,
        { type: flag.value ? ('string' as const) : ('boolean' as const) },
      ]),
    ),
    allowPositionals: true,
    strict: false,
    tokens: true,
  })
  const values: Record<string, string | true> = {}
  const mistakes: string[] = []
  for (const token of tokens) {
    if (token.kind !== 'option') continue
    const mistake = mistakeOf(known, token)
    if (mistake !== undefined) mistakes.push(mistake)
    else if (token.value !== undefined && Object.hasOwn(values, token.name)) {
      mistakes.push(`--${token.name} is given twice: give it once.`)
    } else values[token.name] = token.value ?? true
  }
  if (mistakes.length > 0) return refuse(mistakes.join('\n'), 2)
  return { flags: values as FlagValues<Known>, positionals }
}

const mistakeOf = (
  known: Flags,
  token: { name: string; rawName: string; value?: string | undefined },
): string | undefined => {
  const flag = Object.hasOwn(known, token.name) ? known[token.name] : undefined
  if (flag === undefined) {
    const suggestion = nearest(token.name, Object.keys(known))
    return `Unknown flag ${token.rawName}${suggestion ? `: did you mean --${suggestion}?` : '.'}`
  }
  if (flag.value === undefined && token.value !== undefined) return `--${token.name} takes no value.`
  if (flag.value !== undefined && (!token.value || token.value.startsWith('--'))) {
    return `--${token.name} needs a value: --${token.name} ${flag.value}`
  }
  return undefined
}

/** Flags that would change nothing: whoever gives one means something else than what would be done. */
export const leaveOut = (
  flags: Readonly<Record<string, unknown>>,
  names: readonly string[],
  why: string,
): undefined | Refusal => {
  const given = names.filter(name => flags[name] !== undefined).map(name => `--${name}`)
  return given.length === 0 ? undefined : refuse(`${why}: leave out ${given.join(', ')}.`, 2)
}

export interface Range {
  readonly min: number
  readonly max: number
  readonly otherwise: number
}

export const readNumber = (
  text: string | undefined,
  name: string,
  { min, max, otherwise }: Range,
): number | Refusal => {
  if (text === undefined) return otherwise
  const number = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN
  if (number >= min && number <= max) return number
  return refuse(`--${name} ${text} is not a whole number from ${min} to ${max}.`, 2)
}

export const readDuration = (text: string | undefined, name: string, otherwise: Duration): Millis | Refusal => {
  const duration = text ?? otherwise
  if (isDuration(duration)) return toMillis(durationSeconds(duration))
  return refuse(
    `--${name} ${text} is not a duration: expected a whole number and a unit, such as 15m, 36h or 30d, of at most 36500d.`,
    2,
  )
}

/** `a,b` are two; undefined: nothing was named. */
export const readTypes = (text: string | undefined): readonly string[] | undefined | Refusal => {
  const types = text
    ?.split(',')
    .map(type => type.trim())
    .filter(type => type !== '')
  return types?.length === 0
    ? refuse(`--types ${text} names no type: expected such as invoice.paid,charge.refunded.`, 2)
    : types
}

/** The bytes of a file. */
export const readBytes = (file: string | undefined): Uint8Array | undefined | Refusal => {
  if (file === undefined) return undefined
  try {
    return readFileSync(file)
  } catch (error) {
    return refuse(`--body ${file} cannot be read: ${(error as Error).message}.`, 2)
  }
}

/** All of them, or every refusal among them in one. */
export const allOf = <Values extends readonly unknown[]>(
  ...values: Values
): { [Index in keyof Values]: Exclude<Values[Index], Refusal> } | Refusal => {
  const refusals = values.filter(isRefusal)
  if (refusals.length > 0) return refuse(refusals.map(each => each.refused).join('\n'), 2)
  return values as { [Index in keyof Values]: Exclude<Values[Index], Refusal> }
}

export const readUrl = (text: string | undefined, name = 'url'): string | undefined | Refusal =>
  text === undefined || (/^https?:/.test(text) && URL.canParse(text))
    ? text
    : refuse(`--${name} ${text} is not a URL: expected a whole URL that begins with http:// or https://.`, 2)
