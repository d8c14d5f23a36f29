/** Where a function of ours hands events over to: the stack says so, as JSON in one variable. */
export type Target = QueueTarget | BusTarget | UrlTarget

export interface QueueTarget {
  readonly queueUrl: string
}

export interface BusTarget {
  readonly bus: string
}

export interface UrlTarget {
  readonly url: string
  /** For the whole answer. */
  readonly timeoutSeconds: number
  readonly privateAddresses: boolean
  /** Where its signing secret is. */
  readonly secret: string
}
