import type { CodedVerdict, Download, Inspection } from '../domain/coded.ts'
import type { KeyFetcher } from '../domain/ports.ts'
import type { CodeScheme, JwtScheme } from '../domain/scheme.ts'
import { MOST_KEYS } from './check-signature.ts'

/** Schemes that need code of their own: a bundle carries that of its sources, see lib/constructs/sources-module.ts. */
export const checkCoded = async (
  scheme: CodeScheme | JwtScheme,
  inspected: Inspection,
  published: KeyFetcher | undefined,
): Promise<CodedVerdict> => {
  const inspection = { ...inspected, keys: inspected.keys.slice(0, MOST_KEYS) }
  const download: Download = (url, freshness) => published?.fetch(inspected.source.name, url, freshness) ?? NO_DOWNLOADS
  return scheme.kind === 'jwt'
    ? scheme.code.check(scheme, inspection, download)
    : scheme.code.check(scheme, inspection, download)
}

const NO_DOWNLOADS = Promise.resolve({
  kind: 'unavailable',
  cause: 'no key in the secret store, and nothing is downloaded here',
} as const)
