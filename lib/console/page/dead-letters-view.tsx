import { useState } from 'preact/hooks'
import type { DeadLetterPage } from '../../operator/dead-letters.ts'
import { wantedOf } from '../wanted.ts'
import { BulkReplay } from './bulk-replay.tsx'
import { ListBody, type ViewProps } from './events-view.tsx'
import { Notice } from './parts.tsx'
import { useAnswer } from './use-answer.ts'
import { useEvents } from './use-events.ts'
import { count } from './words.ts'

const LOOK_EVERY_MS = 10_000

/** The events that failed for good. Their bodies are kept for 14 days, whatever their source says. */
export const DeadLettersView = ({ route, about, notify }: ViewProps) => {
  const wanted = { ...wantedOf(route.query), status: 'failed' }
  const list = useEvents(wanted)
  // Only how many wait: the list itself is kept up to date by the live line.
  const [since] = useState(() => new Date().toISOString())
  const { value } = useAnswer<DeadLetterPage>(`/api/dead-letters?limit=1&from=${since}`, LOOK_EVERY_MS)
  const waiting = value?.waiting ?? 0
  return (
    <>
      <header class="view-head">
        <h1>Dead letters</h1>
        {list.events.length > 0 && (
          <BulkReplay filter={wanted} actor={about.actor} notify={notify} label="Redrive all" />
        )}
      </header>
      <p class="lead">
        Events that failed for good. Open one to see why and to redrive it.
        {waiting > 0 && ` ${count(waiting)} more are waiting to be buried, and will appear here soon.`}
      </p>
      <ListBody
        list={list}
        route={route}
        empty={
          <Notice icon="check" title="Nothing has failed">
            <p>
              An event appears here if every try of your handler fails, or if it throws Unprocessable. Its body is kept.
            </p>
          </Notice>
        }
      />
    </>
  )
}
