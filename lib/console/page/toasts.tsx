import { useCallback, useState } from 'preact/hooks'

interface Toast {
  readonly key: number
  readonly sentence: string
}

const SHOWN_MS = 5_000
let keys = 0

/** A sentence about what was just done, for a moment. */
export const useToasts = (): { readonly toasts: readonly Toast[]; readonly notify: (sentence: string) => void } => {
  const [toasts, setToasts] = useState<readonly Toast[]>([])
  const notify = useCallback((sentence: string) => {
    keys += 1
    const toast = { key: keys, sentence }
    setToasts(before => [...before, toast])
    setTimeout(() => setToasts(before => before.filter(each => each !== toast)), SHOWN_MS)
  }, [])
  return { toasts, notify }
}

export const Toasts = ({ toasts }: { readonly toasts: readonly Toast[] }) => (
  <div class="toasts" role="status">
    {toasts.map(({ key, sentence }) => (
      <p key={key}>{sentence}</p>
    ))}
  </div>
)
