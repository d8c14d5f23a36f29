/** What we use of Standard Schema v1 (standardschema.dev): zod, valibot, arktype and others are it. */
export interface StandardSchema {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => SchemaResult | Promise<SchemaResult>
  }
}

export interface SchemaResult {
  readonly issues?: readonly SchemaIssue[] | undefined
  /** What the schema makes of it. */
  readonly value?: unknown
}

export interface SchemaIssue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

export const isStandardSchema = (value: unknown): value is StandardSchema => {
  const is = (typeof value === 'object' && value !== null) || typeof value === 'function'
  const standard = is ? (value as Partial<StandardSchema>)['~standard'] : undefined
  return standard?.version === 1 && typeof standard.validate === 'function'
}

/** Where an issue is, as a JSON pointer (RFC 6901). */
export const pointerOf = (path: SchemaIssue['path'] = []): string =>
  path.map(part => `/${escaped(String(typeof part === 'object' ? part.key : part))}`).join('')

const escaped = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')
