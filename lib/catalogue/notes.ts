/** What a person should know about a sender: what its secret is, and what its documents warn of. Not for machines. */
export interface Notes {
  /** What to put into the secret store. */
  readonly secret: string
  readonly beware: readonly string[]
}

export const notesOn = (provider: string): Notes =>
  (Object.hasOwn(NOTES, provider) ? NOTES[provider] : undefined) ?? { secret: '', beware: [] }

const NOTES: Readonly<Record<string, Notes>> = {
  stripe: {
    secret: 'endpoint secret, used literally INCLUDING the whsec_ prefix (not base64-decoded)',
    beware: [
      'evt_... is the same on automatic retries and manual resends. Stripe may also emit two different Event objects for one change: then compare data.object.id + type. Same account listening on 2 endpoints (or Connect + account endpoint) receives the event once per endpoint with the same id. v2 thin events keep id/type at top level.',
      'Rotation: rolling a secret can keep the old one active up to 24h; during that time several v1= values appear; ignore v0= (test-mode/legacy decoy) and every scheme other than v1.',
    ],
  },
  github: {
    secret: 'webhook secret',
    beware: [
      'A REDELIVERY (manual or API) carries the SAME X-GitHub-Delivery as the original (stated by docs). If two hooks (repo + org + app) match, each hook has its own delivery GUID: scope by x-github-hook-id.',
      'Content type may be application/x-www-form-urlencoded with payload=<json>; the HMAC is still over the raw (form-encoded) body.',
      'Bodies up to 25 MB.',
      'Rotation: one secret per hook; receivers accept old+new themselves (octokit verifyWithFallback).',
    ],
  },
  shopify: {
    secret: 'app client secret',
    beware: [
      'X-Shopify-Event-Id identifies the EVENT (docs: same value on more than one webhook = duplicate) and is shared by all subscriptions/topics the event fans out to; X-Shopify-Webhook-Id identifies the DELIVERY to one subscription (stable across its retries). Dedupe on shop-domain + topic + event-id; use webhook-id only if one delivery per subscription must be processed.',
      'Answer 401 on a bad HMAC (checked in app review).',
      'shopify-api 13 also knows a second header family for "events" webhooks (WebhookType.Events): shopify-hmac-sha256, shopify-topic, shopify-event-id, shopify-webhook-id, shopify-shop-domain, shopify-handle, shopify-action, shopify-resource-id, shopify-triggered-at.',
      'Rotation: app client secret can be rotated with two valid secrets; try both for about an hour after rotation.',
    ],
  },
  slack: {
    secret: 'app signing secret',
    beware: [
      'Only event_callback envelopes have event_id (Ev...). Interactive payloads and slash commands are form-encoded (payload=... or fields) and have trigger_id / no retry. The same workspace event is sent once per app, authorizations may list several teams.',
      'Rotation: single signing secret; regenerate invalidates (accept old+new yourself).',
    ],
  },
  twilio: {
    secret: 'account Auth Token (primary)',
    beware: [
      'Business alternative: MessageSid/CallSid + MessageStatus/CallStatus (+ RecordingSid). One MessageSid legitimately produces several status callbacks.',
      'URL must be the one Twilio called (scheme/host/port/proxy!); SDK tries with and without the default port and with legacy query encoding.',
      'connection-override fragment is not part of the signed URL.',
      'No timestamp: no replay protection, so dedupe is the only defence.',
      'Rotation: secondary auth token can be promoted; accept both while rotating.',
    ],
  },
  square: {
    secret: 'subscription signature key; {url} = notification URL exactly as configured',
    beware: [
      'Same event can be delivered more than once.',
      'Rotation: update signature key API; accept both while rotating.',
    ],
  },
  'standard-webhooks': {
    secret: 'per-endpoint secret, base64 after whsec_',
    beware: [
      'Spec: unique per event, unchanged on retries; spec only suggests remembering ids for ~5 min, which is too short for retry dedupe.',
      'Rotation: space-separated list of version,signature items; accept if any v1 (or v1a) matches; skip unknown versions.',
    ],
  },
  svix: {
    secret: 'per-endpoint secret, base64 after whsec_',
    beware: [
      'Unique across messages, same when the message is re-sent (manual replay too). Fan-out to 2 endpoints of the same app: same id on both.',
      'white-labelled senders use webhook-* header names: accept both families.',
      'Svix libraries accept both.',
      'Rotation: as Standard Webhooks (old secret stays valid 24 h by default).',
    ],
  },
  openai: { secret: 'per-endpoint secret, base64 after whsec_', beware: [] },
  clerk: { secret: 'per-endpoint secret, base64 after whsec_', beware: [] },
  resend: {
    secret: 'per-endpoint secret, base64 after whsec_',
    beware: ['data.email_id repeats for every event of one mail: never dedupe on it alone.'],
  },
  replicate: { secret: 'per-endpoint secret, base64 after whsec_', beware: [] },
  lithic: { secret: 'per-endpoint secret, base64 after whsec_', beware: [] },
  anthropic: { secret: 'per-endpoint secret, base64 after whsec_', beware: [] },
  brex: { secret: 'per-endpoint secret, base64 after whsec_', beware: [] },
  'incident-io': { secret: 'per-endpoint secret, base64 after whsec_', beware: [] },
  render: { secret: 'per-endpoint secret, base64 after whsec_', beware: [] },
  stytch: { secret: 'per-endpoint secret, base64 after whsec_', beware: [] },
  beehiiv: { secret: 'per-endpoint secret, base64 after whsec_', beware: [] },
  'supabase-auth-hook': {
    secret: 'secret shown as v1,whsec_<base64>; several may be |-separated in config',
    beware: [
      'Hook is synchronous: the RESPONSE BODY matters (e.g. claims).',
      'Payload limit 20 KB.',
      'Supabase DATABASE webhooks (pg_net) are unsigned: put a token in a custom header.',
      'Rotation: config may hold several secrets separated by |.',
      'Hooks wait for an answer with content, which a queue cannot give.',
    ],
  },
  polar: {
    secret:
      'dashboard secret used as raw UTF-8 bytes (SDK base64-encodes it before handing it to standardwebhooks); never base64-decode it',
    beware: [],
  },
  paddle: {
    secret: 'notification secret pdl_ntfset_... used literally',
    beware: [
      'event_id = the event; notification_id = this notification (destination), also stable on its retries but new on replay.',
      'Rotation: several h1= values may appear while rotating (docs); the Node SDK only looks at the last h1.',
    ],
  },
  paypal: {
    secret: 'nothing, since its certificate is downloaded; or that certificate as a PEM',
    beware: [
      'WH-...; paypal-transmission-id is per transmission. {crc32} = unsigned decimal CRC-32 of the raw body, so the signature covers the body only by CRC: treat id+CRC together.',
      'Rotation: certificate URL changes; nothing else.',
    ],
  },
  sendgrid: {
    secret: 'verification key from Mail Settings (public)',
    beware: [
      'Body is a JSON ARRAY; dedupe per item. Raw body usually ends with CRLF: keep the bytes.',
      'Rotation: new key pair when re-enabled; one signature.',
    ],
  },
  discord: {
    secret: 'application public key',
    beware: [
      'Webhook events carry no event id: use hash of raw body, or event.type+event.timestamp+data ids. Interactions have json:id (unique snowflake, never retried).',
    ],
  },
  zoom: {
    secret: 'app Secret Token',
    beware: [
      'No documented event id: use event + event_ts (ms) + payload.object.uuid|id, or hash of body; header x-zm-trackingid exists on deliveries but stability on retry is undocumented.',
      'Rotation: token regenerate; accept both yourself.',
    ],
  },
  zendesk: {
    secret: 'webhook signing secret used literally (looks like base64 but is NOT decoded)',
    beware: [
      'API model: one invocation has many attempts; json:id also present for event-subscription webhooks; trigger webhooks have a custom body.',
      'Test webhooks are signed with the static secret dGhpc19zZWNyZXRfaXNfZm9yX3Rlc3Rpbmdfb25seQ==.',
      'GET/DELETE webhooks have no body: sign timestamp only.',
      'Rotation: reset secret API.',
    ],
  },
  intercom: {
    secret: 'app client_secret',
    beware: ['notif_...; delivery_attempts counts tries; some accounts see X-Body-Signature.'],
  },
  linear: {
    secret: 'webhook signing secret',
    beware: [
      'UUID v4 identifying this payload; stability on retry not stated: combine with webhookId + data.id + updatedAt if needed.',
    ],
  },
  vercel: {
    secret: 'webhook secret (account webhooks) or integration client secret',
    beware: [
      'Id of the webhook event; log drains have no id.',
      'Log drains, which ask for a header of their own, are not webhooks and are not answered.',
    ],
  },
  gitlab: {
    secret: 'the secret token, or the signing token (whsec_...)',
    beware: [
      'Since 17.4; consistent across retries and UI/API "Resend". X-Gitlab-Event-UUID is shared by RECURSIVE webhooks (not unique) and X-Gitlab-Webhook-UUID identifies the hook (16.2: per webhook), so neither is a dedupe key.',
      'Rotation: none for the token.',
    ],
  },
  bitbucket: {
    secret: 'webhook secret (optional)',
    beware: [
      'Unsigned when no secret is set.',
      'Header name X-Hub-Signature but algorithm SHA-256 (Intercom uses the same name with SHA-1): never key a parser on the header name alone.',
    ],
  },
  mailgun: {
    secret: 'HTTP webhook signing key',
    beware: [
      'SIGNATURE DOES NOT COVER THE BODY: only timestamp+token. An attacker who sees one delivery can attach its signature to any body: cache tokens (one use) as docs advise. Token reuse on a genuine retry is undocumented, so key the cache on token+event id.',
      'Rotation: one key; sub-accounts may add parent-signature.',
    ],
  },
  hubspot: {
    secret: 'the client secret of the app',
    beware: [
      'Docs: eventId is NOT guaranteed unique: dedupe on portalId+subscriptionId+eventId+objectId+occurredAt(+propertyName); attemptNumber counts tries.',
      '{url} is the full https URL; certain %-escapes must be decoded before hashing (v3): %3A %2F %3F %40 %21 %24 %27 %28 %29 %2A %2C %3B.',
      'v1 and v2 are plain hashes that a captured delivery could be appended to; pin v3 with config.variant where it is enough.',
    ],
  },
  dropbox: {
    secret: 'app secret',
    beware: [
      'Thin ping: list_folder.accounts[] + delta.users[]; nothing to dedupe, use per-account cursor.',
      'A retry is an event of its own: a ping carries nothing to tell it from news.',
    ],
  },
  typeform: { secret: 'webhook secret', beware: ['form_response.token identifies the submission.'] },
  calendly: { secret: 'webhook signing key', beware: ['No delivery id: use event + payload.uri + created_at.'] },
  asana: {
    secret: 'the X-Hook-Secret of its handshake, which is not taken by itself yet',
    beware: [
      'events[] are compact and have no id: use resource.gid+action+created_at+(change.field) or body hash; empty events[] = heartbeat.',
      'A source without a secret answers its handshake 503; put the secret in yourself.',
    ],
  },
  trello: {
    secret: 'API secret (OAuth secret); {url} = callbackURL exactly as registered',
    beware: ['Same action is sent once per matching webhook/model: scope by webhook id.'],
  },
  braintree: {
    secret: 'the private API key; config.public_key has the public one',
    beware: [
      'XML inside base64 bt_payload: kind + timestamp + subject id; use sha256(bt_payload).',
      'Rotation: bt_signature holds public_key|signature pairs joined by &; choose the pair of your public key.',
    ],
  },
  adyen: {
    secret: 'the HMAC key of the Customer Area, in hex',
    beware: [
      'Duplicates have the same eventCode and pspReference (docs); success flag may differ for repeated AUTHORISATION: include it.',
      'Signature covers 8 fields only, not the body.',
      'Rotation: generate new key; both valid for a while: try both.',
    ],
  },
  plaid: {
    secret: 'the JWK of /webhook_verification_key/get (it needs your API keys, so that it is not downloaded), or a PEM',
    beware: [
      'No event id: use body hash (= claim) or webhook_type+webhook_code+item_id+.',
      'Docs: body hash was computed over JSON with 2-space indentation exactly as sent: never re-serialise.',
      'Rotation: by kid.',
    ],
  },
  telegram: {
    secret: 'secret_token given to setWebhook (1-256 chars A-Za-z0-9_-)',
    beware: [
      'Increasing per bot; scope by bot; may jump to a random value after a week without updates.',
      'Rotation: call setWebhook again.',
    ],
  },
  meta: {
    secret: 'app secret',
    beware: [
      'entry[] batch without event id: Messenger message.mid, feed changes post_id+verb+created_time, leadgen_id; else item hash.',
      'Meta signs the \\uXXXX-escaped form it sends: verify raw bytes only.',
      'Optional mTLS.',
      'Rotation: app secret reset.',
    ],
  },
  whatsapp: {
    secret: 'app secret',
    beware: ['Wamid repeats for sent/delivered/read: key statuses on id+status.', 'Rotation: app secret reset.'],
  },
  xero: {
    secret: 'app webhooks key',
    beware: [
      'Batch with firstEventSequence/lastEventSequence/entropy; per event: tenantId+resourceId+eventType+eventDateUtc.',
      'It wants a 200 without a body for every delivery; we answer 202 with one, and 200 to its validation.',
    ],
  },
  notion: {
    secret: 'the verification_token of its handshake, which is not taken by itself yet',
    beware: [
      'attempt_number counts tries; page/database events are aggregated.',
      'Rotation: new subscription.',
      'A source without a secret answers its handshake 503; put the token in yourself.',
    ],
  },
  contentful: { secret: '64-char space signing secret', beware: ['Rotation: one active secret per space.'] },
  jira: {
    secret: 'webhook secret (admin or dynamic webhook registered with one); header is WebSub style method=signature',
    beware: [
      'Unique within the site (scope by site), unchanged across retries; x-atlassian-webhook-retry counts; x-atlassian-webhook-flow Primary|Secondary.',
    ],
  },
  okta: {
    secret: 'secret string you registered (header name configurable)',
    beware: ['Envelope id; per item data.events[].uuid.', 'Rotation: edit hook.'],
  },
  docusign: {
    secret: 'Connect HMAC key(s); headers x-docusign-signature-1 ... -N, one per active key (up to 100)',
    beware: [
      'No delivery id: event + data.envelopeId + generatedDateTime (+ recipientId); retryCount in body changes on retry, so a body hash is NOT stable.',
      'Rotation: one header per active key: accept if any header matches any key.',
    ],
  },
  woocommerce: {
    secret: 'webhook secret (HTML-entity decoded by the sender; hash algorithm filterable)',
    beware: [
      'Delivery id = wp_hash(webhook id + current unix SECOND): two different events of one webhook in the same second get the SAME id. Do not use alone: combine with sha256(body) and x-wc-webhook-topic.',
    ],
  },
  razorpay: {
    secret: 'webhook secret',
    beware: [
      'Unique per event (docs).',
      'Rotation: after a secret change, RETRIES of older events are still signed with the OLD secret (docs): keep old secret >= 24 h.',
    ],
  },
  paystack: {
    secret: 'API secret key (no separate webhook secret)',
    beware: ['No id header: event + data.id|data.reference.', 'Rotation: API key roll.'],
  },
  flutterwave: {
    secret: 'the secret hash of the dashboard',
    beware: ['Always re-query the transaction before giving value.'],
  },
  'coinbase-commerce': {
    secret: 'webhook shared secret',
    beware: ['Outer json:id + attempt_number describe the delivery.'],
  },
  lemonsqueezy: {
    secret: 'webhook signing secret',
    beware: ['No delivery id documented: X-Event-Name + data.type + data.id + attributes.updated_at, or body hash.'],
  },
  sentry: {
    secret: 'integration client secret',
    beware: [
      'Unique id for tracking; no retries documented.',
      'Docs sample hashes JSON.stringify(body); use raw bytes.',
      'ONE second deadline.',
    ],
  },
  pagerduty: {
    secret: 'subscription secret',
    beware: [
      'Docs: repeated for each delivery attempt; json:event.id identifies the event across subscriptions.',
      'Rotation: comma-separated v1= list, accept any.',
    ],
  },
  circleci: {
    secret: 'webhook secret token',
    beware: [
      'Docs: use to deduplicate.',
      'Rotation: list of VERSIONS (v1=...,v2=...), not of secrets: check only the latest known version.',
    ],
  },
  buildkite: {
    secret: 'the webhook token',
    beware: ['No delivery id: event + build.id/job.id + state + updated time.'],
  },
  auth0: {
    secret: 'Authorization token you configured',
    beware: ['Body may be JSON lines, array or object (setting).', 'Rotation: edit stream.'],
  },
  'cloudflare-notifications': {
    secret: 'secret given at creation',
    beware: ['Use body hash; alert_correlation_id/ts in newer bodies.', 'Rotation: recreate (only name editable).'],
  },
  'cloudflare-stream': {
    secret: 'secret from PUT /stream/webhook',
    beware: [
      'Uid + status.state + modified.',
      'Header name equals the Standard Webhooks one but the format is different: decide by provider, not by header name.',
    ],
  },
  'aws-sns': {
    secret: 'nothing, since its certificate is downloaded; or that certificate as a PEM',
    beware: [
      'Kept on retries; unique per published message; also check TopicArn against an allow-list. Raw message delivery (x-amz-sns-rawdelivery: true) has no signature.',
      'Content-Type is text/plain; charset=UTF-8 although the body is JSON.',
      'Rotation: certificate URL changes.',
      'Any AWS account can have SNS sign a message, so that config.topics has to name the topics you mean.',
    ],
  },
  'microsoft-graph': {
    secret: 'the clientState of the subscription',
    beware: [
      'Id optional: fallback subscriptionId+resource+changeType+resourceData.@odata.etag.',
      'Rotation: PATCH subscription.',
    ],
  },
  twitch: {
    secret: 'subscription secret (10-100 ASCII)',
    beware: ['Duplicates carry the same id; twitch-eventsub-message-retry counts.', 'Rotation: new subscription.'],
  },
  postmark: {
    secret: 'user:password placed in the webhook URL (or custom HTTP headers)',
    beware: ['Rotation: edit URL.'],
  },
  'fastly-ngwaf': { secret: 'webhook secret key', beware: [] },
  airtable: {
    secret: 'macSecretBase64 returned once at creation (base64-decode it)',
    beware: [
      'Thin ping {base.id, webhook.id, timestamp}: coalesce per webhook and pull payloads with cursor (baseTransactionNumber is the real dedupe/ordering key).',
      'Rotation: recreate webhook.',
    ],
  },
  box: {
    secret: 'primary signature key for box-signature-primary; secondary key for box-signature-secondary',
    beware: [
      'Docs: body id stays, header BOX-DELIVERY-ID CHANGES on every retry.',
      'Rotation: two headers, two keys; valid if either matches its own key (docs sample has the two header names swapped).',
    ],
  },
  klaviyo: {
    secret: 'secret_key set on the webhook',
    beware: [
      'Up to 1000 per request; klaviyo-webhook-id names the subscription.',
      'Flow "Webhook" action is unsigned.',
    ],
  },
  quickbooks: {
    secret: 'verifier token',
    beware: ['Classic payload has no id; the newer CloudEvents format has json:[].id.', 'Rotation: regenerate token.'],
  },
  gusto: {
    secret: 'the verification_token of its handshake, which is not taken by itself yet',
    beware: [
      'Uuid present in the newer API versions only.',
      'A source without a secret answers its handshake 503; put the token in yourself.',
    ],
  },
  persona: {
    secret: 'wbhsec_... used literally',
    beware: ['evt_.', 'Rotation: two SPACE-separated t=...,v1=... groups: each v1 belongs to the t of its own group.'],
  },
  ramp: {
    secret: 'the secret of the subscription',
    beware: [
      'Same event id on retries; x-ramp-webhook-id = subscription.',
      'Its challenge is not documented well enough to be answered.',
    ],
  },
  mux: { secret: 'per-endpoint signing secret', beware: [] },
  workos: { secret: 'per-endpoint signing secret', beware: [] },
  telnyx: { secret: 'account public key', beware: ['Json:meta.attempt counts.'] },
  sanity: { secret: 'per-endpoint signing secret', beware: [] },
  elevenlabs: { secret: 'per-endpoint signing secret', beware: ['Type + data.conversation_id (+event_timestamp).'] },
  customerio: {
    secret: 'per-endpoint signing secret',
    beware: ['Header has NO v0= prefix although the signed string starts with v0:.'],
  },
  gocardless: {
    secret: 'per-endpoint signing secret',
    beware: ['Whole batch is retried.', 'Header name clashes with Standard Webhooks and Cloudflare Stream.'],
  },
  line: { secret: 'channel secret', beware: ['deliveryContext.isRedelivery = true on redelivery.'] },
  cloudinary: {
    secret: 'the API secret of the account',
    beware: [
      'notification_type + asset_id/public_id + timestamp.',
      'Pin the hash of your account with config.variant; without it SHA-1 is expected.',
    ],
  },
  pusher: { secret: 'app secret chosen by header x-pusher-key', beware: ['No id: body hash.'] },
  plivo: {
    secret: 'auth token (header x-plivo-signature-ma-v3 = main account)',
    beware: ['MessageUUID/CallUUID + status.'],
  },
  heroku: { secret: 'per-endpoint signing secret', beware: ['Also json:sequence; header Heroku-Webhook-Id.'] },
  netlify: { secret: 'JWS secret', beware: ['Deploy id + state.'] },
  fusionauth: {
    secret: 'the HMAC secret, or the public key as a PEM or JWK, or nothing with config.jwks_url',
    beware: [],
  },
  hygraph: { secret: 'secret key', beware: ['Operation + data.id.'] },
  webflow: {
    secret: 'OAuth client secret or per-webhook secret',
    beware: ['triggerType + payload id.', 'dashboard-created webhooks are unsigned.'],
  },
  recharge: { secret: 'API client secret', beware: ['Resource id + updated_at.'] },
  'twitter-x': {
    secret: 'consumer secret',
    beware: [
      'Tweet id_str / dm id / user + created.',
      'Anyone can have it sign a short word (the CRC): only JSON objects and lists are taken for deliveries.',
    ],
  },
  tiktok: { secret: 'client_secret', beware: ['Event + user_openid + create_time.'] },
  'tiktok-shop': { secret: 'app_secret', beware: [] },
  linkedin: { secret: 'app clientSecret', beware: [] },
  nylas: {
    secret: 'webhook_secret',
    beware: [
      'CloudEvents id; webhook_delivery_attempt counts.',
      'Content-Encoding: gzip bodies: HMAC is over the COMPRESSED bytes.',
      'Compressed deliveries are refused (415): switch compression off.',
    ],
  },
  orb: { secret: 'per-endpoint signing secret', beware: [] },
  front: { secret: 'app signing key', beware: [] },
  revolut: { secret: 'wsk_... used literally', beware: ['Event + order_id.'] },
  airwallex: { secret: 'per-endpoint signing secret', beware: [] },
  chargebee: { secret: 'username:password set on the webhook', beware: [] },
  recurly: { secret: 'basic credentials', beware: ['JSON: id/uuid+event_time; XML: element + object uuid.'] },
  mollie: {
    secret: 'nothing: it signs nothing',
    beware: [
      'Object id only (tr_...), repeated for every status change: NEVER drop as duplicate; fetch the resource and compare status.',
    ],
  },
  monday: { secret: 'app signing secret', beware: [] },
  strava: {
    secret: 'nothing: it signs nothing',
    beware: ['object_type+object_id+aspect_type+event_time (check subscription_id).'],
  },
  mailchimp: { secret: 'the value of ?secret= in the URL', beware: ['Type + fired_at + data[id].'] },
  wix: { secret: 'per-app public key', beware: [] },
  'wechat-pay': {
    secret: "the platform's public key or certificate, as a PEM",
    beware: ['Resource is AES-256-GCM encrypted.'],
  },
  fireblocks: {
    secret: 'nothing, since its keys are downloaded; or one of them as a PEM or JWK',
    beware: ['EU workspaces have keys of their own: set config.jwks_url.'],
  },
  circle: {
    secret:
      'the public key of x-circle-key-id (behind your API key, so that it is not downloaded), in base64 or as a PEM',
    beware: [],
  },
  ebay: {
    secret:
      'the public key of the kid in x-ebay-signature (behind OAuth, so that it is not downloaded), in base64 or as a PEM',
    beware: [],
  },
  'neon-auth': {
    secret: 'nothing with config.jwks_url, or the public key as a PEM or JWK',
    beware: ['x-neon-delivery-attempt 1..3.'],
  },
  'cal-com': { secret: 'per-endpoint signing secret', beware: ['triggerEvent + payload.uid + createdAt.'] },
  attio: { secret: 'per-endpoint signing secret', beware: [] },
  tally: { secret: 'per-endpoint signing secret', beware: [] },
  'modern-treasury': { secret: 'webhook key', beware: [] },
  knock: { secret: 'per-endpoint signing secret', beware: [] },
  smartcar: { secret: 'application management token', beware: ['meta.deliveryId changes per attempt.'] },
  kick: { secret: 'published public key', beware: [] },
  mailchannels: {
    secret: 'the public key of /tx/v1/webhook/public-key, in base64 or as a PEM',
    beware: ['Body hash.'],
  },
  walmart: { secret: 'per-endpoint signing secret', beware: ['Delivery id (not named).'] },
  solidgate: { secret: 'wh_sk_', beware: [] },
  tebex: { secret: 'per-endpoint signing secret', beware: [] },
  'exact-online': { secret: 'app webhook secret', beware: ['Content.Topic+Key+Action+EventCreatedOn.'] },
  favro: { secret: 'webhook secret', beware: ['Signature does not cover the body.'] },
  'checkout-com': { secret: 'workflow signature key', beware: [] },
  cashfree: { secret: 'per-endpoint signing secret', beware: [] },
  qonto: { secret: 'per-endpoint signing secret', beware: [] },
  alchemy: { secret: 'per-webhook signing key', beware: ['whevt_.'] },
  bigcommerce: {
    secret: 'app client secret; library is given base64(client secret), i.e. raw UTF-8 key bytes',
    beware: ['Json:hash also identifies the event.'],
  },
  shipbob: { secret: 'per-endpoint secret, base64 after whsec_', beware: [] },
  huggingface: { secret: 'secret sent verbatim', beware: ['event.action+scope+repo.headSha.'] },
  deepgram: { secret: 'API key identifier', beware: [] },
  brevo: {
    secret: 'Bearer token (optional) + IP ranges 1.179.112.0/20, 172.246.240.0/20',
    beware: ['Event + message-id + ts_epoch.'],
  },
  'google-pubsub-push': {
    secret: 'nothing, since its keys are downloaded; or one of them as a PEM or JWK',
    beware: ['deliveryAttempt when dead-lettering.'],
  },
  'google-channels': {
    secret: 'token given at watch()',
    beware: ['With x-goog-channel-id; increases per channel; first message x-goog-resource-state: sync.'],
  },
  'azure-event-grid': { secret: 'the value of ?key= in the URL, or of the delivery property key', beware: [] },
  'salesforce-outbound': {
    secret: 'nothing: it signs nothing',
    beware: [
      'Up to 100 notifications per SOAP message; check OrganizationId.',
      'It wants a SOAP Ack for an answer, which it does not get yet: it will repeat each message until it gives up.',
    ],
  },
  hookdeck: {
    secret: 'project signing secret',
    beware: [
      'x-hookdeck-attempt-trigger INITIAL|AUTOMATIC|MANUAL|BULK_RETRY|UNPAUSE.',
      'Original provider signature may be stale when a gateway retries late: relax the timestamp check behind a gateway.',
    ],
  },
}
