import { type Duration, durationSeconds } from '../domain/duration.ts'
import type { Provider } from '../domain/provider.ts'
import type { Selector } from '../domain/selector.ts'
import { buildCustomScheme, type CustomScheme } from './custom-scheme.ts'
import { checkCustomScheme } from './custom-scheme-rules.ts'
import { duration, fields, listOf, type Rule, text, yes } from './rules.ts'
import { selectorRule, toSelector } from './selector.ts'

/** `config` of a source whose provider is `custom`: a sender that is not in the catalogue. */
export interface CustomConfig {
  readonly scheme: CustomScheme
  /** Where the event's id is; the first one present wins. @default the raw bytes are the identity */
  readonly id?: Selector | readonly Selector[]
  /** Whole numbers are ids too. */
  readonly integerIds?: true
  /** @default none */
  readonly type?: Selector | readonly Selector[]
  readonly keepHeaders?: readonly string[]
  /** From its first try to its last; `'none'`: it never retries. @default not known, so bodies are stored first */
  readonly retryWindow?: 'none' | Duration
  readonly givesUpOn4xx?: true
}

/** A sender about which nothing is known is remembered for five days. */
const UNKNOWN_SENDER_SECONDS = 432_000

/** The row of a sender outside the catalogue. The config has passed `customConfigRule`. */
export const customProvider = (config: CustomConfig): Provider => {
  const windowSeconds = retrySeconds(config.retryWindow)
  return {
    id: 'custom',
    name: 'Custom',
    scheme: buildCustomScheme(config.scheme),
    identity: config.id
      ? { kind: 'id', id: selectors(config.id), ...(config.integerIds && { integer: true }) }
      : { kind: 'body' },
    type: selectors(config.type ?? []),
    keepHeaders: config.keepHeaders ?? [],
    retry: { windowSeconds, ...(config.givesUpOn4xx && { givesUpOn4xx: true }) },
    replayWindowSeconds: Math.max(UNKNOWN_SENDER_SECONDS, windowSeconds ?? 0),
    deadlineSeconds: null,
    confidence: 'high',
    docs: 'docs/add-a-provider.md',
  }
}

const retrySeconds = (window: CustomConfig['retryWindow']): number | null => {
  if (window === undefined) return null
  return window === 'none' ? 0 : durationSeconds(window)
}

const selectors = (written: string | readonly string[]): readonly Selector[] => [written].flat().map(toSelector)

const oneOrMore =
  (rule: Rule, what: string): Rule =>
  (value, at) =>
    Array.isArray(value) ? listOf(rule, what)(value, at) : rule(value, at)

const CONFIG_RULES = {
  scheme: checkCustomScheme,
  id: oneOrMore(selectorRule, 'selector'),
  integerIds: yes,
  type: oneOrMore(selectorRule, 'selector'),
  keepHeaders: listOf(text, 'header name'),
  retryWindow: duration('400d', 'none'),
  givesUpOn4xx: yes,
} satisfies Record<keyof CustomConfig, Rule>

export const customConfigRule: Rule = fields(CONFIG_RULES, ['scheme'])
