import { type Refusal, refuse } from '../connect/refusal.ts'

export const readUrl = (text: string | undefined, name = 'url'): string | undefined | Refusal =>
  text === undefined || (/^https?:/.test(text) && URL.canParse(text))
    ? text
    : refuse(`--${name} ${text} is not a URL: expected a whole URL that begins with http:// or https://.`, 2)
