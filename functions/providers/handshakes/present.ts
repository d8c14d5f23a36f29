import type { Handshake } from '../../domain/provider.ts'
import { sayNothing } from './say.ts'

/** A sender that only looks whether anybody answers. */
export const present = (method: 'GET' | 'HEAD'): Handshake => ({
  made: ['present', method],
  says: `${method}, answered 200`,
  methods: [method],
  signed: false,
  answer: ({ delivery }) => (delivery.method === method ? sayNothing(200) : undefined),
})
