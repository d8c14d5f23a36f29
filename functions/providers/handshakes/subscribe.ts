import { createHash, timingSafeEqual } from 'node:crypto'
import type { Handshake } from '../../domain/provider.ts'
import { askedQuery, isGet } from './ask.ts'
import { isEchoable, sayJson, sayNothing, sayText } from './say.ts'

/** Meta's `hub.challenge`, given only to who knows the source's `config.verify_token`; to others 403. */
export const subscribe = (as: 'text' | 'json'): Handshake => ({
  made: ['subscribe', as],
  says: `GET ?hub.mode=subscribe&hub.verify_token=…&hub.challenge=…, answered with the challenge as ${as} if the token is that of config.verify_token`,
  methods: ['GET'],
  signed: false,
  answer: asked => {
    const challenge = askedQuery(asked, 'hub.challenge')
    if (!isGet(asked) || askedQuery(asked, 'hub.mode') !== 'subscribe' || !isEchoable(challenge)) return undefined
    const { verify_token: expected } = asked.source.config
    const token = askedQuery(asked, 'hub.verify_token')
    if (typeof expected !== 'string' || !token || !isSame(expected, token)) return sayNothing(403)
    return as === 'json' ? sayJson({ 'hub.challenge': challenge }) : sayText(challenge)
  },
})

const isSame = (left: string, right: string): boolean => timingSafeEqual(digest(left), digest(right))
const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
