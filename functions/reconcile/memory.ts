import type { ReconcilerState } from '../domain/reconciler.ts'

/** What a run knows from the one before it, and hands on. */
export interface Memory {
  state(): ReconcilerState
  /** Of a source, or of a sender; written down. */
  change(part: Partial<ReconcilerState>): Promise<void>
  /** The same, to be written down with the next change. */
  note(part: Partial<ReconcilerState>): void
}

export const memoryOf = (begun: ReconcilerState, save: (state: ReconcilerState) => Promise<void>): Memory => {
  let state = begun
  const note: Memory['note'] = ({ sources = {}, senders = {} }) => {
    state = { sources: { ...state.sources, ...sources }, senders: { ...state.senders, ...senders } }
  }
  return {
    state: () => state,
    note,
    change(part) {
      note(part)
      return save(state)
    },
  }
}
