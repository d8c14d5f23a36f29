/** npm hands the terminal's Ctrl-C on to a child that has already got it: two signals this close are one press. */
const ONE_PRESS_MS = 500

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Resolves when the process is asked to end; asked a second time, it ends at once, and the watchdogs end the engines. */
export const endSignal = (): { readonly asked: Promise<void>; ignore(): void } => {
  const asked = Promise.withResolvers<void>()
  let first: number | undefined
  const onSignal = (): void => {
    const now = performance.now()
    first ??= now
    if (now - first > ONE_PRESS_MS) process.exit(130)
    asked.resolve()
  }
  for (const signal of SIGNALS) process.on(signal, onSignal)
  return {
    asked: asked.promise,
    ignore: () => {
      for (const signal of SIGNALS) process.off(signal, onSignal)
    },
  }
}
