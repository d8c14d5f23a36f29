/** The life of one generation of an event, in order. A status never moves left within a generation. */
export const STATUSES = ['claimed', 'queued', 'working', 'done', 'failed', 'ignored'] as const

export type Status = (typeof STATUSES)[number]

/** Whether anything is left to do in this generation. What is over can be replayed. */
const OVER = {
  claimed: false,
  queued: false,
  working: false,
  done: true,
  failed: true,
  ignored: true,
} as const satisfies Record<Status, boolean>

export type Over = { [Name in Status]: (typeof OVER)[Name] extends true ? Name : never }[Status]

export const isOver = (status: Status): status is Over => OVER[status]

/** Those that can be replayed. */
export const OVER_STATUSES: readonly Over[] = /* @__PURE__ */ STATUSES.filter(isOver)
