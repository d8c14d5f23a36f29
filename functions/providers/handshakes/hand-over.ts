import type { Asked, Handshake } from '../../domain/provider.ts'
import { askedFields, askedHeader } from './ask.ts'
import { sayNothing } from './say.ts'

const says = (where: string, answer: string): string =>
  `POST with the secret in ${where}, answered with ${answer} while \`hooklatch secrets await\` is open for the source`

/** The secret comes in a header, and is sent back in the same. */
export const handOverHeader = (name: string): Handshake => {
  const read = (asked: Asked): string | undefined => askedHeader(asked, name)
  return {
    made: ['handOverHeader', name],
    says: says(`the header ${name}`, 'the same header'),
    signed: false,
    offers: { at: { in: 'header', name }, read },
    answer: asked => {
      const secret = read(asked)
      return secret === undefined ? undefined : { ...sayNothing(200), headers: { [name]: secret } }
    },
  }
}

/** The secret comes as the only field of the body. */
export const handOverField = (name: string): Handshake => {
  const read = (asked: Asked): string | undefined => {
    const { [name]: secret, ...others } = askedFields(asked)
    return typeof secret === 'string' && Object.keys(others).length === 0 ? secret : undefined
  }
  return {
    made: ['handOverField', name],
    says: says(`the JSON field ${name}`, '200'),
    signed: false,
    offers: { at: { in: 'json', name }, read },
    answer: asked => (read(asked) === undefined ? undefined : sayNothing(200)),
  }
}
