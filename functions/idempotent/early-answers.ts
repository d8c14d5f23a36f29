/** When a middleware ended the chain: before the handler, after it, or while an error was looked at. */
export type EndedWhen = 'before' | 'after' | 'error'

/**
 * A middleware that answers by itself ends middy's chain, and those behind it are not asked: all that can be seen of it is that
 * middy notes the answer. `conclude` says what becomes of it, and middy waits for that.
 */
export const onEarlyAnswer = (
  request: { readonly response?: unknown; readonly error?: unknown },
  conclude: (answer: unknown, when: EndedWhen) => Promise<unknown>,
): void => {
  let response: unknown = request.response
  let handled = false
  Object.defineProperty(request, 'response', {
    enumerable: true,
    get: () => response,
    set: (answer: unknown) => {
      const early = 'earlyResponse' in request
      const when = request.error ? 'error' : handled ? 'after' : 'before'
      response = early ? conclude(answer, when) : answer
      if (!early) handled = true
    },
  })
}
