import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { ApiError } from './api.ts'
import { Dialog } from './parts.tsx'

export interface ReasonDialogProps {
  readonly title: string
  readonly confirm: string
  /** Recorded as whoever acts. */
  readonly actor: string
  /** Says what will happen. */
  readonly children: ComponentChildren
  readonly disabled?: boolean
  readonly act: (reason: string) => Promise<void>
  readonly onClose: () => void
}

/** An act needs a reason and a second look; while it runs, a second click does nothing. */
export const ReasonDialog = ({ title, confirm, actor, children, disabled, act, onClose }: ReasonDialogProps) => {
  const [reason, setReason] = useState('')
  const [running, setRunning] = useState(false)
  const [refused, setRefused] = useState('')
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  const ready = reason.trim() !== '' && !running && disabled !== true
  const submit = async (): Promise<void> => {
    if (!ready) return
    setRunning(true)
    setRefused('')
    try {
      await act(reason.trim())
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
        <label>
          <span>Reason</span>
          <input
            ref={field}
            name="reason"
            value={reason}
            maxLength={500}
            autoComplete="off"
            placeholder="Why? For example: handler fixed in 1.4.2"
            onInput={event => setReason(event.currentTarget.value)}
          />
        </label>
        <p class="fine">The reason and your name ({actor}) are recorded first.</p>
        {refused !== '' && (
          <p class="refused" role="alert">
            {refused}
          </p>
        )}
        <footer>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="primary" disabled={!ready}>
            {running ? 'Working…' : confirm}
          </button>
        </footer>
      </form>
    </Dialog>
  )
}
