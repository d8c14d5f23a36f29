import type { Delivery } from '../domain/delivery.ts'
import type { Place } from '../domain/scheme.ts'
import { readBody, readJson } from './read-body.ts'
import { select } from './select.ts'
import { queryOf } from './signed-url.ts'
import { type Found, refused } from './verdict.ts'

/** The one value at a place of a delivery that is not yet believed. Empty counts as missing. */
export const locate = ({ in: place, name }: Place, delivery: Delivery): Found<string> => READERS[place](name, delivery)

const single = (values: readonly string[]): Found<string> => {
  const [value, ...others] = values
  if (others.length > 0) return refused('header-repeated')
  return value ? { value } : refused('header-missing')
}

const inBody =
  (place: 'json' | 'form') =>
  (name: string, delivery: Delivery): Found<string> => {
    const view = readBody(delivery.body)
    const asked = place === 'json' ? { ...view, json: () => readJson(delivery.body) } : view
    const selected = select(`${place}:${name}`, delivery, asked, 'integers too')
    if (selected.kind === 'found') return { value: selected.value }
    return refused(selected.kind === 'absent' ? 'header-missing' : 'header-malformed')
  }

const READERS = {
  header: (name, { headers }) => single(headers.get(name) ?? []),
  query: (name, { url }) => single(queryOf(url).getAll(name)),
  json: inBody('json'),
  form: inBody('form'),
} satisfies Record<Place['in'], (name: string, delivery: Delivery) => Found<string>>
