import type { JobView } from '../../../functions/operate/job-view.ts'
import type { DeliveryView } from '../../operator/deliveries.ts'
import type { KeptPage } from '../../operator/every-kept.ts'
import type { CaptureState } from '../../operator/set-capture.ts'
import type { EventDetail } from '../../operator/show.ts'
import type { ComparisonView, DestinationView } from '../world.ts'

/** What the API answers, where the operator library has no name for it. */
export interface About {
  readonly place: string
  readonly actor: string
  readonly sources: readonly { readonly name: string; readonly url: string | null }[]
  /** The worker and the others, by name. */
  readonly destinations: readonly string[]
  readonly now: string
  readonly curl: string | null
}

export interface ComparisonsAnswer {
  readonly comparisons: readonly ComparisonView[]
}

export interface DestinationsAnswer {
  readonly destinations: readonly DestinationView[]
}

export interface EventAnswer extends EventDetail {
  readonly deliveries: readonly DeliveryView[]
}

export interface CapturesAnswer extends KeptPage {
  readonly sources: readonly CaptureState[]
  /** Why the switches cannot be read; null if they can. */
  readonly hidden: string | null
}

export interface RunningJob extends JobView {
  /** Why nobody is at it any more, and the command that goes on; null or absent: it runs, or has come to its end. */
  readonly stopped?: { readonly cause: string; readonly resume: string } | null
}

export interface CaptureChange extends CaptureState {
  readonly takesEffect: string
}
