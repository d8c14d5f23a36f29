import { iso } from '../../domain/brands.ts'
import * as ebay from '../coded/ebay.ts'
import { ebayChallenge } from '../handshakes/hash-challenge.ts'
import { wooPing } from '../handshakes/pings.ts'
import { providersOf } from './row.ts'
import { code, hmac, jwt, stamp, stamped } from './schemes.ts'

export const commerceRows = providersOf({
  // One event fans out to every topic and shop that subscribed to it.
  shopify: {
    name: 'Shopify',
    scheme: hmac('x-shopify-hmac-sha256', 'base64', { key: { encoding: 'utf8', knownPrefixes: ['shpss_'] } }),
    id: {
      kind: 'id',
      id: ['header:x-shopify-event-id', 'header:x-shopify-webhook-id'],
      scope: ['header:x-shopify-shop-domain', 'header:x-shopify-topic'],
    },
    type: 'header:x-shopify-topic',
    keepHeaders: ['x-shopify-api-version', 'x-shopify-triggered-at'],
    retries: '4h',
    deadline: 5,
    remember: '3d',
    confidence: 'high',
    docs: 'https://shopify.dev/docs/apps/build/webhooks/subscribe/https',
    secret: 'app client secret',
    beware: [
      'X-Shopify-Event-Id identifies the EVENT (docs: same value on more than one webhook = duplicate) and is shared by all subscriptions/topics the event fans out to; X-Shopify-Webhook-Id identifies the DELIVERY to one subscription (stable across its retries). Dedupe on shop-domain + topic + event-id; use webhook-id only if one delivery per subscription must be processed.',
      'Answer 401 on a bad HMAC (checked in app review).',
      'shopify-api 13 also knows a second header family for "events" webhooks (WebhookType.Events): shopify-hmac-sha256, shopify-topic, shopify-event-id, shopify-webhook-id, shopify-shop-domain, shopify-handle, shopify-action, shopify-resource-id, shopify-triggered-at.',
      'Rotation: app client secret can be rotated with two valid secrets; try both for about an hour after rotation.',
    ],
    missed:
      'Its API lists no webhooks. Ask for the objects that changed since (`updated_at_min`), as its documents advise.',
    sample: now => ({
      type: 'orders/create',
      headers: {
        'x-shopify-shop-domain': 'acme.myshopify.com',
        'x-shopify-api-version': '2026-10',
        'x-shopify-webhook-id': 'b54557e4-bdd9-4b37-8a5f-bf7d70bcd043',
        'x-shopify-triggered-at': iso(now),
      },
      body: { id: 1042, email: 'jon@example.com', created_at: iso(now), total_price: '20.00', currency: 'EUR' },
    }),
  },
  // Its delivery id is a hash of the second: two events of one second share it, so it is not used.
  woocommerce: {
    name: 'WooCommerce',
    scheme: hmac('x-wc-webhook-signature', 'base64'),
    id: { kind: 'body', scope: ['header:x-wc-webhook-source', 'header:x-wc-webhook-topic', 'header:x-wc-webhook-id'] },
    type: 'header:x-wc-webhook-topic',
    retries: 'never',
    deadline: 60,
    remember: '2d',
    handshake: wooPing,
    confidence: 'high',
    docs: 'https://woocommerce.com/document/webhooks/',
    secret: 'webhook secret (HTML-entity decoded by the sender; hash algorithm filterable)',
    beware: [
      'Delivery id = wp_hash(webhook id + current unix SECOND): two different events of one webhook in the same second get the SAME id. Do not use alone: combine with sha256(body) and x-wc-webhook-topic.',
    ],
    sample: 'order.created',
  },
  recharge: {
    name: 'Recharge',
    scheme: stamped('x-recharge-webhook-signature', { within: 172_800 }),
    id: 'body',
    retries: '2d',
    deadline: 5,
    remember: '4d',
    docs: 'https://docs.getrecharge.com/docs/webhooks-overview',
    secret: 'API client secret',
    beware: ['It has no event id: the id of the resource and updated_at say what happened.'],
  },
  'tiktok-shop': {
    name: 'TikTok Shop',
    scheme: hmac('authorization', 'hex', { signed: '{config:app_key}{body}' }),
    id: { kind: 'id', id: ['json:tts_notification_id'], integer: true },
    type: 'json:type',
    retries: '936m',
    deadline: 3,
    remember: '3d',
    docs: 'https://partner.tiktokshop.com/docv2/page/tts-webhooks-overview',
    secret: 'app_secret',
    sample: 'ORDER_STATUS_CHANGE',
  },
  ebay: {
    name: 'eBay Notification API',
    scheme: code(ebay, { key: { encoding: 'spki-der-base64' }, keyType: 'ecdsa' }),
    id: 'json:notification.notificationId',
    type: 'json:metadata.topic',
    retries: 'unknown',
    deadline: 3,
    remember: '5d',
    handshake: ebayChallenge,
    config: { verification_token: { takes: 'text', required: false } },
    docs: 'https://developer.ebay.com/api-docs/commerce/notification/overview.html',
    secret:
      'the public key of the kid in x-ebay-signature (behind OAuth, so it is not downloaded), in base64 or as a PEM',
    sample: 'MARKETPLACE_ACCOUNT_DELETION',
  },
  wix: {
    name: 'Wix',
    scheme: jwt({
      token: { in: 'body' },
      algorithms: ['RS256'],
      key: { encoding: 'spki-pem' },
      toleranceSeconds: 172_800,
    }),
    id: { kind: 'id', id: ['jwt:data.data.id'], scope: ['jwt:data.eventType'], otherwise: 'body' },
    type: 'jwt:data.eventType',
    retries: '2d',
    deadline: 1.25,
    remember: '4d',
    docs: 'https://dev.wix.com/docs/rest/articles/getting-started/webhook-resend-policy',
    secret: 'per-app public key',
    sample: () => ({
      type: 'wix.ecom.v1.order_created',
      headers: { 'content-type': 'text/plain' },
      body: { data: { eventType: '', instanceId: '1042', data: { id: '', entityFqdn: 'wix.ecom.v1.order' } } },
    }),
  },
  walmart: {
    name: 'Walmart Marketplace',
    scheme: hmac('wm_sec.signature', 'base64', {
      signed: '{method}\n{path_and_query}\n{ts}\n{body_sha256_hex}',
      ts: stamp('wm_sec.timestamp', 's'),
    }),
    id: 'body',
    type: 'json:eventType',
    retries: 'unknown',
    deadline: 3,
    remember: '3d',
    docs: 'https://developer.walmart.com/us-marketplace/docs/security-and-authenticity',
    secret: 'the webhook secret',
    beware: [
      'Only performance webhooks are signed this way. A subscription can ask for Basic, HMAC or OAuth in the Authorization header instead: use a custom source for these.',
      'The timestamp is the time of the event, not of the delivery: set `tolerance` if late retries are refused.',
      'wm_sec.key_id names the secret while one is rotated.',
    ],
    uncertain: ['How long it retries, and which field names a delivery.'],
    sample: 'PO_CREATED',
  },
  square: {
    name: 'Square',
    scheme: hmac('x-square-hmacsha256-signature', 'base64', { signed: '{url}{body}' }),
    id: 'json:event_id',
    type: 'json:type',
    keepHeaders: ['square-retry-number', 'square-retry-reason'],
    retries: '1d',
    deadline: 10,
    remember: '3d',
    docs: 'https://developer.squareup.com/docs/webhooks/step3validate',
    secret: 'subscription signature key; {url} = notification URL exactly as configured',
    beware: [
      'Same event can be delivered more than once.',
      'Rotation: update signature key API; accept both while rotating.',
    ],
    sample: now => ({
      type: 'payment.updated',
      body: {
        merchant_id: 'ML1042',
        type: '',
        event_id: '',
        created_at: iso(now),
        data: { type: 'payment', id: 'pay_1042', object: { payment: { id: 'pay_1042', status: 'COMPLETED' } } },
      },
    }),
  },
})
