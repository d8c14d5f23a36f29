import type { Selector } from './selector.ts'

/** What of a delivery nobody can change without its proof failing. Measured by `npm run prove coverage`. */
export interface Coverage {
  /**
   * `bytes`: all of them. `form`: the names and values of a form one after the other, not how they are spelled, and not where
   * a name ends. `fields`: the listed ones alone. `nothing`: any other body passes.
   */
  readonly body: 'bytes' | 'form' | 'fields' | 'nothing'
  /** Of a body of which only fields are covered; `*` is each item of a list. */
  readonly fields: readonly Selector[]
  /** Fields that hold the proof itself. */
  readonly proof: readonly Selector[]
  /** A checksum of the body is signed. It proves nothing: another body with the same one is made in a moment. */
  readonly checksum: boolean
  /** In a form, a value that is sent twice counts once. */
  readonly repeats: boolean
  /** Besides that of the proof. */
  readonly headers: readonly string[]
  /** Not signed; but if it is there, it has to say one thing. */
  readonly fixed: readonly string[]
  /** `decoded`: some escapes may be spelled out. `sorted`: the query in any order and spelling. */
  readonly url: 'whole' | 'decoded' | 'sorted' | 'path and query' | 'path' | 'nothing'
  readonly method: boolean
  /** `if sent`: a token's own time counts if it has one. */
  readonly time: 'always' | 'if sent' | 'never'
}
