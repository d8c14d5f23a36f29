import type { ComponentChild } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { OVER_STATUSES } from '../../../functions/contract/status.ts'
import { wantedOf } from '../wanted.ts'
import { BulkReplay } from './bulk-replay.tsx'
import { EventRows } from './event-rows.tsx'
import { Filters } from './filters.tsx'
import { Command, Failure, Notice } from './parts.tsx'
import type { Route } from './route.ts'
import { type EventList, useEvents } from './use-events.ts'
import type { About } from './wire.ts'
import { clock, day } from './words.ts'

export interface ViewProps {
  readonly route: Route
  readonly about: About
  readonly notify: (sentence: string) => void
}

export const EventsView = ({ route, about, notify }: ViewProps) => {
  const wanted = wantedOf(route.query)
  const list = useEvents(wanted)
  const { status, source, type, destination, q } = wanted
  const narrowed = source + type + status !== ''
  const replayable = q + destination === '' && narrowed && ['', ...OVER_STATUSES].includes(status)
  return (
    <>
      <header class="view-head">
        <h1>Events</h1>
        {replayable && (
          <BulkReplay filter={{ source, type, status }} actor={about.actor} notify={notify} label="Replay these" />
        )}
      </header>
      <Filters route={route} sources={about.sources.map(({ name }) => name)} destinations={about.destinations} />
      <ListBody
        list={list}
        route={route}
        empty={<NoEvents about={about} filtered={narrowed || q + destination !== ''} />}
      />
    </>
  )
}

export interface ListBodyProps {
  readonly list: EventList
  readonly route: Route
  readonly empty: ComponentChild
}

/** The rows, or why there are none. */
export const ListBody = ({ list, route, empty }: ListBodyProps) => {
  const { events, loading, error, next } = list
  if (error && events.length === 0) return <Failure error={error} />
  const none = events.length === 0
  return (
    <div class="scroll" aria-busy={loading}>
      {none && next === null && !loading ? empty : <EventRows events={events} route={route} />}
      {none && loading && <Waiting />}
      <More list={list} />
    </div>
  )
}

/** Rows to come, in grey: nothing jumps when they are there. */
const Waiting = () => (
  <>
    {Array.from({ length: 8 }, (_, index) => (
      <div key={index} class="row skeleton" />
    ))}
  </>
)

/** The next page comes when its place is scrolled to; a search that found too little asks before it goes further back. */
const More = ({ list: { next, searchedTo, more, loading } }: { readonly list: EventList }) => {
  const end = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (end.current === null || next === null || searchedTo !== null) return
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && more(), { rootMargin: '400px' })
    observer.observe(end.current)
    return () => observer.disconnect()
  }, [next, searchedTo, more])
  if (next === null) return null
  return (
    <div ref={end} class="more">
      {searchedTo !== null && (
        <p class="fine">
          Looked back to {day(searchedTo)}, {clock(searchedTo)}.
        </p>
      )}
      {loading ? (
        <p class="fine">Looking further back…</p>
      ) : (
        <button type="button" onClick={more}>
          {searchedTo === null ? 'Older events' : 'Look further back'}
        </button>
      )}
    </div>
  )
}

const NoEvents = ({ about, filtered }: { readonly about: About; readonly filtered: boolean }) =>
  filtered ? (
    <Notice icon="search" title="No event matches">
      <p>No event of the last 30 days matches these filters.</p>
      <a class="button" href="/events">
        Clear the filters
      </a>
    </Notice>
  ) : (
    <Notice icon="events" title="No events yet">
      <p>Send a signed sample. It appears here at once:</p>
      <Command line={`npx hooklatch send ${sampleSource(about)}`} />

      {about.curl !== null && (
        <>
          <p class="fine">Or with curl, signed now and valid for a few minutes:</p>
          <Command line={about.curl} />
        </>
      )}
    </Notice>
  )

/** Stripe if it is there, since everybody knows it. */
const sampleSource = ({ sources }: About): string =>
  (sources.find(({ name }) => name === 'stripe') ?? sources[0])?.name ?? 'stripe'
