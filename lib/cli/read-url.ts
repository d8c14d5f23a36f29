import { type Refusal, refuse } from '../connect/refusal.ts'

export const readUrl = (text: string | undefined): string | undefined | Refusal =>
  text === undefined || (/^https?:/.test(text) && URL.canParse(text))
    ? text
    : refuse(`--url ${text} is not a URL: expected a whole URL that begins with http:// or https://.`, 2)
