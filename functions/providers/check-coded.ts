import { checks } from '#checks'
import type { FetchAnswer, KeyFetcher, Unavailable } from '../domain/ports.ts'
import type { CodeScheme, JwtScheme } from '../domain/scheme.ts'
import type { Verdict } from '../domain/verdict.ts'
import type { Inspection } from './inspection.ts'

/** The verdict of code; it may have to wait for a key, and then there may be none. */
export type CodedVerdict = Verdict | Unavailable

export type Download = (url: string, freshness?: 'again') => Promise<FetchAnswer>

export type Check<Kind extends CodeScheme | JwtScheme> = (
  scheme: Kind,
  inspection: Inspection,
  download: Download,
) => CodedVerdict | Promise<CodedVerdict>

export type CheckCode = Check<CodeScheme>

/** Schemes that need code of their own: a bundle carries that of its sources, see lib/constructs/sources-module.ts. */
export const checkCoded = async (
  scheme: CodeScheme | JwtScheme,
  inspection: Inspection,
  keys: KeyFetcher | undefined,
): Promise<CodedVerdict> => {
  const download: Download = (url, freshness) => keys?.fetch(url, freshness) ?? NO_DOWNLOADS
  return scheme.kind === 'jwt'
    ? checks.jwt(scheme, inspection, download)
    : checks[scheme.code](scheme, inspection, download)
}

const NO_DOWNLOADS = Promise.resolve({
  kind: 'unavailable',
  cause: 'no key in the secret store, and nothing is downloaded here',
} as const)
