import { type Delivery, singleHeader } from '../domain/delivery.ts'
import { ownProperty, parseJson } from '../domain/parse-json.ts'
import type { Selector } from '../domain/selector.ts'
import type { BodyView } from './read-body.ts'

export type Selected =
  | { readonly kind: 'found'; readonly value: string }
  | { readonly kind: 'absent'; readonly why: string }
  /** There, but nothing an id may be made of: the next selector is not tried in its place. */
  | { readonly kind: 'refused'; readonly why: string }

export type Integers = 'integers too' | 'strings only'

/** The value a selector points at: a non-empty string, or a safe integer if the provider documents one. */
export const select = (
  selector: Selector,
  delivery: Delivery,
  body: BodyView,
  integers: Integers = 'strings only',
): Selected => {
  const colon = selector.indexOf(':')
  const name = selector.slice(colon + 1)
  switch (selector.slice(0, colon) as Place) {
    case 'header':
      return selectHeader(name, delivery)
    case 'json':
      return selectJson(name, body, integers)
    case 'form':
      return selectForm(name, body)
    case 'jwt':
      return selectClaim(name, delivery.body)
  }
}

type Place = Selector extends `${infer Before}:${string}` ? Before : never

const found = (value: string): Selected => ({ kind: 'found', value })
const absent = (why: string): Selected => ({ kind: 'absent', why })
const refused = (why: string): Selected => ({ kind: 'refused', why })

/** An HTTP API joins repeated headers with commas, so a comma may be two values and is not guessed at. */
const selectHeader = (name: string, { headers }: Delivery): Selected => {
  const header = singleHeader(headers, name)
  if (header === 'repeated') return refused(`header ${name} is repeated`)
  if (header === undefined || header.value === '') return absent(`header ${name} is missing`)
  return header.value.includes(',') ? refused(`header ${name} holds a comma`) : found(header.value)
}

const selectJson = (path: string, body: BodyView, integers: Integers): Selected => {
  const json = body.json()
  if (json.kind === 'unreadable') return absent(json.why)
  const value = namesIn(path).reduce(ownProperty, json.value)
  if (value === undefined || value === null) return absent(`json ${path} is missing`)
  if (typeof value === 'string' && value !== '') return found(value)
  if (integers === 'integers too' && Number.isSafeInteger(value)) return found(String(value))
  return refused(
    `json ${path} is not ${integers === 'integers too' ? 'a non-empty string or a whole number' : 'a non-empty string'}`,
  )
}

/** A dot that is part of a name has a backslash before it. */
const namesIn = (path: string): readonly string[] => path.split(/(?<!\\)\./).map(name => name.replaceAll('\\.', '.'))

/** The token has been verified by its scheme. Its strings may hold JSON, and that may hold JSON again (Wix). */
const selectClaim = (path: string, body: Uint8Array): Selected => {
  const [, payload = ''] = Buffer.from(body).toString('latin1').split('.')
  const value = path.split('.').reduce<unknown>((inner, name) => ownProperty(unfold(inner), name), payloadOf(payload))
  if (value === undefined || value === null) return absent(`claim ${path} is missing`)
  return typeof value === 'string' && value !== '' ? found(value) : refused(`claim ${path} is not a non-empty string`)
}

const payloadOf = (payload: string): unknown => unfold(Buffer.from(payload, 'base64url').toString('utf8'))

const unfold = (value: unknown): unknown => (typeof value === 'string' ? parseJson(value) : value)

const selectForm = (name: string, body: BodyView): Selected => {
  const [value, ...others] = body.form()?.get(name) ?? []
  if (others.length > 0) return refused(`form ${name} is repeated`)
  return value ? found(value) : absent(`form ${name} is missing`)
}
