import type { Provider } from '../../domain/provider.ts'
import { answerDiscordPing } from './answer-discord-ping.ts'
import { answerSlackChallenge } from './answer-slack-challenge.ts'

export const communicationRows = {
  slack: {
    id: 'slack',
    name: 'Slack',
    scheme: {
      kind: 'hmac',
      hash: 'sha256',
      sig: { in: 'header', name: 'x-slack-signature', layout: 'prefix', prefix: 'v0=', encoding: 'hex' },
      signed: 'v0:{ts}:{body}',
      key: { encoding: 'utf8' },
      ts: { in: 'header', name: 'x-slack-request-timestamp', unit: 's', toleranceSeconds: 300 },
    },
    /** Events; then interactivity, whose JSON is in a form; then slash commands, which are all form. */
    identity: { kind: 'id', id: ['json:event_id', 'json:trigger_id', 'form:trigger_id'] },
    type: ['json:event.type', 'json:type', 'form:command'],
    keepHeaders: ['x-slack-retry-num', 'x-slack-retry-reason'],
    retry: { windowSeconds: 360 },
    replayWindowSeconds: 86_400,
    handshake: answerSlackChallenge,
    docs: 'https://docs.slack.dev/authentication/verifying-requests-from-slack',
  },
  discord: {
    id: 'discord',
    name: 'Discord',
    scheme: {
      kind: 'ed25519',
      sig: { in: 'header', name: 'x-signature-ed25519', layout: 'plain', encoding: 'hex' },
      signed: '{ts}{body}',
      key: { encoding: 'raw-hex' },
      ts: { in: 'header', name: 'x-signature-timestamp', unit: 's', toleranceSeconds: 300 },
    },
    identity: { kind: 'body' },
    type: ['json:event.type'],
    retry: { windowSeconds: 600 },
    replayWindowSeconds: 86_400,
    handshake: answerDiscordPing,
    docs: 'https://docs.discord.com/developers/events/webhook-events',
  },
  twilio: {
    id: 'twilio',
    name: 'Twilio',
    scheme: { kind: 'twilio', header: 'x-twilio-signature' },
    identity: { kind: 'id', id: ['header:i-twilio-idempotency-token'] },
    type: ['form:MessageStatus', 'form:CallStatus', 'form:EventType'],
    retry: { windowSeconds: 60 },
    replayWindowSeconds: 86_400,
    docs: 'https://www.twilio.com/docs/usage/webhooks/webhooks-security',
  },
} satisfies Record<string, Provider>
