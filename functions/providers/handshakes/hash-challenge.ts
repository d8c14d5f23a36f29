import { createHash, createHmac } from 'node:crypto'
import type { Asked, Handshake } from '../../domain/provider.ts'
import { signedUrl } from '../signed-url.ts'
import { askedFields, askedQuery, fieldsOf, isGet } from './ask.ts'
import { sayJson, sayText } from './say.ts'

const hmac = async (asked: Asked, text: string, encoding: 'hex' | 'base64'): Promise<string | undefined> => {
  const secret = await asked.secret()
  return secret && createHmac('sha256', secret.reveal()).update(text).digest(encoding)
}

/** X signs challenges with the key of its deliveries, and anyone may ask: see `challenges` in domain/scheme.ts. */
export const xChallenge: Handshake = {
  says: 'GET ?crc_token=…, about hourly, answered with its HMAC as JSON',
  methods: ['GET'],
  signed: false,
  answer: async asked => {
    const token = askedQuery(asked, 'crc_token')
    if (!isGet(asked) || !token || !/^[\w.~+/=-]{1,256}$/.test(token)) return undefined
    const response = await hmac(asked, token, 'base64')
    return response === undefined ? undefined : sayJson({ response_token: `sha256=${response}` })
  },
}

/** Deliveries are signed with `hmacsha256=` before the body, which no UUID begins with. */
export const linkedinChallenge: Handshake = {
  says: 'GET ?challengeCode=<uuid>, every two hours, answered with its HMAC as JSON',
  methods: ['GET'],
  signed: false,
  answer: async asked => {
    const code = askedQuery(asked, 'challengeCode')
    if (!isGet(asked) || !code || !/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(code)) return undefined
    const response = await hmac(asked, code, 'hex')
    return response === undefined ? undefined : sayJson({ challengeCode: code, challengeResponse: response })
  },
}

/** As Braintree's SDK: 20 to 32 hex digits, which are never the base64 of an XML document. */
export const braintreeChallenge: Handshake = {
  says: 'GET ?bt_challenge=<hex>, answered with public_key|HMAC-SHA1 of it as text',
  methods: ['GET'],
  signed: false,
  answer: async asked => {
    const challenge = askedQuery(asked, 'bt_challenge')
    if (!isGet(asked) || !challenge || !/^[a-f0-9]{20,32}$/.test(challenge)) return undefined
    const secret = await asked.secret()
    if (!secret) return undefined
    const key = createHash('sha1').update(secret.reveal()).digest()
    return sayText(`${asked.source.config.public_key}|${createHmac('sha1', key).update(challenge).digest('hex')}`)
  },
}

export const ebayChallenge: Handshake = {
  says: 'GET ?challenge_code=…, answered with SHA-256(code + config.verification_token + URL) as JSON',
  methods: ['GET'],
  signed: false,
  answer: asked => {
    const code = askedQuery(asked, 'challenge_code')
    const { verification_token: token } = asked.source.config
    if (!isGet(asked) || !code || code.length > 256 || typeof token !== 'string') return undefined
    const [endpoint = ''] = signedUrl(asked.source, asked.delivery).split('?')
    return sayJson({
      challengeResponse: createHash('sha256')
        .update(code + token + endpoint)
        .digest('hex'),
    })
  },
}

export const zoomValidation: Handshake = {
  says: 'signed POST of endpoint.url_validation, every 72 hours, answered with its token and the HMAC of it as JSON',
  signed: true,
  answer: async asked => {
    const { event, payload } = askedFields(asked)
    const { plainToken } = fieldsOf(payload)
    if (event !== 'endpoint.url_validation' || typeof plainToken !== 'string') return undefined
    const encryptedToken = await hmac(asked, plainToken, 'hex')
    return encryptedToken === undefined ? undefined : sayJson({ plainToken, encryptedToken })
  },
}

export const smartcarVerify: Handshake = {
  says: 'signed POST of eventType VERIFY, answered with the HMAC of its challenge as JSON',
  signed: true,
  answer: async asked => {
    const { eventType, data } = askedFields(asked)
    const { challenge } = fieldsOf(data)
    if (eventType !== 'VERIFY' || typeof challenge !== 'string') return undefined
    const response = await hmac(asked, challenge, 'hex')
    return response === undefined ? undefined : sayJson({ challenge: response })
  },
}
