import type { HandshakeReply } from '../../domain/provider.ts'

/** What an echo may hold: printable ASCII without markup, and no longer than any sender's. */
const ECHOED = /^[\x20-\x7e]{1,1024}$/
const MARKUP = /[<>&"'`\\]/

/** Only text that nobody could run: a caller who is not known yet must not have a page of ours show what it likes. */
export const isEchoable = (value: unknown): value is string =>
  typeof value === 'string' && ECHOED.test(value) && !MARKUP.test(value)

export const sayText = (body: string): HandshakeReply => ({ status: 200, contentType: 'text/plain', body })

export const sayJson = (value: unknown): HandshakeReply => ({
  status: 200,
  contentType: 'application/json',
  body: JSON.stringify(value),
})

export const sayNothing = (status: 200 | 204 | 403, contentType = 'text/plain'): HandshakeReply => ({
  status,
  contentType,
  body: '',
})
