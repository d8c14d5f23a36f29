import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { ApiError } from './api.ts'
import { Dialog } from './parts.tsx'

export interface ActDialogProps {
  readonly title: string
  readonly confirm: string
  /** Whether what was filled in is enough. */
  readonly ready: boolean
  readonly children: ComponentChildren
  readonly act: () => Promise<void>
  readonly onClose: () => void
}

/** Asks for what an act needs, and says why it was refused; while it runs, a second click does nothing. */
export const ActDialog = ({ title, confirm, ready, children, act, onClose }: ActDialogProps) => {
  const [running, setRunning] = useState(false)
  const [refused, setRefused] = useState('')
  const able = ready && !running
  const submit = async (): Promise<void> => {
    if (!able) return
    setRunning(true)
    setRefused('')
    try {
      await act()
      onClose()
    } catch (error) {
      setRefused(error instanceof ApiError ? error.message : String(error))
      setRunning(false)
    }
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        onSubmit={event => {
          event.preventDefault()
          void submit()
        }}
      >
        {children}
        {refused !== '' && (
          <p class="refused" role="alert">
            {refused}
          </p>
        )}
        <footer>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="primary" disabled={!able}>
            {running ? 'Working…' : confirm}
          </button>
        </footer>
      </form>
    </Dialog>
  )
}

interface SpanFieldProps {
  readonly spans: readonly (readonly [label: string, minutes: number])[]
  readonly minutes: number
  readonly choose: (minutes: number) => void
}

/** For how long. */
export const SpanField = ({ spans, minutes, choose }: SpanFieldProps) => (
  <label>
    <span>For</span>
    <select value={minutes} onChange={event => choose(Number(event.currentTarget.value))}>
      {spans.map(([label, each]) => (
        <option key={each} value={each}>
          {label}
        </option>
      ))}
    </select>
  </label>
)
