import { iso, toSeconds } from '../../domain/brands.ts'
import * as httpSignatures from '../coded/http-signatures.ts'
import { echoQuery } from '../handshakes/echo-query.ts'
import { present } from '../handshakes/present.ts'
import { providersOf } from './row.ts'
import { code, hmac, signedBy, stamp, token } from './schemes.ts'

export const emailRows = providersOf({
  sendgrid: {
    name: 'SendGrid',
    scheme: signedBy('ecdsa', 'x-twilio-email-event-webhook-signature', 'base64', {
      hash: 'sha256',
      signed: '{ts}{body}',
      key: { encoding: 'spki-der-base64' },
      ts: stamp('x-twilio-email-event-webhook-timestamp', 's', 600),
    }),
    id: 'body',
    retries: '1d',
    remember: '3d',
    batch: { path: 'root array', id: ['sg_event_id'], type: ['event'] },
    docs: 'https://www.twilio.com/docs/sendgrid/for-developers/tracking-events/getting-started-event-webhook-security-features',
    secret: 'verification key from Mail Settings (public)',
    beware: [
      'Body is a JSON ARRAY; dedupe per item. Raw body usually ends with CRLF: keep the bytes.',
      'Rotation: new key pair when re-enabled; one signature.',
    ],
    sample: now => ({
      type: 'delivered',
      idAt: 'json:0.sg_event_id',
      body: [{ email: 'jon@example.com', event: 'delivered', timestamp: toSeconds(now) }],
    }),
  },
  mailgun: {
    name: 'Mailgun',
    scheme: {
      kind: 'hmac',
      hash: 'sha256',
      sig: { in: 'json', name: 'signature.signature', layout: 'plain', encoding: 'hex' },
      signed: '{ts}{json:signature.token}',
      key: { encoding: 'utf8', knownPrefixes: ['key-'] },
      ts: { in: 'json', name: 'signature.timestamp', unit: 's', toleranceSeconds: 28_800 },
    },
    id: 'json:event-data.id',
    unique: 'json:signature.token',
    type: 'json:event-data.event',
    retries: '8h',
    remember: '3d',
    docs: 'https://documentation.mailgun.com/docs/mailgun/user-manual/webhooks/webhooks',
    secret: 'HTTP webhook signing key',
    beware: [
      'SIGNATURE DOES NOT COVER THE BODY: only timestamp+token. An attacker who sees one delivery can attach its signature to any body: cache tokens (one use) as docs advise. Token reuse on a genuine retry is undocumented, so key the cache on token+event id.',
      'Rotation: one key; sub-accounts may add parent-signature.',
    ],
    sample: now => ({
      type: 'delivered',
      body: {
        signature: { timestamp: '', token: '', signature: '' },
        'event-data': { event: '', timestamp: toSeconds(now), recipient: 'jon@example.com' },
      },
    }),
  },
  postmark: {
    name: 'Postmark',
    scheme: { kind: 'basic' },
    id: {
      kind: 'id',
      id: ['json:MessageID'],
      scope: [
        'json:RecordType',
        'json:Recipient',
        'json:Email',
        'json:ID',
        'json:ReceivedAt',
        'json:DeliveredAt',
        'json:BouncedAt',
        'json:ChangedAt',
      ],
      integer: true,
      otherwise: 'body',
    },
    type: 'json:RecordType',
    retries: '630m',
    remember: '2d',
    docs: 'https://postmarkapp.com/developer/webhooks/webhooks-overview',
    secret: 'user:password placed in the webhook URL (or custom HTTP headers)',
    beware: [
      'It takes only a 200 for an answer, so the 202 of a new event makes it send once more. That one is a duplicate.',
      'A 403 ends its retries. Ten retries in ten and a half hours are documented for inbound webhooks; bounce and delivery webhooks may have fewer.',
      'Rotation: edit URL.',
    ],
    sample: 'Delivery',
  },
  brevo: {
    name: 'Brevo',
    scheme: {
      kind: 'token',
      token: { in: 'header', name: 'authorization', prefix: 'Bearer ', prefixOptional: true },
      key: { encoding: 'utf8' },
    },
    id: 'body',
    type: 'json:event',
    // It tries five times in eleven hours, but not after any 4xx or 5xx: what we cannot take now, it does not send again.
    retries: 'never',
    remember: '2d',
    docs: 'https://developers.brevo.com/docs/retry-mechanism',
    secret:
      'the bearer token of the webhook; or, with user:password in its URL, `Basic ` and the two in base64, as the header has them',
    beware: [
      'It repeats a delivery only after a 429 or no answer at all: any other 4xx or 5xx discards it. So bodies are stored before they are queued.',
      'event, message-id and ts_epoch name an event.',
    ],
    sample: 'delivered',
  },
  nylas: {
    name: 'Nylas v3',
    scheme: hmac('x-nylas-signature', 'hex'),
    id: 'json:id',
    type: 'json:type',
    retries: '20m',
    givesUpOn4xx: true,
    deadline: 10,
    remember: '2d',
    handshake: echoQuery('GET', 'challenge'),
    docs: 'https://developer.nylas.com/docs/v3/notifications/',
    secret: 'webhook_secret',
    beware: [
      'CloudEvents id; webhook_delivery_attempt counts.',
      'Content-Encoding: gzip bodies: HMAC is over the COMPRESSED bytes.',
      'Compressed deliveries are refused (415): switch compression off.',
    ],
    sample: 'message.created',
  },
  mailchannels: {
    name: 'MailChannels',
    scheme: code(httpSignatures, {
      key: { encoding: 'spki-der-base64' },
      keyType: 'ed25519',
      toleranceSeconds: 300,
    }),
    id: 'body',
    retries: 'unknown',
    remember: '2d',
    confidence: 'low',
    docs: 'https://docs.mailchannels.com/email-api/webhooks',
    secret: 'the public key of /tx/v1/webhook/public-key, in base64 or as a PEM',
    missed:
      'Its API lists the batches that it posted, with the status that it got (GET /tx/v1/webhook-batch), and sends one again (POST /tx/v1/webhook-batch/{batch_id}/resend).',
    uncertain: [
      'Its documents name Content-Digest, Signature-Input, Signature and the call for the key; which parts of a request it signs was only seen in a library of somebody else (mailchannels-sdk).',
      'Whether it retries, and how long.',
    ],
    sample: now => ({
      type: 'delivered',
      idAt: 'json:0.request_id',
      body: [{ event: 'delivered', email: 'jon@example.com', timestamp: toSeconds(now) }],
    }),
  },
  mailchimp: {
    name: 'Mailchimp Marketing',
    scheme: token('secret', 'query'),
    id: 'body',
    type: 'form:type',
    retries: '75m',
    deadline: 10,
    remember: '2d',
    handshake: present('GET'),
    docs: 'https://mailchimp.com/developer/marketing/guides/sync-audience-data-webhooks/',
    secret: 'the value of ?secret= in the URL',
    beware: [
      'It signs nothing: a secret in the URL is what its guide advises.',
      'type, fired_at and data[id] say what happened.',
    ],
    sample: now => ({
      type: 'subscribe',
      idAt: 'form:data[id]',
      form: true,
      body: { type: '', fired_at: iso(now), 'data[id]': '', 'data[email]': 'jon@example.com' },
    }),
  },
  // The unit of its timestamp is not documented.
  klaviyo: {
    name: 'Klaviyo system webhooks',
    scheme: hmac('klaviyo-signature', 'hex', { signed: '{body}{ts}', ts: stamp('klaviyo-timestamp', 'any') }),
    id: 'body',
    keepHeaders: ['klaviyo-webhook-id'],
    retries: 'unknown',
    remember: '3d',
    batch: { path: 'json:data', id: ['external_id'], type: ['topic'], most: 1000 },
    docs: 'https://developers.klaviyo.com/en/docs/working_with_system_webhooks',
    secret: 'secret_key set on the webhook',
    beware: [
      'Up to 1000 per request; klaviyo-webhook-id names the subscription.',
      'Flow "Webhook" action is unsigned.',
    ],
  },
  customerio: {
    name: 'Customer.io',
    scheme: hmac('x-cio-signature', 'hex', { signed: 'v0:{ts}:{body}', ts: stamp('x-cio-timestamp', 's', 604_800) }),
    id: 'json:event_id',
    type: 'json:metric',
    retries: '7d',
    deadline: 4,
    remember: '9d',
    docs: 'https://docs.customer.io/journeys/webhooks/',
    secret: 'per-endpoint signing secret',
    beware: ['Header has NO v0= prefix although the signed string starts with v0:.'],
    sample: 'delivered',
  },
})
