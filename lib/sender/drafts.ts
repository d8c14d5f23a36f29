import { iso, type Millis, toSeconds } from '../../functions/domain/brands.ts'
import type { Draft } from './draft.ts'

const JSON_HEADERS = { 'content-type': 'application/json' }
const FORM_HEADERS = { 'content-type': 'application/x-www-form-urlencoded' }

/** A body that is a list of one. */
const list = (item: object): Draft['body'] => [item] as unknown as Draft['body']

/** Senders whose bodies are worth the detail. The others are drawn from their rows, see draft.ts. */
export const DRAFTS: Readonly<Record<string, (now: Millis) => Draft>> = {
  stripe: now => ({
    idPrefix: 'evt_',
    type: 'payment_intent.succeeded',
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
    },
    body: {
      id: '',
      object: 'event',
      api_version: '2026-09-30',
      created: toSeconds(now),
      data: { object: { id: 'pi_1042', object: 'payment_intent', amount: 2000, currency: 'eur', status: 'succeeded' } },
      livemode: false,
      pending_webhooks: 1,
      request: { id: null, idempotency_key: null },
      type: '',
    },
  }),
  github: () => ({
    idPrefix: '',
    type: 'issues',
    headers: { ...JSON_HEADERS, 'user-agent': 'GitHub-Hookshot/1042abc', 'x-github-hook-id': '1042' },
    body: {
      action: 'opened',
      issue: { number: 1042, title: 'It works on my machine', state: 'open' },
      repository: { id: 1042, full_name: 'acme/rocket' },
      sender: { login: 'octocat', id: 583231 },
    },
  }),
  shopify: now => ({
    idPrefix: '',
    type: 'orders/create',
    headers: {
      ...JSON_HEADERS,
      'x-shopify-shop-domain': 'acme.myshopify.com',
      'x-shopify-api-version': '2026-10',
      'x-shopify-webhook-id': 'b54557e4-bdd9-4b37-8a5f-bf7d70bcd043',
      'x-shopify-triggered-at': iso(now),
    },
    body: { id: 1042, email: 'jon@example.com', created_at: iso(now), total_price: '20.00', currency: 'EUR' },
  }),
  slack: now => ({
    idPrefix: 'Ev',
    type: 'app_mention',
    headers: { ...JSON_HEADERS },
    body: {
      type: 'event_callback',
      team_id: 'T1042',
      api_app_id: 'A1042',
      event: { type: '', user: 'U1042', text: 'hello', channel: 'C1042', ts: `${toSeconds(now)}.000100` },
      event_id: '',
      event_time: toSeconds(now),
    },
  }),
  twilio: () => ({
    idPrefix: '',
    type: 'delivered',
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'user-agent': 'TwilioProxy/1.1' },
    body: { MessageSid: `SM${'1042'.repeat(8)}`, MessageStatus: '', From: '+15005550006', To: '+15005550009' },
  }),
  square: now => ({
    idPrefix: '',
    type: 'payment.updated',
    headers: { ...JSON_HEADERS },
    body: {
      merchant_id: 'ML1042',
      type: '',
      event_id: '',
      created_at: iso(now),
      data: { type: 'payment', id: 'pay_1042', object: { payment: { id: 'pay_1042', status: 'COMPLETED' } } },
    },
  }),
  paddle: now => ({
    idPrefix: 'evt_',
    type: 'transaction.completed',
    headers: { ...JSON_HEADERS },
    body: {
      event_id: '',
      event_type: '',
      occurred_at: iso(now),
      notification_id: 'ntf_1042',
      data: { id: 'txn_1042', status: 'completed', currency_code: 'EUR' },
    },
  }),
  gitlab: () => ({
    idPrefix: '',
    type: 'Push Hook',
    headers: { ...JSON_HEADERS, 'x-gitlab-instance': 'https://gitlab.example.com' },
    body: { object_kind: 'push', ref: 'refs/heads/main', project: { id: 1042, path_with_namespace: 'acme/rocket' } },
  }),
  discord: now => ({
    idPrefix: '',
    type: 'APPLICATION_AUTHORIZED',
    idAt: 'json:event.data.user.id',
    headers: { ...JSON_HEADERS },
    body: {
      version: 1,
      application_id: '1042',
      type: 1,
      event: { type: '', timestamp: iso(now), data: { integration_type: 0, user: { username: 'octocat' } } },
    },
  }),
  adyen: now => ({
    idPrefix: '',
    type: 'AUTHORISATION',
    idAt: 'json:notificationItems.0.NotificationRequestItem.pspReference',
    headers: { ...JSON_HEADERS },
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
  'aws-sns': () => ({
    idPrefix: '',
    type: 'Notification',
    headers: { 'content-type': 'text/plain; charset=UTF-8', 'x-amz-sns-message-type': 'Notification' },
    body: {
      TopicArn: 'arn:aws:sns:eu-central-1:123456789012:orders',
      Subject: 'Order 1042',
      Message: '{"order":1042}',
    },
  }),
  braintree: now => ({
    idPrefix: '',
    type: 'subscription_charged_successfully',
    idAt: 'form:subject',
    headers: { ...FORM_HEADERS },
    body: {},
    write: ({ subject }) => {
      const kind = '<kind>subscription_charged_successfully</kind>'
      const xml = `<notification>${kind}<timestamp type="datetime">${iso(now)}</timestamp><subject><subscription><id>${subject}</id></subscription></subject></notification>`
      return new URLSearchParams({ bt_payload: `${Buffer.from(xml).toString('base64')}\n` }).toString()
    },
  }),
  plivo: () => ({
    idPrefix: '',
    type: 'delivered',
    idAt: 'form:MessageUUID',
    headers: { ...FORM_HEADERS },
    body: { MessageUUID: '', Status: '', From: '15005550006', To: '15005550009' },
  }),
  mailchimp: now => ({
    idPrefix: '',
    type: 'subscribe',
    idAt: 'form:data[id]',
    headers: { ...FORM_HEADERS },
    body: { type: '', fired_at: iso(now), 'data[id]': '', 'data[email]': 'jon@example.com' },
  }),
  mollie: () => ({ idPrefix: 'tr_', type: 'payment', idAt: 'form:id', headers: { ...FORM_HEADERS }, body: { id: '' } }),
  mailgun: now => ({
    idPrefix: '',
    type: 'delivered',
    headers: { ...JSON_HEADERS },
    body: {
      signature: { timestamp: '', token: '1042'.repeat(12), signature: '' },
      'event-data': { event: '', timestamp: toSeconds(now), recipient: 'jon@example.com' },
    },
  }),
  'microsoft-graph': () => ({
    idPrefix: '',
    type: 'updated',
    idAt: 'json:value.0.id',
    headers: { ...JSON_HEADERS },
    body: { value: [{ subscriptionId: 'sub-1042', changeType: 'updated', resource: 'Users/1042/Messages/1042' }] },
  }),
  sendgrid: now => ({
    idPrefix: '',
    type: 'delivered',
    idAt: 'json:0.sg_event_id',
    headers: { ...JSON_HEADERS },
    body: list({ email: 'jon@example.com', event: 'delivered', timestamp: toSeconds(now) }),
  }),
  hubspot: now => ({
    idPrefix: '',
    type: 'contact.creation',
    idAt: 'json:0.objectId',
    headers: { ...JSON_HEADERS },
    body: list({
      eventId: 1042,
      subscriptionId: 1,
      portalId: 1042,
      occurredAt: now,
      subscriptionType: 'contact.creation',
      attemptNumber: 0,
    }),
  }),
  auth0: now => ({
    idPrefix: '',
    type: 's',
    idAt: 'json:0.log_id',
    headers: { ...JSON_HEADERS },
    body: list({ data: { type: 's', date: iso(now), user_id: 'auth0|1042' } }),
  }),
  'azure-event-grid': now => ({
    idPrefix: '',
    type: 'Microsoft.Storage.BlobCreated',
    idAt: 'json:0.id',
    headers: { ...JSON_HEADERS, 'aeg-event-type': 'Notification' },
    body: list({
      eventType: 'Microsoft.Storage.BlobCreated',
      subject: 'blobs/1042',
      eventTime: iso(now),
      data: {},
      dataVersion: '1',
    }),
  }),
  mailchannels: now => ({
    idPrefix: '',
    type: 'delivered',
    idAt: 'json:0.request_id',
    headers: { ...JSON_HEADERS },
    body: list({ event: 'delivered', email: 'jon@example.com', timestamp: toSeconds(now) }),
  }),
  wix: () => ({
    idPrefix: '',
    type: 'wix.ecom.v1.order_created',
    headers: { 'content-type': 'text/plain' },
    body: { data: { eventType: '', instanceId: '1042', data: { id: '', entityFqdn: 'wix.ecom.v1.order' } } },
  }),
  'google-channels': () => ({
    idPrefix: '',
    type: 'exists',
    headers: { 'x-goog-channel-id': 'channel-1042', 'x-goog-resource-id': 'resource-1042' },
    body: {},
    write: () => '',
  }),
  'salesforce-outbound': () => ({
    idPrefix: '',
    type: 'Account',
    idAt: 'json:id',
    headers: { 'content-type': 'text/xml; charset=UTF-8', soapaction: '""' },
    body: {},
    write: ({ id }) =>
      `<?xml version="1.0" encoding="UTF-8"?><soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/"><soapenv:Body><notifications xmlns="http://soap.sforce.com/2005/09/outbound"><Notification><Id>${id}</Id></Notification></notifications></soapenv:Body></soapenv:Envelope>`,
  }),
  solidgate: () => ({
    idPrefix: '',
    type: 'card_gate.order.updated',
    headers: { ...JSON_HEADERS, merchant: 'wh_pk_1042' },
    body: { order: { order_id: '1042', status: 'settle_ok', amount: 2000, currency: 'EUR' } },
  }),
  'wechat-pay': now => ({
    idPrefix: '',
    type: 'TRANSACTION.SUCCESS',
    headers: { ...JSON_HEADERS, 'wechatpay-nonce': 'EqKfAQ1042', 'wechatpay-serial': '1042' },
    body: { id: '', create_time: iso(now), resource_type: 'encrypt-resource', event_type: '', resource: {} },
  }),
}
