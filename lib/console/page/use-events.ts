import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { Found } from '../find-events.ts'
import { type ListedEvent, type Wanted, wantedOf } from '../wanted.ts'
import { ApiError, get } from './api.ts'
import { merged } from './merged.ts'
import { useLive } from './use-live.ts'

export interface EventList {
  readonly events: readonly ListedEvent[]
  readonly next: string | null
  readonly searchedTo: string | null
  readonly loading: boolean
  readonly error: ApiError | undefined
  readonly more: () => void
}

/** Beyond this the list begins again with its first page: a tab left open overnight stays as light as a fresh one. */
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
  /** What came live while a page was on its way, and may be newer than it. */
  const meanwhile = useRef<ListedEvent[]>([])

  const load = useCallback(async (from: string, after: string | null): Promise<void> => {
    setState(before => ({ ...before, loading: true }))
    meanwhile.current = []
    try {
      const page = await get<Found>(after === null ? from : `${from}&after=${encodeURIComponent(after)}`)
      if (latest.current.path !== from) return
      setState(before => {
        const events = after === null ? page.events : joined(before.events, page.events)
        const live = meanwhile.current.filter(event => isNewer(event, events))
        const wantedNow = wantedOf(new URL(from, location.origin).searchParams)
        return {
          ...page,
          events: merged(events, live, wantedNow, page.next !== null),
          loading: false,
          error: undefined,
        }
      })
    } catch (error) {
      if (latest.current.path !== from) return
      const known = error instanceof ApiError ? error : new ApiError('unexpected', String(error))
      setState(before => ({ ...before, loading: false, error: known }))
    }
  }, [])

  useEffect(() => void load(path, null), [path, comebacks, load])
  const full = state.events.length > MOST_ROWS
  useEffect(() => {
    if (full && document.querySelector('.scroll')?.scrollTop === 0) void load(path, null)
  }, [full, path, load])
  useEffect(
    () =>
      subscribe(changes => {
        meanwhile.current.push(...changes)
        setState(before => ({ ...before, events: merged(before.events, changes, wanted, before.next !== null) }))
      }),
    [subscribe, path],
  )
  const more = useCallback(() => {
    if (latest.current.next !== null) void load(latest.current.path, latest.current.next)
  }, [load])
  return { ...state, more }
}

const isNewer = (event: ListedEvent, events: readonly ListedEvent[]): boolean =>
  (events.find(({ id }) => id === event.id)?.updatedAt ?? '') <= event.updatedAt

const joined = (before: readonly ListedEvent[], page: readonly ListedEvent[]): readonly ListedEvent[] => {
  const known = new Set(before.map(({ id }) => id))
  return [...before, ...page.filter(({ id }) => !known.has(id))]
}
