import { useState } from 'preact/hooks'
import type { ComparisonView } from '../world.ts'
import { type ApiError, post } from './api.ts'
import { Foreign } from './parts.tsx'
import { count, minute } from './words.ts'

interface ComparedProps {
  readonly comparison: ComparisonView
  readonly refresh: () => void
}

/** What the last comparison with the sender's own list found, and a button for a dry run. */
export const Compared = ({ comparison: { source, last }, refresh }: ComparedProps) => {
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState<string>()
  const compare = async (): Promise<void> => {
    setBusy(true)
    const path = `/api/comparisons/${encodeURIComponent(source)}`
    const answer = await post(path, {}).catch((problem: ApiError) => problem)
    setRefused(answer instanceof Error ? answer.message : undefined)
    setBusy(false)
    refresh()
  }
  return (
    <div class="compared">
      <p class="fine" role="status">
        {refused ?? (last === null ? "Never compared with its sender's list" : <Last last={last} />)}
      </p>
      <button
        type="button"
        disabled={busy}
        title="Says what is missing, and takes nothing"
        aria-label={`Compare ${source} with its sender's list, as a dry run`}
        onClick={() => void compare()}
      >
        {busy ? 'Comparing\u2026' : 'Dry run'}
      </button>
    </div>
  )
}

const Last = ({ last }: { readonly last: NonNullable<ComparisonView['last']> }) => {
  const { at, actor, why, listed, missing, taken } = last
  return (
    <>
      Compared with its sender's list on {minute(at)}, by <Foreign text={actor} />: {count(listed)} listed,{' '}
      <span class={missing > taken ? 'left' : ''}>{count(missing)} missing</span>, {count(taken)} taken
      {why !== null && <Foreign text={`. ${why}`} />}
    </>
  )
}
