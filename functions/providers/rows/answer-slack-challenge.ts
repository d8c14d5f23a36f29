import type { Handshake } from '../../domain/provider.ts'

/** Saving a request URL in Slack sends a challenge, which is sent back as it came. */
export const answerSlackChallenge: Handshake = (_, json) =>
  isChallenge(json) ? { status: 200, contentType: 'text/plain', body: json.challenge } : undefined

const isChallenge = (json: unknown): json is { readonly challenge: string } =>
  typeof json === 'object' &&
  json !== null &&
  'type' in json &&
  json.type === 'url_verification' &&
  'challenge' in json &&
  typeof json.challenge === 'string'
