import type { Identified } from '../domain/evidence.ts'
import { route } from '../domain/route.ts'
import { readBody } from '../providers/read-body.ts'

/** Where today's routes lead an event that came some time ago. */
export const reroute = ({ type, body, source }: Pick<Identified, 'type' | 'body' | 'source'>): readonly string[] =>
  route({ type, json: readBody(body).value }, source)
