import type { Layout, SecretKeyFormat } from '../domain/scheme.ts'
import type { CustomHmac, CustomScheme, CustomSignature, CustomTimestamp } from './custom-scheme.ts'
import { parseTemplate, type TemplatePart } from './parse-template.ts'
import { fields, isPlainObject, listOf, mistake, oneOf, type Rule, text, yes } from './rules.ts'

/** Every mistake in the `scheme` of a custom sender. */
export const checkCustomScheme: Rule = (value, at) => {
  const kind = isPlainObject(value) ? value.kind : undefined
  const rule = typeof kind === 'string' && Object.hasOwn(KINDS, kind) ? KINDS[kind as CustomScheme['kind']] : undefined
  return rule ? rule(value, at) : [mistake(`${at}.kind`, kind, 'one of "hmac", "token", "basic"')]
}

const anything: Rule = () => []

const KEY_RULES = {
  encoding: oneOf('utf8', 'base64', 'hex', 'sha1(utf8)'),
  stripPrefixes: listOf(text, 'prefix'),
  knownPrefixes: listOf(text, 'prefix'),
} satisfies Record<keyof SecretKeyFormat, Rule>

const TIMESTAMP_RULES = {
  in: oneOf('sig', 'header', 'json'),
  name: text,
  unit: oneOf('s', 'ms', 'iso8601'),
} satisfies Record<keyof CustomTimestamp, Rule>

const SIGNATURE_RULES = {
  in: oneOf('header', 'json', 'form', 'query'),
  name: text,
  aliases: listOf(text, 'name'),
  encoding: oneOf('hex', 'hex-upper', 'base64', 'base64url', 'base64(hex)'),
  many: yes,
  layout: oneOf('plain', 'prefix', 'kv', 'list', 'stamp-first'),
  prefix: text,
  pairSep: text,
  kvSep: text,
  sigKeys: listOf(text, 'key'),
  groupSep: text,
  listSep: text,
  itemSep: text,
  versions: listOf(text, 'version'),
} satisfies Record<keyof CustomSignature, Rule>

/** What each layout cannot do without. */
const LAYOUT_NEEDS = {
  plain: [],
  prefix: ['prefix'],
  kv: ['sigKeys'],
  list: ['versions'],
  'stamp-first': [],
} satisfies Record<Layout['layout'], readonly (keyof CustomSignature)[]>

const checkSignatureField: Rule = (value, at) => {
  const layout = isPlainObject(value) ? (value.layout ?? 'plain') : 'plain'
  const needs = Object.hasOwn(LAYOUT_NEEDS, String(layout)) ? LAYOUT_NEEDS[layout as Layout['layout']] : []
  return fields(SIGNATURE_RULES, ['name', ...needs])(value, at)
}

const checkTemplate: Rule = (value, at) => {
  if (typeof value !== 'string' || value === '') return text(value, at)
  const template = parseTemplate(value)
  if ('problem' in template) return [`${at}: ${template.problem}`]
  const fixed = template.parts.some(part => typeof part !== 'string' && part.token === 'config')
  return fixed ? [mistake(at, value, 'the value itself in place of {config:NAME}')] : []
}

const HMAC_RULES = {
  kind: anything,
  hash: oneOf('sha1', 'sha256', 'sha512'),
  sig: checkSignatureField,
  signed: checkTemplate,
  key: fields(KEY_RULES, ['encoding']),
  ts: fields(TIMESTAMP_RULES, ['in', 'name']),
} satisfies Record<keyof CustomHmac, Rule>

const hmacFields = fields(HMAC_RULES, ['sig'])

const KINDS = {
  hmac: (value, at) => {
    const mistakes = hmacFields(value, at)
    return mistakes.length > 0 ? mistakes : checkTimestampSigned(value as CustomHmac, at)
  },
  token: fields({ kind: anything, header: text, prefix: text }, ['header']),
  basic: fields({ kind: anything }),
} satisfies Record<CustomScheme['kind'], Rule>

/** A timestamp that the signature does not cover would make a replay look fresh. */
const checkTimestampSigned = ({ signed = '{body}', ts }: CustomHmac, at: string): readonly string[] => {
  const template = parseTemplate(signed)
  if (ts === undefined || 'problem' in template || template.parts.some(part => covers(part, ts))) return []
  return [mistake(`${at}.signed`, signed, 'the token {ts}: a timestamp that is not signed proves nothing')]
}

const covers = (part: TemplatePart, ts: CustomTimestamp): boolean => {
  if (typeof part === 'string') return false
  if (part.token === 'ts') return true
  if (ts.in === 'json' && part.token === 'body') return true
  return part.token === ts.in && part.argument.toLowerCase() === ts.name.toLowerCase()
}
