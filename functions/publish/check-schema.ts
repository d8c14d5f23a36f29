import type { Source } from '../domain/source.ts'
import { pointerOf, type SchemaIssue } from '../domain/standard-schema.ts'
import { type Issue, type Refused, refuse } from './publication.ts'

/** A body with a thousand mistakes is told of the first of them. */
const MOST_ISSUES = 20
const MOST_CHARACTERS = 200

/** What the schema makes of the event is not used: what is queued are the bytes that were sent. */
export const checkSchema = async ({ schema }: Source, event: unknown): Promise<Refused | undefined> => {
  const result = await schema?.['~standard'].validate(event)
  if (!result?.issues) return undefined
  return refuse('schema', { issues: result.issues.slice(0, MOST_ISSUES).map(toIssue) })
}

const toIssue = ({ message, path }: SchemaIssue): Issue => ({
  at: pointerOf(path),
  message: message.slice(0, MOST_CHARACTERS),
})
