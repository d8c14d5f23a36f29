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
  },
  // Its delivery id is a hash of the second: two events of one second share it, so that it is not used.
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
  },
  recharge: {
    name: 'Recharge',
    scheme: stamped('x-recharge-webhook-signature', { within: 172_800 }),
    id: 'body',
    retries: '2d',
    deadline: 5,
    remember: '4d',
    docs: 'https://docs.getrecharge.com/docs/webhooks-overview',
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
  },
  walmart: {
    name: 'Walmart Marketplace',
    scheme: hmac('wm_sec.signature', 'base64', {
      signed: '{method}\n{path}\n{ts}\n{body_sha256_hex}',
      ts: stamp('wm_sec.timestamp', 's'),
    }),
    id: 'body',
    type: 'json:eventType',
    retries: 'unknown',
    deadline: 3,
    remember: '3d',
    confidence: 'low',
    docs: 'https://developer.walmart.com/',
  },
})
