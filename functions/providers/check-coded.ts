import type { FetchAnswer, KeyFetcher, Unavailable } from '../domain/ports.ts'
import type { CodeName, CodeScheme, JwtScheme } from '../domain/scheme.ts'
import type { Verdict } from '../domain/verdict.ts'
import type { Inspection } from './inspection.ts'

/** The verdict of code; it may have to wait for a key, and then there may be none. */
export type CodedVerdict = Verdict | Unavailable

export type Download = (url: string, freshness?: 'again') => Promise<FetchAnswer>

export type CheckCode = (
  scheme: CodeScheme,
  inspection: Inspection,
  download: Download,
) => CodedVerdict | Promise<CodedVerdict>

/** Schemes that need code of their own: each module is loaded with the first delivery that needs it. */
export const checkCoded = async (
  scheme: CodeScheme | JwtScheme,
  inspection: Inspection,
  keys: KeyFetcher | undefined,
): Promise<CodedVerdict> => {
  const download: Download = (url, freshness) => keys?.fetch(url, freshness) ?? NO_DOWNLOADS
  if (scheme.kind === 'jwt') return (await import('./custom/check-jwt.ts')).checkJwt(scheme, inspection, download)
  const check = await MODULES[scheme.code]()
  return check(scheme, inspection, download)
}

const NO_DOWNLOADS = Promise.resolve({
  kind: 'unavailable',
  cause: 'no key in the secret store, and nothing is downloaded here',
} as const)

const MODULES = {
  'adyen-items': async () => (await import('./custom/check-adyen-items.ts')).checkAdyenItems,
  'aws-sns': async () => (await import('./custom/check-aws-sns.ts')).checkAwsSns,
  braintree: async () => (await import('./custom/check-braintree.ts')).checkBraintree,
  contentful: async () => (await import('./custom/check-contentful.ts')).checkContentful,
  ebay: async () => (await import('./custom/check-ebay.ts')).checkEbay,
  'exact-online': async () => (await import('./custom/check-exact-online.ts')).checkExactOnline,
  'http-signatures': async () => (await import('./custom/check-http-signatures.ts')).checkHttpSignatures,
  'microsoft-graph': async () => (await import('./custom/check-microsoft-graph.ts')).checkMicrosoftGraph,
  paypal: async () => (await import('./custom/check-paypal.ts')).checkPaypal,
  plivo: async () => (await import('./custom/check-plivo.ts')).checkPlivo,
} satisfies Record<CodeName, () => Promise<CheckCode>>
