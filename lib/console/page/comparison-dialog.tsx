import type { Change, Comparison } from '../../operator/compare.ts'
import type { KeptView } from '../../operator/kept-view.ts'
import { Dialog, Failure, Foreign } from './parts.tsx'
import { useAnswer } from './use-answer.ts'
import { clock, printable, took } from './words.ts'

export interface ComparisonDialogProps {
  readonly first: KeptView
  readonly second: KeptView
  readonly onClose: () => void
}

/** What changed from one delivery to a later one. */
export const ComparisonDialog = ({ first, second, onClose }: ComparisonDialogProps) => {
  const keys = new URLSearchParams({ first: first.key, second: second.key })
  const path = `/api/captures/${encodeURIComponent(first.source)}/compare?${keys}`
  const { value, error } = useAnswer<Comparison>(path)
  return (
    <Dialog title="What changed" wide onClose={onClose}>
      <div class="dialog-body">
        {error && <Failure error={error} />}
        {value && <Told {...value} />}
      </div>
    </Dialog>
  )
}

const Told = ({ first, second, secondsBetween, sameEventId, sameBody, headers, body }: Comparison) => (
  <>
    <p>
      {first.source}, {clock(first.time)} (answered {first.status}) and {took(secondsBetween * 1_000)} later (answered{' '}
      {second.status})
    </p>
    <ul class="verdicts">
      <li class={sameEventId === false ? 'bad' : sameEventId === null ? '' : 'good'}>
        {sameEventId === null && 'One of them has no event id to compare.'}
        {sameEventId === true && 'The same event id: '}
        {sameEventId === false && 'Another event id: '}
        {sameEventId !== null && <Foreign class="mono" text={second.eventId ?? ''} />}
        {sameEventId === false && (
          <>
            {' instead of '}
            <Foreign class="mono" text={first.eventId ?? ''} />
          </>
        )}
      </li>
      <li class={sameBody ? 'good' : ''}>
        {sameBody ? 'The same body, byte for byte.' : `Changes in the body: ${body.length}.`}
      </li>
    </ul>
    <Changes title="Headers" changes={headers} />
    <Changes title="Body" changes={body} />
  </>
)

const Changes = ({ title, changes }: { readonly title: string; readonly changes: readonly Change[] }) =>
  changes.length === 0 ? null : (
    <table class="changes" aria-label={title}>
      <thead>
        <tr>
          <th>{title}</th>
          <th>First</th>
          <th>Second</th>
        </tr>
      </thead>
      <tbody>
        {changes.map(({ path, first, second }) => (
          <tr key={path}>
            <th scope="row">{printable(path)}</th>
            <td>{first === null ? <i>absent</i> : <Foreign text={first} />}</td>
            <td>{second === null ? <i>absent</i> : <Foreign text={second} />}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
