import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { post } from './api.ts'
import { BodyBlock } from './body-block.tsx'
import { Deliveries } from './deliveries.tsx'
import { Headers } from './headers.tsx'
import { Icon } from './icons.tsx'
import { Block, CopyButton, Failure, Foreign, Pairs, StatusMark } from './parts.tsx'
import { ReasonDialog } from './reason-dialog.tsx'
import { Timeline } from './timeline.tsx'
import { useAnswer } from './use-answer.ts'
import { useLive } from './use-live.ts'
import type { EventAnswer } from './wire.ts'
import { day, inLocalTime, instant, printable } from './words.ts'

export interface EventPanelProps {
  readonly id: string
  readonly actor: string
  readonly closeHref: string
  readonly notify: (sentence: string) => void
}

/** One event, beside the list or over it on a phone; read again whenever it changes. */
export const EventPanel = ({ id, actor, closeHref, notify }: EventPanelProps) => {
  const { value: event, error, refresh } = useAnswer<EventAnswer>(`/api/events/${encodeURIComponent(id)}`)
  const { subscribe } = useLive()
  useEffect(() => subscribe(changes => changes.some(change => change.id === id) && refresh()), [subscribe, id, refresh])
  return (
    <aside class="panel" aria-label="Event" aria-busy={event === undefined && error === undefined}>
      <div class="panel-bar">
        <a class="button quiet" href={closeHref} data-close>
          <Icon name="back" />
          <span>Back</span>
        </a>
      </div>
      {event ? (
        <Detail event={event} actor={actor} notify={notify} refresh={refresh} />
      ) : (
        error && <Failure error={error} />
      )}
    </aside>
  )
}

interface DetailProps {
  readonly event: EventAnswer
  readonly actor: string
  readonly notify: (sentence: string) => void
  readonly refresh: () => void
}

const Detail = ({ event, actor, notify, refresh }: DetailProps) => (
  <>
    <header class="panel-head">
      <div class="panel-title">
        <h2>{event.type === null ? event.source : <Breakable text={event.type} />}</h2>
        <p class="ids">
          <Foreign class="mono" text={event.eventId} />
          <CopyButton text={event.eventId} label="Copy the event id" />
        </p>
      </div>
      <Replay event={event} actor={actor} notify={notify} refresh={refresh} />
    </header>
    <p class="where">
      <StatusMark status={event.status} /> {inLocalTime(printable(event.where.replace(`${event.status} `, '')))}
    </p>
    {event.lastError !== null && !event.where.includes(event.lastError) && (
      <p class="last-error">
        <Foreign text={event.lastError} />
      </p>
    )}
    <Facts event={event} />
    {event.notes.map(note => (
      <p key={note} class="fine block">
        {printable(note)}
      </p>
    ))}
    <Copies copies={event.copies} />
    <Timeline entries={event.timeline} />
    <Effects effects={event.effects} />
    <Deliveries deliveries={event.deliveries} />
    <BodyBlock {...event} />
    {event.erasedAt !== null && (
      <p class="fine block">
        Body, headers and errors were erased at {instant(event.erasedAt)}. The event is remembered, so a repeat is a
        duplicate.
      </p>
    )}
    {event.body === null && event.erasedAt === null && (
      <p class="fine block">The body is not kept, so this event cannot be replayed.</p>
    )}
    <Headers headers={event.headers} />
  </>
)

/** Breaks after a dot rather than inside a word. */
const Breakable = ({ text }: { readonly text: string }) => (
  <bdi>
    {printable(text)
      .split(/(?<=[._/:-])/)
      .map(part => (
        <>
          {part}
          <wbr />
        </>
      ))}
  </bdi>
)

const Facts = ({ event }: { readonly event: EventAnswer }) => (
  <dl class="facts">
    <Fact name="Source">
      <a href={`/events?source=${encodeURIComponent(event.source)}`}>{event.source}</a>
    </Fact>
    <Fact name="Type" look="clip">
      {event.type === null ? (
        '-'
      ) : (
        <a href={`/events?type=${encodeURIComponent(event.type)}`}>{printable(event.type)}</a>
      )}
    </Fact>
    {event.destination !== null && event.destination !== 'worker' && (
      <Fact name="Destination" look="clip">
        <a href={`/events?destination=${encodeURIComponent(event.destination)}`}>{event.destination}</a>
      </Fact>
    )}
    <Fact name="First seen" title={event.firstSeenAt}>
      {instant(event.firstSeenAt)}
    </Fact>
    <Fact name="Attempts">{event.attempts}</Fact>
    <Fact name="Generation">{event.generation}</Fact>
    <Fact name="Remembered until" title={event.expiresAt}>
      {day(event.expiresAt)}
    </Fact>
    {!event.bodySigned && <Fact name="Body">not signed by its sender</Fact>}
    <div class="wide">
      <dt>Id</dt>
      <dd class="mono clip">{event.id}</dd>
      <CopyButton text={event.id} label="Copy the id" />
    </div>
  </dl>
)

interface FactProps {
  readonly name: string
  readonly look?: string
  readonly title?: string
  readonly children: ComponentChildren
}

const Fact = ({ name, look, title, children }: FactProps) => (
  <div>
    <dt>{name}</dt>
    <dd class={look} title={title}>
      {children}
    </dd>
  </div>
)

/** Each destination has a copy with a status of its own. */
const Copies = ({ copies }: Pick<EventAnswer, 'copies'>) => {
  const rows = copies.map(({ destination, status, where }) => {
    const said = inLocalTime(where.replace(`${status} `, ''))
    return [
      destination,
      <>
        <StatusMark status={status} /> <Foreign text={said} />
      </>,
    ] as const
  })
  return rows.length === 0 ? null : (
    <Block title="Destinations">
      <Pairs of={rows} />
    </Block>
  )
}

/** What the handler wrote, as it is now. Only a laptop knows. */
const Effects = ({ effects }: Pick<EventAnswer, 'effects'>) =>
  effects.length === 0 ? null : (
    <Block title="In your tables">
      <Pairs
        of={effects.map(({ table, key, item }) => [
          table,
          <Foreign text={item === null ? `${JSON.stringify(key)} is gone` : JSON.stringify(item)} />,
        ])}
      />
    </Block>
  )

const whyNot = ({ erasedAt, replayable }: EventAnswer): string => {
  if (erasedAt !== null) return 'Its body was erased'
  return replayable ? 'Its body is not kept' : 'It is still on its way'
}

const Replay = ({ event, actor, notify, refresh }: DetailProps) => {
  const [asking, setAsking] = useState(false)
  const able = event.replayable && event.body !== null
  const act = async (reason: string): Promise<void> => {
    const { id, generation } = event
    await post(`/api/events/${encodeURIComponent(id)}/replay`, { reason, generation })
    notify(`Replayed as generation ${generation + 1}.`)
    refresh()
  }
  return (
    <>
      <button
        type="button"
        class="primary"
        data-replay
        disabled={!able}
        title={able ? 'Replay this event (r)' : whyNot(event)}
        onClick={() => setAsking(true)}
      >
        <Icon name="replay" />
        Replay
      </button>
      {asking && (
        <ReasonDialog
          title="Replay this event"
          confirm="Replay"
          actor={actor}
          act={act}
          onClose={() => setAsking(false)}
        >
          <p>
            Your handler gets <Foreign class="mono" text={event.eventId} /> again, as generation {event.generation + 1},{' '}
            {event.status === 'done'
              ? 'with a new idempotency key: your handler runs once more.'
              : 'with the same idempotency key: what your handler already did is not done twice.'}
          </p>
        </ReasonDialog>
      )}
    </>
  )
}
