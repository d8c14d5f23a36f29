import { textOf } from '../domain/parse-json.ts'
import { type Form, readForm } from './read-form.ts'

/** The body as its readers want it; parsed at most once, and not before somebody asks. */
export interface BodyView {
  readonly json: () => ReadJson
  /** The value of that JSON; undefined if there is none. */
  readonly value: () => unknown
  /** Undefined when the body is JSON, or no form. */
  readonly form: () => Form | undefined
}

export type ReadJson =
  | { readonly kind: 'parsed'; readonly value: unknown }
  | { readonly kind: 'unreadable'; readonly why: string }

/** Deeper than any provider nests; recursive readers downstream stay far from the end of the stack. */
const MOST_DEPTH = 256

/**
 * JSON, or the JSON in a form's `payload` (GitHub's form mode, Slack's interactivity). The bytes decide which, never
 * `content-type`: it is not signed, and whoever replays a delivery could choose what is read as its id.
 */
export const readBody = (body: Uint8Array): BodyView => {
  const plain = once(() => readJson(body))
  const form = once(() => (plain().kind === 'parsed' ? undefined : readForm(body)))
  const json = once(() => (plain().kind === 'parsed' ? plain() : (readPayload(form()) ?? plain())))
  return { form, json, value: () => jsonOf(json()) }
}

const jsonOf = (read: ReadJson): unknown => (read.kind === 'parsed' ? read.value : undefined)

const readPayload = (form: Form | undefined): ReadJson | undefined => {
  const [payload, ...others] = form?.get('payload') ?? []
  if (payload === undefined) return undefined
  return others.length > 0 ? unreadable('the form has more than one payload') : parse(payload)
}

/** The body itself, for proofs that stand in it: beside the JSON in a form, anyone may put more. */
export const readJson = (body: Uint8Array): ReadJson => {
  if (body.length === 0) return unreadable('the body is empty')
  try {
    return parse(textOf(body))
  } catch {
    return unreadable('the body is not UTF-8')
  }
}

const parse = (text: string): ReadJson => {
  if (isTooDeep(text)) return unreadable(`the body is nested deeper than ${MOST_DEPTH} levels`)
  try {
    return { kind: 'parsed', value: JSON.parse(text) }
  } catch {
    return unreadable('the body is not JSON')
  }
}

const unreadable = (why: string): ReadJson => ({ kind: 'unreadable', why })

/** Counted before parsing: four million brackets would cost JSON.parse far more than this loop. */
const isTooDeep = (text: string): boolean => {
  let depth = 0
  for (let at = 0; at < text.length && depth <= MOST_DEPTH; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = endOfString(text, at)
    else if (code === OPEN_BRACKET || code === OPEN_BRACE) depth++
    else if (code === CLOSE_BRACKET || code === CLOSE_BRACE) depth--
  }
  return depth > MOST_DEPTH
}

/** The quote that ends it: leapt to, because most of a large body is text. */
const endOfString = (text: string, start: number): number => {
  let end = text.indexOf('"', start + 1)
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end === -1 ? text.length : end
}

/** An odd number of backslashes stands before it. */
const isEscaped = (text: string, at: number): boolean => {
  let first = at
  while (text.charCodeAt(first - 1) === BACKSLASH) first--
  return (at - first) % 2 === 1
}

// One by one, so the bundle compares with numbers and not with variables.
const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d

const once = <Value>(read: () => Value): (() => Value) => {
  let known: { readonly value: Value } | undefined
  return () => {
    known ??= { value: read() }
    return known.value
  }
}
