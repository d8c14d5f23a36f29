/** npm hands the terminal's Ctrl-C on to a child that has already got it: two signals this close are one press. */
const ONE_PRESS_MS = 500

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** How often npm's shell is looked for, see below. */
const LOOK_EVERY_MS = 100

/** Resolves when the process is asked to end; asked a second time, it ends at once, and the watchdogs end the engines. */
export const endSignal = (): { readonly asked: Promise<void>; readonly signal: AbortSignal; ignore(): void } => {
  const asked = Promise.withResolvers<void>()
  const ended = new AbortController()
  void asked.promise.then(() => ended.abort())
  let first: number | undefined
  const onSignal = (): void => {
    const now = performance.now()
    first ??= now
    if (now - first > ONE_PRESS_MS) process.exit(130)
    asked.resolve()
  }
  for (const signal of SIGNALS) process.on(signal, onSignal)
  const looking = setInterval(() => shellIsGone() && asked.resolve(), LOOK_EVERY_MS).unref()
  return {
    asked: asked.promise,
    signal: ended.signal,
    ignore: () => {
      clearInterval(looking)
      for (const signal of SIGNALS) process.off(signal, onSignal)
    },
  }
}

const parent = process.ppid

/**
 * A signal to npm alone ends the shell between npm and us, which does not pass it on: we would be left behind, holding the
 * port. The kernel then gives us another parent.
 */
const shellIsGone = (): boolean => process.env.npm_lifecycle_event !== undefined && process.ppid !== parent
