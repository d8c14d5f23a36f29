import type { Selector } from '../domain/selector.ts'
import { expecting } from './rules.ts'

const PATTERN = /^(?:header:[A-Za-z0-9!#$%&'*+.^_`|~-]+|(?:json|form|jwt):.+)$/

export const isSelector = (value: unknown): value is Selector => typeof value === 'string' && PATTERN.test(value)

export const selectorRule = expecting('a selector such as header:x-event-id, json:data.id or form:Sid', isSelector)

/** Header names are matched in lower case; a bare path is a JSON path. */
export const toSelector = (written: string): Selector => {
  if (!isSelector(written)) return `json:${written}`
  return written.startsWith('header:') ? (written.toLowerCase() as Selector) : written
}
