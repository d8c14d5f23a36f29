import type { Handshake } from '../../domain/provider.ts'
import { askedHeader } from './ask.ts'
import { isEchoable, sayJson, sayText } from './say.ts'

/** The value of a header, sent back as text, or in JSON under `as`. */
export const echoHeader = (method: 'GET' | 'POST', name: string, as?: string): Handshake => ({
  made: ['echoHeader', method, name, ...(as ? [as] : [])],
  says: `${method} with the header ${name}, answered with its value ${as ? `as JSON under "${as}"` : 'as text'}`,
  ...(method !== 'POST' && { methods: [method] }),
  signed: false,
  answer: asked => {
    const value = asked.delivery.method === method ? askedHeader(asked, name) : undefined
    if (!isEchoable(value)) return undefined
    return as ? sayJson({ [as]: value }) : sayText(value)
  },
})
