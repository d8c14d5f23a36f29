import type { WorkStore, Write } from '../../functions/domain/work.ts'
import type { Effect } from '../operator/effect.ts'

/** The names of the key attributes of each table of the app, by its local name. */
export type KeyNames = ReadonlyMap<string, readonly string[]>

/** What is needed to tell an event's effect: a store that notes what `commit` wrote, and a log that adds it to the event's line. */
export const noteEffects = (
  work: WorkStore,
  keyNames: KeyNames,
  write: (line: string) => void,
): { readonly work: WorkStore; write(line: string): void } => {
  const noted = new Map<string, readonly Effect[]>()
  return {
    work: {
      ...work,
      commit: async (owned, writes, ...rest) => {
        const answer = await work.commit(owned, writes, ...rest)
        if (answer.kind === 'committed')
          noted.set(
            owned.fingerprint,
            writes.flatMap(each => effectOf(each, keyNames)),
          )
        return answer
      },
    },
    write(line) {
      const fields = JSON.parse(line)
      const wrote = noted.get(fields.id)
      if (fields.work !== 'done' || wrote === undefined) return write(line)
      noted.delete(fields.id)
      write(`${JSON.stringify({ ...fields, wrote })}\n`)
    },
  }
}

/** A check writes nothing, and a table that is not the app's is not the user's effect. */
const effectOf = ({ Put, Update, Delete }: Write, keyNames: KeyNames): readonly Effect[] => {
  const { TableName, Item, Key = Item } = { ...(Put ?? Update ?? Delete) } as Partial<Record<string, unknown>>
  const names = keyNames.get(String(TableName))
  if (names === undefined || typeof Key !== 'object' || Key === null) return []
  const key = Object.fromEntries(names.map(name => [name, (Key as Record<string, unknown>)[name]]))
  return [{ table: String(TableName), key }]
}
