import type { DeliveryView } from '../../operator/deliveries.ts'
import { Block } from './parts.tsx'
import { clock, took, utc } from './words.ts'

/** Every time its sender sent it, and what it was told. */
export const Deliveries = ({ deliveries }: { readonly deliveries: readonly DeliveryView[] }) => {
  if (deliveries.length === 0) return null
  return (
    <Block title="Deliveries" aside={<span class="fine">{deliveries.length}</span>}>
      <table class="deliveries">
        <thead>
          <tr>
            <th>Time</th>
            <th>Answer</th>
            <th>Outcome</th>
            <th>Took</th>
          </tr>
        </thead>
        <tbody>
          {deliveries.map(each => (
            <tr key={each.correlationId}>
              <td>
                <time dateTime={each.time} title={utc(each.time)}>
                  {clock(each.time)}
                </time>
              </td>
              <td class={each.status < 300 ? 'good' : 'bad'}>{each.status}</td>
              <td>
                {each.outcome}
                {each.attempt !== null && <span class="fine"> try {each.attempt}</span>}
                {each.bodyChanged && <span class="chip warn">body changed</span>}
              </td>
              <td>{took(each.durationMs)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Block>
  )
}
