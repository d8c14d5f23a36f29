import type { Handshake } from '../../domain/provider.ts'
import { askedQuery } from './ask.ts'
import { isEchoable, sayText } from './say.ts'

/** `?challenge=abc` is answered `abc`, as text. */
export const echoQuery = (method: 'GET' | 'POST', name: string): Handshake => ({
  made: ['echoQuery', method, name],
  says: `${method} ?${name}=…, answered with its value as text`,
  ...(method !== 'POST' && { methods: [method] }),
  signed: false,
  answer: asked => {
    const value = asked.delivery.method === method ? askedQuery(asked, name) : undefined
    return isEchoable(value) ? sayText(value) : undefined
  },
})
