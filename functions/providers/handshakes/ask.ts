import type { Asked } from '../../domain/provider.ts'
import { queryOf } from '../signed-url.ts'

/** A query parameter that came exactly once. */
export const askedQuery = ({ delivery }: Asked, name: string): string | undefined => {
  const [value, ...others] = queryOf(delivery.url).getAll(name)
  return others.length === 0 ? value : undefined
}

/** A header that came exactly once. */
export const askedHeader = ({ delivery }: Asked, name: string): string | undefined => {
  const [value, ...others] = delivery.headers.get(name) ?? []
  return others.length === 0 ? value : undefined
}

/** The fields of a JSON object; of anything else, none. */
export const askedFields = (asked: Asked): Readonly<Record<string, unknown>> => fieldsOf(asked.json())

export const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}

export const isGet = ({ delivery }: Asked): boolean => delivery.method === 'GET'
