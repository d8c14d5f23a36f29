import type { SourceConfig } from '../../functions/domain/source.ts'

/** What a new app is made from. */
export interface AppRequest {
  /** Of its package.json. */
  readonly name: string
  readonly sources: Readonly<Record<string, SourceConfig>>
  /** What it depends on: a version, or anything else that npm takes. */
  readonly hooklatch: string
}
