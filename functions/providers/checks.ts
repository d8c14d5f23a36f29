import type { CodeName, CodeScheme, JwtScheme } from '../domain/scheme.ts'
import type { Check } from './check-coded.ts'
import { checkAdyenItems } from './custom/check-adyen-items.ts'
import { checkAwsSns } from './custom/check-aws-sns.ts'
import { checkBraintree } from './custom/check-braintree.ts'
import { checkContentful } from './custom/check-contentful.ts'
import { checkEbay } from './custom/check-ebay.ts'
import { checkExactOnline } from './custom/check-exact-online.ts'
import { checkHttpSignatures } from './custom/check-http-signatures.ts'
import { checkJwt } from './custom/check-jwt.ts'
import { checkMicrosoftGraph } from './custom/check-microsoft-graph.ts'
import { checkPaypal } from './custom/check-paypal.ts'
import { checkPlivo } from './custom/check-plivo.ts'

export type Checks = Readonly<Record<CodeName, Check<CodeScheme>>> & { readonly jwt: Check<JwtScheme> }

/** All of them. A bundle has a module of its own in the place of this one, `#checks`, with those that its sources need. */
export const checks: Checks = {
  'adyen-items': checkAdyenItems,
  'aws-sns': checkAwsSns,
  braintree: checkBraintree,
  contentful: checkContentful,
  ebay: checkEbay,
  'exact-online': checkExactOnline,
  'http-signatures': checkHttpSignatures,
  jwt: checkJwt,
  'microsoft-graph': checkMicrosoftGraph,
  paypal: checkPaypal,
  plivo: checkPlivo,
}

/** By name, so that a bundle can import one without the others. */
export {
  checkAdyenItems,
  checkAwsSns,
  checkBraintree,
  checkContentful,
  checkEbay,
  checkExactOnline,
  checkHttpSignatures,
  checkJwt,
  checkMicrosoftGraph,
  checkPaypal,
  checkPlivo,
}
