import { useEffect, useRef, useState } from 'preact/hooks'
import { ActDialog, type ActDialogProps } from './act-dialog.tsx'

interface ReasonDialogProps extends Omit<ActDialogProps, 'ready' | 'act'> {
  /** Recorded as whoever acts. */
  readonly actor: string
  readonly disabled?: boolean
  readonly act: (reason: string) => Promise<void>
}

/** An act that is recorded needs a reason. */
export const ReasonDialog = ({ actor, children, disabled = false, act, ...dialog }: ReasonDialogProps) => {
  const [text, setText] = useState('')
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  const reason = text.trim()
  return (
    <ActDialog {...dialog} ready={reason !== '' && !disabled} act={() => act(reason)}>
      {children}
      <label>
        <span>Reason</span>
        <input
          ref={field}
          name="reason"
          value={text}
          maxLength={500}
          autoComplete="off"
          placeholder="Why? For example: handler fixed in 1.4.2"
          onInput={event => setText(event.currentTarget.value)}
        />
      </label>
      <p class="fine">The reason and your name ({actor}) are recorded first.</p>
    </ActDialog>
  )
}
