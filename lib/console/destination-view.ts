/** One destination, as the console shows it. */
export interface DestinationView {
  readonly name: string
  /** worker, queue, bus or url; null if the deployment does not say. */
  readonly kind: string | null
  readonly pause: {
    readonly reason: string
    readonly actor: string
    readonly since: string
    readonly until: string
  } | null
}
