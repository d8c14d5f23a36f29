import type { ListedEvent } from '../wanted.ts'
import { Age, Foreign, StatusMark } from './parts.tsx'
import { eventHref, type Route } from './route.ts'
import { useNow } from './use-now.ts'

/** One link a row: a click opens it beside the list, a middle click in a tab. */
export const EventRows = ({ events, route }: { readonly events: readonly ListedEvent[]; readonly route: Route }) => {
  const now = useNow()
  return (
    <ol class="rows" aria-label="Events">
      {events.map(event => (
        <li key={event.id}>
          <a
            class="row"
            href={eventHref(event.id, route)}
            aria-current={event.id === route.id ? 'true' : undefined}
            data-id={event.id}
          >
            <StatusMark status={event.status} />
            <span class="source">{event.source}</span>
            <span class="type">{event.type === null ? <i>no type</i> : <Foreign text={event.type} />}</span>
            <Foreign class="event-id mono" text={event.eventId} />
            <span class="marks">
              {event.attempts > 1 && (
                <span class="chip" title={`${event.attempts} attempts`}>
                  ×{event.attempts}
                </span>
              )}
              {event.generation > 0 && (
                <span class="chip" title={`Generation ${event.generation}: replayed or reopened`}>
                  ↻{event.generation}
                </span>
              )}
            </span>
            <Age at={event.claimedAt} now={now} />
          </a>
        </li>
      ))}
    </ol>
  )
}
