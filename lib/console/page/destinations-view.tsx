import { useState } from 'preact/hooks'
import type { DestinationView } from '../world.ts'
import { SpanField } from './act-dialog.tsx'
import { post } from './api.ts'
import type { ViewProps } from './events-view.tsx'
import { Failure, Foreign } from './parts.tsx'
import { ReasonDialog } from './reason-dialog.tsx'
import { useAnswer } from './use-answer.ts'
import type { DestinationsAnswer } from './wire.ts'
import { minute } from './words.ts'

const LOOK_EVERY_MS = 5_000
const SPANS = [
  ['1 hour', 60],
  ['2 hours', 120],
  ['8 hours', 480],
  ['1 day', 1_440],
  ['7 days, the longest', 10_080],
] as const

/** Where events go, and the switch that stops each for a while. */
export const DestinationsView = ({ about, notify }: ViewProps) => {
  const { value, error, refresh } = useAnswer<DestinationsAnswer>('/api/destinations', LOOK_EVERY_MS)
  const [changing, setChanging] = useState<DestinationView>()
  const told = (sentence: string): void => {
    notify(sentence)
    refresh()
  }
  return (
    <>
      <header class="view-head">
        <h1>Destinations</h1>
      </header>
      <p class="lead">A paused destination gets no events. They wait, and no try of theirs is used up.</p>
      {error && value === undefined && <Failure error={error} />}
      <div class="scroll">
        <ul class="destinations">
          {value?.destinations.map(each => (
            <Row key={each.name} destination={each} change={() => setChanging(each)} />
          ))}
        </ul>
      </div>
      {changing && (
        <Change destination={changing} actor={about.actor} told={told} onClose={() => setChanging(undefined)} />
      )}
    </>
  )
}

const Row = ({ destination, change }: { readonly destination: DestinationView; readonly change: () => void }) => {
  const { name, kind, pause } = destination
  return (
    <li class={pause === null ? '' : 'paused'} aria-label={name}>
      <a href={`/events?destination=${encodeURIComponent(name)}`}>{name}</a>
      {kind !== null && kind !== name && <span class="chip">{kind}</span>}
      <span class="says">
        {pause === null ? (
          'gets its events'
        ) : (
          <>
            <strong>paused</strong> until {minute(pause.until)}, since {minute(pause.since)}, by{' '}
            <Foreign text={pause.actor} />: <Foreign text={pause.reason} />
          </>
        )}
      </span>
      <button type="button" aria-label={`${pause === null ? 'Pause' : 'Resume'} ${name}`} onClick={change}>
        {pause === null ? 'Pause' : 'Resume'}
      </button>
    </li>
  )
}

interface ChangeProps {
  readonly destination: DestinationView
  readonly actor: string
  readonly told: (sentence: string) => void
  readonly onClose: () => void
}

const Change = ({ destination: { name, pause }, actor, told, onClose }: ChangeProps) => {
  const [minutes, setMinutes] = useState<number>(SPANS[0][1])
  const isPaused = pause !== null
  const act = async (reason: string): Promise<void> => {
    const path = `/api/destinations/${encodeURIComponent(name)}/${isPaused ? 'resume' : 'pause'}`
    const answer = await post<{ readonly kind: string }>(path, isPaused ? { reason } : { reason, minutes })
    const done = isPaused ? `${name} gets its events again.` : `${name} is paused.`
    told(answer.kind === 'noted' ? 'It is on record: recovery carries it out within a minute.' : done)
  }
  return (
    <ReasonDialog
      title={`${isPaused ? 'Resume' : 'Pause'} ${name}`}
      confirm={isPaused ? 'Resume' : 'Pause'}
      actor={actor}
      act={act}
      onClose={onClose}
    >
      {isPaused ? (
        <p>What has waited is handled from now on, as fast as {name} is allowed to work.</p>
      ) : (
        <>
          <p>What is being handled comes to its end. Everything else waits, and the pause ends by itself.</p>
          <SpanField spans={SPANS} minutes={minutes} choose={setMinutes} />
        </>
      )}
    </ReasonDialog>
  )
}
