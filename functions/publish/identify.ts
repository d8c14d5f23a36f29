import { particulars } from '../accept/particulars.ts'
import type { Delivery } from '../domain/delivery.ts'
import type { Identified } from '../domain/evidence.ts'
import { fingerprint, sha256 } from '../domain/identity.ts'
import { type Ending, outage } from '../domain/outcome.ts'
import type { Source } from '../domain/source.ts'
import { pointerOf, type SchemaIssue } from '../domain/standard-schema.ts'
import type { Receiving } from '../domain/world.ts'
import { readBody } from '../providers/read-body.ts'
import type { Producer } from './admit.ts'
import { type Issue, type Refused, refuse } from './publication.ts'

/** The same in the single form and in a batch, so an event sent in either is the same event. */
const OPERATION = 'publish'

/** Caller, operation and key name the event, and nothing of the body does. */
export const identify = async (
  world: Receiving,
  { source, caller }: Producer,
  key: string,
  delivery: Delivery,
): Promise<Identified | Refused | Ending<'unavailable'>> => {
  const view = readBody(delivery.body)
  const json = view.form() ? undefined : view.json()
  if (json?.kind !== 'parsed') return refuse('body-not-json', { detail: json?.why ?? 'the body is not JSON' })
  const mismatch = await checkSchema(source, json.value)
  if (mismatch) return mismatch
  const secret = await world.secrets.fingerprintKey()
  if ('kind' in secret) return outage('secret-store', secret.cause)

  const { headers, ...rest } = particulars(source, delivery, view, key)
  const named: Omit<Identified, symbol> = {
    source,
    fingerprint: fingerprint(secret, {
      environment: world.environment,
      source: source.name,
      kind: 'publish',
      parts: [caller.id, OPERATION, key],
    }),
    guard: null,
    eventId: key,
    ...rest,
    headers: { ...headers, [CALLER_HEADER]: caller.id },
    bodySha256: sha256(delivery.body),
  }
  return named as Identified
}

/** For the consumer, who would otherwise not know whose event it is. A header of this name that came with the request is not kept. */
const CALLER_HEADER = 'x-hooklatch-caller'

/** A body with a thousand mistakes is told of the first of them. */
const MOST_ISSUES = 20
const MOST_CHARACTERS = 200

/** What the schema makes of the event is not used: what is queued are the bytes that were sent. */
const checkSchema = async ({ schema }: Source, event: unknown): Promise<Refused | undefined> => {
  const result = await schema?.['~standard'].validate(event)
  if (!result?.issues) return undefined
  return refuse('schema', { issues: result.issues.slice(0, MOST_ISSUES).map(toIssue) })
}

const toIssue = ({ message, path }: SchemaIssue): Issue => ({
  at: pointerOf(path),
  message: message.slice(0, MOST_CHARACTERS),
})
