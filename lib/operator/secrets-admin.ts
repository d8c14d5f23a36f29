import type { Millis } from '../../functions/domain/brands.ts'

/** `{ source: [current, previous] }`, as stored. */
export type SecretLists = Readonly<Record<string, readonly string[]>>

export interface SecretsSnapshot {
  readonly lists: SecretLists
  /** Names what was read: a write says which state it is a change of. */
  readonly version: string
  readonly changedAt: Millis | null
}

/** The signing secrets as their operator sees them. */
export interface SecretsAdmin {
  read(): Promise<SecretsSnapshot>
  /** `changed`: somebody else was faster, and nothing was written. */
  write(lists: SecretLists, instead: SecretsSnapshot): Promise<'written' | 'changed'>
  /** Where they are, for sentences: a file, or an ARN. */
  readonly place: string
}
