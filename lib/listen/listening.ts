import type { EventRecord } from '../../functions/domain/record.ts'
import type { Source } from '../../functions/domain/source.ts'
import type { Connection } from '../connect/connection.ts'
import type { Cursor, CursorFile } from './cursor.ts'
import type { ServerAnswer } from './post-event.ts'

export interface Listening {
  readonly connection: Connection
  readonly sources: ReadonlyMap<string, Source>
  readonly to: string
  readonly secretOf: (source: Source) => string
  readonly matches: (record: EventRecord) => boolean
  /** Events a second, at most. */
  readonly rate: number
  readonly cursor: Cursor
  readonly file: CursorFile
  readonly signal: AbortSignal
  /** Something to tell a person, such as that the server is down. */
  readonly tell: (sentence: string) => void
}

/** What became of one event. Without an answer, `problem` says why. */
export interface Heard {
  readonly record: EventRecord
  readonly answer: ServerAnswer | null
  readonly problem: string | null
}
