/** Raw bytes of a delivery. With base64 (4/3) and the event around it this stays under Lambda's 6 MB. */
export const BODY_LIMIT_BYTES = 4_194_304

/** How long a receiver may act on its claim. */
export const RECEIVE_LEASE_MS = 15_000

/** Below the lease, so a receiver is stopped before another may take over. */
export const RECEIVE_TIMEOUT_SECONDS = 10

/** Sent with 409 and 503: a sender that honours it comes back when the lease has passed. */
export const RETRY_AFTER_SECONDS = RECEIVE_LEASE_MS / 1000

/** Of the worker, unless its user says otherwise. */
export const WORKER_TIMEOUT_SECONDS = 5

/** A worker reports and answers in its last second: with no more than that, no handler would ever be called. */
export const WORKER_TIMEOUT_LEAST_SECONDS = 2

/** Ten dead letters at once, each read, kept and marked. */
export const BURY_TIMEOUT_SECONDS = 30

export const RECOVER_EVERY_SECONDS = 60

/** Ends before the next run begins: two at once would be safe, and of no use. */
export const RECOVER_TIMEOUT_SECONDS = RECOVER_EVERY_SECONDS

/** An operator waits for it. */
export const OPERATE_TIMEOUT_SECONDS = 60

/** A job is run in shares of so long, so its operator sees it progress, and can stop it. */
export const OPERATE_SHARE_MS = 5_000

/** Half of its time: the call of a sender's API that is under way may take the other half. */
export const COMPARE_SHARE_MS = 30_000

/** As long as Lambda lets a function run. */
export const RECONCILE_TIMEOUT_SECONDS = 900

/** A call for each copy and destination, for up to ten events at once. */
export const FAN_OUT_TIMEOUT_SECONDS = 30
