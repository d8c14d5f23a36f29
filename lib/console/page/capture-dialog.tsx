import { useState } from 'preact/hooks'
import { ApiError, post } from './api.ts'
import { Dialog } from './parts.tsx'
import type { About, CaptureChange } from './wire.ts'
import { clock, day } from './words.ts'

const SPANS = [
  ['10 minutes', 10],
  ['30 minutes', 30],
  ['2 hours', 120],
  ['1 day', 1_440],
  ['7 days', 10_080],
] as const

export interface CaptureDialogProps extends Pick<About, 'sources'> {
  readonly told: (sentence: string) => void
  readonly onClose: () => void
}

/** Which source, for how long, and whether it is a drill. */
export const CaptureDialog = ({ sources, told, onClose }: CaptureDialogProps) => {
  const [source, setSource] = useState(sources[0]?.name ?? '')
  const [minutes, setMinutes] = useState<number>(10)
  const [drill, setDrill] = useState(false)
  const [running, setRunning] = useState(false)
  const [refused, setRefused] = useState('')
  const submit = async (): Promise<void> => {
    setRunning(true)
    try {
      const asked = { source, minutes, ...(drill && { answer: 500 }) }
      const { until, takesEffect } = await post<CaptureChange>('/api/captures', asked)
      const end = until === null ? '' : ` until ${day(until)}, ${clock(until).slice(0, 8)}`
      told(`${source} is captured${end}. This takes effect ${takesEffect}.`)
      onClose()
    } catch (error) {
      setRefused(error instanceof ApiError ? error.message : String(error))
      setRunning(false)
    }
  }
  return (
    <Dialog title="Start a capture" onClose={onClose}>
      <form
        onSubmit={event => {
          event.preventDefault()
          void submit()
        }}
      >
        <label>
          <span>Source</span>
          <select value={source} onChange={event => setSource(event.currentTarget.value)}>
            {sources.map(({ name }) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
        <label>
          <span>For</span>
          <select value={minutes} onChange={event => setMinutes(Number(event.currentTarget.value))}>
            {SPANS.map(([label, each]) => (
              <option key={each} value={each}>
                {label}
              </option>
            ))}
          </select>
        </label>
        <label class="check">
          <input type="checkbox" checked={drill} onChange={event => setDrill(event.currentTarget.checked)} />
          <span>A drill: answer 500 to genuine deliveries, and do not accept them</span>
        </label>
        <p class="fine">
          {drill
            ? 'The sender shows how it retries. It must try again after the drill, or its events are not received.'
            : 'Deliveries are accepted as usual.'}
        </p>
        {refused !== '' && (
          <p class="refused" role="alert">
            {refused}
          </p>
        )}
        <footer>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="primary" disabled={running || source === ''}>
            {running ? 'Working…' : 'Start'}
          </button>
        </footer>
      </form>
    </Dialog>
  )
}
