export type TemplatePart = string | TemplateToken

export interface TemplateToken {
  readonly token: TokenName
  /** The part after the colon; empty for tokens that take none. */
  readonly argument: string
}

export type TokenName = keyof typeof TOKENS

const TOKENS = {
  body: 'alone',
  ts: 'alone',
  url: 'alone',
  url_decoded: 'alone',
  method: 'alone',
  path: 'alone',
  path_and_query: 'alone',
  crc32: 'alone',
  body_sha256_hex: 'alone',
  body_json: 'alone',
  secret: 'alone',
  header: 'named',
  json: 'named',
  form: 'named',
  sig: 'named',
  config: 'named',
} as const

/** `v0:{ts}:{body}` in literals and tokens. Something in braces that is no token is a mistake, not a literal. */
export const parseTemplate = (
  template: string,
): { readonly parts: readonly TemplatePart[] } | { readonly problem: string } => {
  const parts: TemplatePart[] = []
  for (const piece of template.split(/(\{[^{}]*\})/)) {
    if (!/^\{.*\}$/s.test(piece)) {
      if (piece !== '') parts.push(piece)
      continue
    }
    const token = parseToken(piece.slice(1, -1))
    if (token === undefined) return { problem: `${piece} is not a token of a signed template: expected ${EXPECTED}` }
    parts.push(token)
  }
  return { parts }
}

const EXPECTED = Object.entries(TOKENS)
  .map(([name, takes]) => (takes === 'alone' ? `{${name}}` : `{${name}:NAME}`))
  .join(', ')

const parseToken = (text: string): TemplateToken | undefined => {
  const [name = '', ...rest] = text.split(':')
  if (!isTokenName(name)) return undefined
  const argument = rest.join(':')
  if ((TOKENS[name] === 'named') !== argument.length > 0) return undefined
  return { token: name, argument: name === 'header' ? argument.toLowerCase() : argument }
}

const isTokenName = (name: string): name is TokenName => Object.hasOwn(TOKENS, name)
