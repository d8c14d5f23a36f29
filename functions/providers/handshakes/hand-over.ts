import type { Asked, Handshake } from '../../domain/provider.ts'
import { askedFields, askedHeader } from './ask.ts'
import { sayNothing } from './say.ts'

const says = (where: string, answer: string): string =>
  `POST with the secret in ${where}, answered with ${answer} while \`hooklatch secrets await\` is open for the source`

/** The secret comes in a header, and is sent back in the same. */
export const handOverHeader = (name: string): Handshake => {
  const offers = (asked: Asked): string | undefined => askedHeader(asked, name)
  return {
    made: ['handOverHeader', name],
    says: says(`the header ${name}`, 'the same header'),
    signed: false,
    offers,
    answer: asked => {
      const secret = offers(asked)
      return secret === undefined ? undefined : { ...sayNothing(200), headers: { [name]: secret } }
    },
  }
}

/** The secret comes as the only field of the body. */
export const handOverField = (name: string): Handshake => {
  const offers = (asked: Asked): string | undefined => {
    const { [name]: secret, ...others } = askedFields(asked)
    return typeof secret === 'string' && Object.keys(others).length === 0 ? secret : undefined
  }
  return {
    made: ['handOverField', name],
    says: says(`the JSON field ${name}`, '200'),
    signed: false,
    offers,
    answer: asked => (offers(asked) === undefined ? undefined : sayNothing(200)),
  }
}
