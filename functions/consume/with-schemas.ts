import { Unprocessable } from '../domain/event.ts'
import { pointerOf, type SchemaIssue, type StandardSchema } from '../domain/standard-schema.ts'
import type { Handler } from './handle.ts'

/** The schemas of sources, by name. */
export type Schemas = Readonly<Record<string, { readonly schema?: StandardSchema | null | undefined }>>

/** The body of an event is not what the schema of its source says. */
export class SchemaMismatch extends Unprocessable {
  override readonly name = 'SchemaMismatch' as 'Unprocessable'
}

/** The handler behind the schemas: a body that does not match fails at once, and `json()` gives what the schema makes of it. */
export const withSchemas =
  (handler: Handler, schemas: Schemas): Handler =>
  async (event, tools) => {
    const schema = Object.hasOwn(schemas, event.source) ? schemas[event.source]?.schema : undefined
    if (!schema) return handler(event, tools)
    const body = await event.json().catch(notJson)
    const { issues, value } = await schema['~standard'].validate(body)
    if (issues) throw new SchemaMismatch(issues.map(said).join('; '))
    return handler({ ...event, json: async <Body>() => value as Body }, tools)
  }

const said = ({ message, path }: SchemaIssue): string => `${pointerOf(path) || '/'}: ${message}`

/** An outage, or a body that is gone, is another matter: those are tried again. */
const notJson = (error: unknown): never => {
  if (error instanceof SyntaxError || error instanceof TypeError) throw new SchemaMismatch('the body is not JSON')
  throw error
}
