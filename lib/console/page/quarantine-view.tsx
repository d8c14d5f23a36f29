import { useState } from 'preact/hooks'
import type { AcceptAnswer, ReverifyAnswer } from '../../../functions/operate/quarantine.ts'
import type { KeptPage } from '../../operator/every-kept.ts'
import type { KeptView } from '../../operator/kept-view.ts'
import { ApiError, post } from './api.ts'
import type { ViewProps } from './events-view.tsx'
import { Age, Failure, KeptFacts, Notice } from './parts.tsx'
import { ReasonDialog } from './reason-dialog.tsx'
import { useAnswer } from './use-answer.ts'
import { useNow } from './use-now.ts'
import { bytes } from './words.ts'

const LOOK_EVERY_MS = 5_000

/** Deliveries that were turned away and kept: to be believed after a secret is fixed, or to be forgotten. */
export const QuarantineView = ({ about, notify }: ViewProps) => {
  const { value, error, refresh } = useAnswer<KeptPage>('/api/quarantine', LOOK_EVERY_MS)
  const [accepting, setAccepting] = useState<KeptView>()
  const deliveries = value?.deliveries ?? []
  const accept = async (reason: string): Promise<void> => {
    if (accepting === undefined) return
    const answer = await post<AcceptAnswer>(`${pathOf(accepting)}/accept`, { reason })
    if (answer.kind === 'distrusted') throw new ApiError('refused', distrusted(answer.reason))
    notify(answer.kind === 'taken' && answer.outcome === 'duplicate' ? 'It had already been received.' : 'Accepted.')
    refresh()
  }
  const reverify = async (kept: KeptView): Promise<void> => {
    const answer = await post<ReverifyAnswer>(`${pathOf(kept)}/reverify`, {}).catch((problem: ApiError) => problem)
    if (answer instanceof ApiError) notify(answer.message)
    else notify(answer.kind === 'genuine' ? GENUINE : distrusted(answer.kind === 'distrusted' ? answer.reason : ''))
  }
  return (
    <>
      <header class="view-head">
        <h1>Quarantine</h1>
      </header>
      <p class="lead">Deliveries that failed verification, of the sources that keep them.</p>
      {error && value === undefined && <Failure error={error} />}
      {value && deliveries.length === 0 && <Empty />}
      {deliveries.length > 0 && <Rows deliveries={deliveries} reverify={reverify} accept={setAccepting} />}
      {value?.more && (
        <p class="lead">
          These are the newest {deliveries.length}. <code>npx hooklatch quarantine</code> reaches the older ones.
        </p>
      )}
      {accepting && (
        <ReasonDialog
          title="Accept this delivery"
          confirm="Accept"
          actor={about.actor}
          act={accept}
          onClose={() => setAccepting(undefined)}
        >
          <p>It is verified again with the current secrets. If it is genuine, it is claimed and queued once.</p>
        </ReasonDialog>
      )}
    </>
  )
}

const GENUINE = 'Genuine with the current secrets: you can accept it.'
const distrusted = (reason: string): string => `Still not genuine: ${reason}.`
const pathOf = ({ source, key }: KeptView): string =>
  `/api/quarantine/${encodeURIComponent(source)}/${encodeURIComponent(key)}`

interface RowsProps {
  readonly deliveries: readonly KeptView[]
  readonly reverify: (kept: KeptView) => Promise<void>
  readonly accept: (kept: KeptView) => void
}

const Rows = ({ deliveries, reverify, accept }: RowsProps) => {
  const now = useNow()
  return (
    <div class="scroll">
      <ol class="rows" aria-label="Deliveries in quarantine">
        {deliveries.map(kept => (
          <li key={`${kept.source}/${kept.key}`} class="row kept">
            <KeptFacts kept={kept} unnamed={bytes(kept.size)} />
            <span class="acts">
              <button type="button" onClick={() => void reverify(kept)}>
                Verify again
              </button>
              <button type="button" onClick={() => accept(kept)}>
                Accept
              </button>
            </span>
            <Age at={kept.time} now={now} />
          </li>
        ))}
      </ol>
    </div>
  )
}

const Empty = () => (
  <Notice icon="quarantine" title="Quarantine is empty">
    <p>
      A source with <code>quarantine: true</code> in sources.ts keeps what it turns away for a while, so nothing is lost
      while a secret is wrong.
    </p>
  </Notice>
)
