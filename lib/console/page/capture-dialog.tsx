import { useState } from 'preact/hooks'
import { ActDialog, SpanField } from './act-dialog.tsx'
import { post } from './api.ts'
import type { About, CaptureChange } from './wire.ts'
import { instant } from './words.ts'

const SPANS = [
  ['10 minutes', 10],
  ['30 minutes', 30],
  ['2 hours', 120],
  ['1 day', 1_440],
  ['7 days', 10_080],
] as const

interface CaptureDialogProps extends Pick<About, 'sources'> {
  readonly told: (sentence: string) => void
  readonly onClose: () => void
}

/** Which source, for how long, and whether it is a drill. */
export const CaptureDialog = ({ sources, told, onClose }: CaptureDialogProps) => {
  const [source, setSource] = useState(sources[0]?.name ?? '')
  const [minutes, setMinutes] = useState<number>(10)
  const [drill, setDrill] = useState(false)
  const start = async (): Promise<void> => {
    const asked = { source, minutes, ...(drill && { answer: 500 }) }
    const { until, takesEffect } = await post<CaptureChange>('/api/captures', asked)
    const end = until === null ? '' : ` until ${instant(until)}`
    told(`${source} is captured${end}. This takes effect ${takesEffect}.`)
  }
  return (
    <ActDialog title="Start a capture" confirm="Start" ready={source !== ''} act={start} onClose={onClose}>
      <label>
        <span>Source</span>
        <select value={source} onChange={event => setSource(event.currentTarget.value)}>
          {sources.map(({ name }) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      <SpanField spans={SPANS} minutes={minutes} choose={setMinutes} />
      <label class="check">
        <input type="checkbox" checked={drill} onChange={event => setDrill(event.currentTarget.checked)} />
        <span>A drill: answer 500 to genuine deliveries, and do not accept them</span>
      </label>
      <p class="fine">
        {drill
          ? 'The sender shows how it retries. It must try again after the drill, or its events are not received.'
          : 'Deliveries are accepted as usual.'}
      </p>
    </ActDialog>
  )
}
