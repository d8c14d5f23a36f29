import { ROUTES } from './routes.ts'

type Route = (typeof ROUTES)[string]

export interface FoundRoute {
  readonly route: Route
  readonly named: Readonly<Record<string, string>>
}

/** Written out or by its `{name}`s; what cannot be decoded is nowhere. */
export const findRoute = (path: string): FoundRoute | undefined => {
  const parts = decodedParts(path)
  if (parts === undefined) return undefined
  for (const [pattern, route] of Object.entries(ROUTES)) {
    const named = namedParts(pattern.split('/'), parts)
    if (named) return { route, named }
  }
  return undefined
}

const namedParts = (pattern: readonly string[], parts: readonly string[]): Record<string, string> | undefined => {
  if (pattern.length !== parts.length) return undefined
  const named: Record<string, string> = {}
  for (const [index, expected] of pattern.entries()) {
    const part = parts[index] ?? ''
    if (expected.startsWith('{') && part !== '') named[expected.slice(1, -1)] = part
    else if (expected !== part) return undefined
  }
  return named
}

const decodedParts = (path: string): string[] | undefined => {
  try {
    return path.split('/').map(decodeURIComponent)
  } catch {
    return undefined
  }
}
