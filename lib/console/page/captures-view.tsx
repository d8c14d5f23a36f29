import { useState } from 'preact/hooks'
import type { KeptView } from '../../operator/kept-view.ts'
import type { CaptureState } from '../../operator/set-capture.ts'
import { sinceBefore } from '../../operator/since-before.ts'
import { type ApiError, post } from './api.ts'
import { CaptureDialog } from './capture-dialog.tsx'
import { ComparisonDialog } from './comparison-dialog.tsx'
import type { ViewProps } from './events-view.tsx'
import { KeptDialog } from './kept-dialog.tsx'
import { Age, Failure, KeptFacts, Notice } from './parts.tsx'
import { useAnswer } from './use-answer.ts'
import { useNow } from './use-now.ts'
import type { CaptureChange, CapturesAnswer } from './wire.ts'
import { instant, took } from './words.ts'

const LOOK_EVERY_MS = 5_000

type Open = 'start' | 'compare' | KeptView | undefined

/** Every delivery of a source for a while, and what changed between two of them. */
export const CapturesView = ({ about, notify }: ViewProps) => {
  const { value, error, refresh } = useAnswer<CapturesAnswer>('/api/captures', LOOK_EVERY_MS)
  const [chosen, setChosen] = useState<readonly KeptView[]>([])
  const [open, setOpen] = useState<Open>()
  const close = (): void => setOpen(undefined)
  const deliveries = value?.deliveries ?? []
  const [first, second] = [...chosen].sort((left, right) => (left.key < right.key ? -1 : 1))
  const told = (sentence: string): void => {
    notify(sentence)
    refresh()
  }
  return (
    <>
      <header class="view-head">
        <h1>Captures</h1>
        <button type="button" disabled={chosen.length !== 2} onClick={() => setOpen('compare')}>
          Compare
        </button>
        <button type="button" class="primary" onClick={() => setOpen('start')}>
          Start a capture
        </button>
      </header>
      <p class="lead">
        Every delivery of a source for a while, with headers, body and answer. Choose two of one source to compare them.
      </p>
      {value?.hidden != null && <p class="lead">What is captured now is hidden from you: {value.hidden}</p>}
      <Running states={value?.sources ?? []} told={told} />
      {error && value === undefined && <Failure error={error} />}
      {value && deliveries.length === 0 && <Empty />}
      {deliveries.length > 0 && <Rows deliveries={deliveries} chosen={chosen} choose={setChosen} show={setOpen} />}
      {value?.more && (
        <p class="lead">
          These are the newest {deliveries.length}. <code>npx hooklatch capture</code> reaches the older ones.
        </p>
      )}
      {open === 'start' && <CaptureDialog sources={about.sources} told={told} onClose={close} />}
      {open === 'compare' && first && second && <ComparisonDialog first={first} second={second} onClose={close} />}
      {typeof open === 'object' && <KeptDialog kept={open} onClose={close} />}
    </>
  )
}

interface RunningProps {
  readonly states: readonly CaptureState[]
  readonly told: (sentence: string) => void
}

const Running = ({ states, told }: RunningProps) => {
  const stop = async (source: string): Promise<void> => {
    const path = `/api/captures/${encodeURIComponent(source)}/stop`
    const answer = await post<CaptureChange>(path, {}).catch((problem: ApiError) => problem)
    told(answer instanceof Error ? answer.message : `No longer captured. This takes effect ${answer.takesEffect}.`)
  }
  const running = states.filter(({ until }) => until !== null)
  return running.length === 0 ? null : (
    <ul class="running" aria-label="Captured now">
      {running.map(({ source, until, answer }) => (
        <li key={source}>
          <span>
            <strong>{source}</strong> until {instant(until ?? '')}
            {answer !== null && `, answered ${answer}`}
          </span>
          <button type="button" onClick={() => void stop(source)}>
            Stop
          </button>
        </li>
      ))}
    </ul>
  )
}

interface RowsProps {
  readonly deliveries: readonly KeptView[]
  readonly chosen: readonly KeptView[]
  readonly choose: (chosen: readonly KeptView[]) => void
  readonly show: (kept: KeptView) => void
}

const Rows = ({ deliveries, chosen, choose, show }: RowsProps) => {
  const now = useNow()
  const isChosen = ({ key }: KeptView): boolean => chosen.some(each => each.key === key)
  /** The last two of one source. */
  const toggle = (kept: KeptView): void =>
    choose(
      isChosen(kept)
        ? chosen.filter(({ key }) => key !== kept.key)
        : [...chosen.filter(({ source }) => source === kept.source), kept].slice(-2),
    )
  return (
    <div class="scroll">
      <ol class="rows" aria-label="Captured deliveries">
        {deliveries.map(kept => {
          const since = sinceBefore(kept, deliveries)
          return (
            <li key={`${kept.source}/${kept.key}`} class="row captured">
              <input
                type="checkbox"
                aria-label={`Compare the delivery of ${kept.time}`}
                checked={isChosen(kept)}
                onChange={() => toggle(kept)}
              />
              <KeptFacts kept={kept} unnamed="-" />
              <span class="fine">{since === null ? '' : `${took(since)} after the one before`}</span>
              <span class="acts">
                <button type="button" onClick={() => show(kept)}>
                  Show
                </button>
              </span>
              <Age at={kept.time} now={now} />
            </li>
          )
        })}
      </ol>
    </div>
  )
}

const Empty = () => (
  <Notice icon="captures" title="Nothing is captured">
    <p>
      A capture keeps every delivery of a source for three days, duplicates and rejected ones too. It ends by itself.
    </p>
  </Notice>
)
