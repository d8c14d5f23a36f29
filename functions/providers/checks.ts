import type { CodeName, CodeScheme, JwtScheme } from '../domain/scheme.ts'
import type { Check } from './check-coded.ts'
import { checkAdyenItems } from './coded/adyen-items.ts'
import { checkAwsSns } from './coded/aws-sns.ts'
import { checkBraintree } from './coded/braintree.ts'
import { checkContentful } from './coded/contentful.ts'
import { checkEbay } from './coded/ebay.ts'
import { checkExactOnline } from './coded/exact-online.ts'
import { checkHttpSignatures } from './coded/http-signatures.ts'
import { checkJwt } from './coded/jwt.ts'
import { checkMicrosoftGraph } from './coded/microsoft-graph.ts'
import { checkPaypal } from './coded/paypal.ts'
import { checkPlivo } from './coded/plivo.ts'

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
