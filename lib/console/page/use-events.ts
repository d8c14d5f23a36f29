import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { EventView } from '../../operator/event-view.ts'
import { isWanted, type Wanted } from '../wanted.ts'
import { ApiError, get } from './api.ts'
import { useLive } from './use-live.ts'
import type { EventsAnswer } from './wire.ts'

export interface EventList {
  readonly events: readonly EventView[]
  readonly next: string | null
  readonly searchedTo: string | null
  readonly loading: boolean
  readonly error: ApiError | undefined
  readonly more: () => void
}

/** Beyond this the list begins anew with its first page: a tab left open overnight stays as light as a fresh one. */
const MOST_ROWS = 1_000

type State = Omit<EventList, 'more'>
const EMPTY: State = { events: [], next: null, searchedTo: null, loading: true, error: undefined }

/** The list, page by page, and kept up to date by the live line. */
export const useEvents = (wanted: Wanted): EventList => {
  const [state, setState] = useState(EMPTY)
  const { subscribe, comebacks } = useLive()
  const path = `/api/events?${new URLSearchParams({ ...wanted })}`
  const latest = useRef({ path, next: state.next })
  latest.current = { path, next: state.next }

  const load = useCallback(async (from: string, after: string | null): Promise<void> => {
    setState(before => ({ ...before, loading: true }))
    try {
      const page = await get<EventsAnswer>(after === null ? from : `${from}&after=${encodeURIComponent(after)}`)
      if (latest.current.path !== from) return
      setState(before => ({
        ...page,
        events: after === null ? page.events : joined(before.events, page.events),
        loading: false,
        error: undefined,
      }))
    } catch (error) {
      if (latest.current.path !== from) return
      const known = error instanceof ApiError ? error : new ApiError('unexpected', String(error))
      setState(before => ({ ...before, loading: false, error: known }))
    }
  }, [])

  // biome-ignore lint/correctness/useExhaustiveDependencies: comebacks says when, not what
  useEffect(() => void load(path, null), [path, comebacks, load])
  const full = state.events.length > MOST_ROWS
  useEffect(() => {
    if (full && window.scrollY === 0) void load(path, null)
  }, [full, path, load])
  useEffect(
    () => subscribe(changes => setState(before => ({ ...before, events: merged(before.events, changes, wanted) }))),
    [subscribe, path],
  )
  const more = useCallback(() => {
    if (latest.current.next !== null) void load(latest.current.path, latest.current.next)
  }, [load])
  return { ...state, more }
}

const joined = (before: readonly EventView[], page: readonly EventView[]): readonly EventView[] => {
  const known = new Set(before.map(({ id }) => id))
  return [...before, ...page.filter(({ id }) => !known.has(id))]
}

/** New ones on top, changed ones where they are, and those that are wanted no longer out. */
export const merged = (
  before: readonly EventView[],
  changes: readonly EventView[],
  wanted: Wanted,
): readonly EventView[] => {
  const changed = new Map(changes.map(event => [event.id, event]))
  const stay = before.filter(event => {
    const change = changed.get(event.id)
    return change === undefined || (isWanted(change, wanted) && change.generation === event.generation)
  })
  const staying = new Set(stay.map(({ id }) => id))
  const fresh = [...changed.values()].filter(event => !staying.has(event.id) && isWanted(event, wanted))
  return [...fresh.reverse(), ...stay.map(event => changed.get(event.id) ?? event)]
}
