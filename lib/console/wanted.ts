import type { EventView } from '../operator/event-view.ts'

/** An event in the list, with its place there. */
export interface ListedEvent extends EventView {
  readonly claimedAt: string
  /** All of them: `destination` names only one that is alone. */
  readonly destinations: readonly string[]
}

/** What the list is narrowed to, in the address bar, in the API and in the live stream alike. */
export interface Wanted {
  readonly source: string
  readonly status: string
  readonly type: string
  readonly destination: string
  /** Part of an event id, a type or a source, or the beginning of an id. */
  readonly q: string
}

/** Empty means any. Runs in the server and in the page, so an event which appears live is judged as a listed one. */
export const isWanted = (event: ListedEvent, { source, status, type, destination, q }: Wanted): boolean =>
  (source === '' || event.source === source) &&
  (status === '' || event.status === status) &&
  (type === '' || event.type === type) &&
  (destination === '' || event.destinations.includes(destination)) &&
  (q === '' || speaksOf(event, q.toLowerCase()))

const speaksOf = ({ id, eventId, type, source }: EventView, q: string): boolean =>
  id.startsWith(q) || [eventId, type ?? '', source].some(text => text.toLowerCase().includes(q))

export const wantedOf = (query: URLSearchParams): Wanted => ({
  source: query.get('source') ?? '',
  status: query.get('status') ?? '',
  type: query.get('type') ?? '',
  destination: query.get('destination') ?? '',
  q: (query.get('q') ?? '').trim(),
})
