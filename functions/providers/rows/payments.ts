import { iso, toSeconds } from '../../domain/brands.ts'
import * as adyenItems from '../coded/adyen-items.ts'
import * as braintree from '../coded/braintree.ts'
import * as paypal from '../coded/paypal.ts'
import { braintreeChallenge } from '../handshakes/hash-challenge.ts'
import { providersOf } from './row.ts'
import { code, hmac, signedBy, stamp, stamped, token } from './schemes.ts'

export const paymentsRows = providersOf({
  stripe: {
    name: 'Stripe',
    scheme: stamped('stripe-signature', { many: true, key: { encoding: 'utf8', knownPrefixes: ['whsec_'] } }),
    id: 'json:id',
    type: 'json:type',
    retries: '3d',
    remember: '30d',
    confidence: 'high',
    docs: 'https://docs.stripe.com/webhooks',
    secret: 'endpoint secret, used literally INCLUDING the whsec_ prefix (not base64-decoded)',
    beware: [
      'evt_... is the same on automatic retries and manual resends. Stripe may also emit two different Event objects for one change: then compare data.object.id + type. Same account listening on 2 endpoints (or Connect + account endpoint) receives the event once per endpoint with the same id. v2 thin events keep id/type at top level.',
      'Rotation: rolling a secret can keep the old one active up to 24h; during that time several v1= values appear; ignore v0= (test-mode/legacy decoy) and every scheme other than v1.',
    ],
    sample: now => ({
      idPrefix: 'evt_',
      type: 'invoice.paid',
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
      },
      body: {
        id: '',
        object: 'event',
        api_version: '2026-09-30',
        created: toSeconds(now),
        data: {
          object: { id: 'in_1042', object: 'invoice', amount_paid: 2000, currency: 'eur', status: 'paid' },
        },
        livemode: false,
        pending_webhooks: 1,
        request: { id: null, idempotency_key: null },
        type: '',
      },
    }),
  },
  paypal: {
    name: 'PayPal',
    scheme: code(paypal, {
      key: { encoding: 'x509-pem' },
      keyType: 'rsa',
      toleranceSeconds: 259_200,
      downloads: true,
    }),
    id: 'json:id',
    unique: 'header:paypal-transmission-id',
    type: 'json:event_type',
    keepHeaders: ['paypal-transmission-id', 'paypal-transmission-time'],
    retries: '3d',
    remember: '7d',
    config: { webhook_id: { takes: 'text', required: true, example: '1JE4291016473214C' } },
    docs: 'https://developer.paypal.com/api/rest/webhooks/',
    secret: 'nothing, since its certificate is downloaded; or that certificate as a PEM',
    beware: [
      'WH-...; paypal-transmission-id is per transmission. {crc32} = unsigned decimal CRC-32 of the raw body, so the signature covers the body only by CRC: treat id+CRC together.',
      'Rotation: certificate URL changes; nothing else.',
    ],
    sample: 'PAYMENT.CAPTURE.COMPLETED',
  },
  braintree: {
    name: 'Braintree',
    scheme: code(braintree, { key: { encoding: 'sha1(utf8)' } }),
    id: { kind: 'body', of: 'form:bt_payload' },
    retries: '1d',
    deadline: 30,
    remember: '3d',
    handshake: braintreeChallenge,
    config: { public_key: { takes: 'text', required: true } },
    confidence: 'high',
    docs: 'https://developer.paypal.com/braintree/docs/guides/webhooks/overview',
    secret: 'the private API key; config.public_key has the public one',
    beware: [
      'XML inside base64 bt_payload: kind + timestamp + subject id; use sha256(bt_payload).',
      'Rotation: bt_signature holds public_key|signature pairs joined by &; choose the pair of your public key.',
    ],
    sample: now => ({
      type: 'subscription_charged_successfully',
      idAt: 'form:subject',
      form: true,
      write: ({ subject }) => {
        const kind = '<kind>subscription_charged_successfully</kind>'
        const xml = `<notification>${kind}<timestamp type="datetime">${iso(now)}</timestamp><subject><subscription><id>${subject}</id></subscription></subject></notification>`
        return new URLSearchParams({ bt_payload: `${Buffer.from(xml).toString('base64')}\n` }).toString()
      },
    }),
  },
  adyen: {
    name: 'Adyen',
    scheme: {
      kind: 'any',
      of: {
        // The same key signs the fields of items, which begin with no bracket.
        header: hmac('hmacsignature', 'base64', { key: { encoding: 'hex' }, challenges: true }),
        items: code(adyenItems, { key: { encoding: 'hex' } }),
      },
    },
    id: 'body',
    retries: '30d',
    deadline: 10,
    remember: '35d',
    batch: {
      path: 'json:notificationItems',
      id: [
        'NotificationRequestItem.pspReference',
        'NotificationRequestItem.eventCode',
        'NotificationRequestItem.success',
      ],
      type: ['NotificationRequestItem.eventCode'],
    },
    docs: 'https://docs.adyen.com/development-resources/webhooks/troubleshoot',
    secret: 'the HMAC key of the Customer Area, in hex',
    beware: [
      'Duplicates have the same eventCode and pspReference (docs); success flag may differ for repeated AUTHORISATION: include it.',
      'Signature covers 8 fields only, not the body.',
      'Rotation: generate new key; both valid for a while: try both.',
    ],
    sample: now => ({
      type: 'AUTHORISATION',
      idAt: 'json:notificationItems.0.NotificationRequestItem.pspReference',
      body: {
        live: 'false',
        notificationItems: [
          {
            NotificationRequestItem: {
              amount: { currency: 'EUR', value: 2000 },
              eventCode: 'AUTHORISATION',
              eventDate: iso(now),
              merchantAccountCode: 'AcmeCOM',
              merchantReference: 'order-1042',
              success: 'true',
            },
          },
        ],
      },
    }),
  },
  razorpay: {
    name: 'Razorpay',
    scheme: hmac('x-razorpay-signature', 'hex'),
    id: 'header:x-razorpay-event-id',
    type: 'json:event',
    retries: '1d',
    deadline: 5,
    remember: '3d',
    confidence: 'high',
    docs: 'https://razorpay.com/docs/webhooks/',
    secret: 'webhook secret',
    beware: [
      'Rotation: after a secret change, RETRIES of older events are still signed with the OLD secret (docs): keep old secret >= 24 h.',
    ],
    sample: 'payment.captured',
  },
  paystack: {
    name: 'Paystack',
    scheme: hmac('x-paystack-signature', 'hex', { hash: 'sha512' }),
    id: {
      kind: 'id',
      id: ['json:data.id', 'json:data.reference'],
      scope: ['json:event'],
      integer: true,
      otherwise: 'body',
    },
    type: 'json:event',
    retries: '3d',
    deadline: 30,
    remember: '5d',
    docs: 'https://paystack.com/docs/payments/webhooks/',
    secret: 'API secret key (no separate webhook secret)',
    beware: [
      "Event and data.id name an event, so what Paystack says again of one thing (charge.dispute.remind) is a duplicate. To have every other body as an event of its own, set identity: 'body'.",
      'Rotation: API key roll.',
    ],
    sample: 'charge.success',
  },
  flutterwave: {
    name: 'Flutterwave',
    scheme: { kind: 'any', of: { v4: hmac('flutterwave-signature', 'base64'), v3: token('verif-hash') } },
    id: {
      kind: 'id',
      id: ['json:data.id', 'json:id', 'json:webhook_id'],
      scope: ['json:event', 'json:type', 'json:data.status'],
      integer: true,
      otherwise: 'body',
    },
    type: ['json:event', 'json:type'],
    retries: '90m',
    deadline: 60,
    remember: '2d',
    confidence: 'low',
    docs: 'https://developer.flutterwave.com/docs/webhooks',
    secret: 'the secret hash of the dashboard',
    beware: ['Always re-query the transaction before giving value.'],
    uncertain: [
      'That the signature of v4 is base64 was only seen in code of its users, all of which agrees.',
      'Three retries, 30 minutes apart, and a deadline of 60 seconds are from memory.',
    ],
    sample: 'charge.completed',
  },
  // The body is only the id of a payment, the same for each of its changes: none may be dropped.
  mollie: {
    name: 'Mollie (classic)',
    scheme: { kind: 'none' },
    id: 'delivery',
    retries: '26h',
    deadline: 15,
    remember: '3d',
    docs: 'https://docs.mollie.com/reference/webhooks',
    secret: 'nothing: it signs nothing',
    beware: [
      'Object id only (tr_...), repeated for every status change: NEVER drop as duplicate; fetch the resource and compare status.',
    ],
    sample: () => ({ idPrefix: 'tr_', type: 'payment', idAt: 'form:id', form: true, body: { id: '' } }),
  },
  'checkout-com': {
    name: 'Checkout.com',
    scheme: hmac('cko-signature', 'hex'),
    id: 'json:id',
    type: 'json:type',
    retries: 'unknown',
    remember: '5d',
    docs: 'https://checkout.com/docs/workflows/set-up-your-webhook-receiver',
    secret: 'workflow signature key',
    sample: 'payment_captured',
  },
  cashfree: {
    name: 'Cashfree',
    scheme: hmac('x-webhook-signature', 'base64', {
      signed: '{ts}{body}',
      ts: stamp('x-webhook-timestamp', 'any', 3600),
    }),
    id: { kind: 'id', id: ['header:x-idempotency-key'], otherwise: 'body' },
    type: 'json:type',
    retries: '42m',
    remember: '3d',
    docs: 'https://www.cashfree.com/docs/payments/online/webhooks/signature-verification',
    secret: 'the client secret (the partner API key for partner webhooks)',
    beware: [
      'Its example of a timestamp is in milliseconds; seconds are taken as well.',
      'The payment gateway retries after 2, 10 and 30 minutes, unless the dashboard says otherwise.',
    ],
    uncertain: [
      'Whether a retry is signed with a new time: an hour is allowed.',
      'How long payouts, Secure ID and PPI webhooks are retried.',
    ],
    sample: 'PAYMENT_SUCCESS_WEBHOOK',
  },
  solidgate: {
    name: 'Solidgate',
    scheme: hmac('signature', 'base64(hex)', {
      hash: 'sha512',
      signed: '{header:merchant}{body}{header:merchant}',
      key: { encoding: 'utf8', knownPrefixes: ['wh_sk_'] },
    }),
    id: 'header:solidgate-event-id',
    type: 'header:solidgate-event-type',
    keepHeaders: ['merchant'],
    retries: '56h',
    deadline: 30,
    remember: '5d',
    docs: 'https://docs.solidgate.com/payments/webhooks/',
    secret: 'wh_sk_',
    sample: () => ({
      type: 'card_gate.order.updated',
      headers: { merchant: 'wh_pk_1042' },
      body: { order: { order_id: '1042', status: 'settle_ok', amount: 2000, currency: 'EUR' } },
    }),
  },
  'wechat-pay': {
    name: 'WeChat Pay APIv3',
    scheme: signedBy('rsa', 'wechatpay-signature', 'base64', {
      hash: 'sha256',
      signed: '{ts}\n{header:wechatpay-nonce}\n{body}\n',
      key: { encoding: 'spki-pem' },
      ts: stamp('wechatpay-timestamp', 's'),
    }),
    id: 'json:id',
    type: 'json:event_type',
    keepHeaders: ['wechatpay-serial'],
    retries: '1d',
    deadline: 5,
    remember: '3d',
    docs: 'https://pay.weixin.qq.com/doc/v3/merchant/4012365342',
    secret: "the platform's public key or certificate, as a PEM",
    beware: ['Resource is AES-256-GCM encrypted.'],
    sample: now => ({
      type: 'TRANSACTION.SUCCESS',
      headers: { 'wechatpay-nonce': 'EqKfAQ1042', 'wechatpay-serial': '1042' },
      body: { id: '', create_time: iso(now), resource_type: 'encrypt-resource', event_type: '', resource: {} },
    }),
  },
})
