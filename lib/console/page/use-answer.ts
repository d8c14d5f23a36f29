import { useCallback, useEffect, useState } from 'preact/hooks'
import { ApiError, get } from './api.ts'
import { useLive } from './use-live.ts'

export interface Asked<Value> {
  readonly value: Value | undefined
  readonly error: ApiError | undefined
  /** Asks again; what is there stays on the screen meanwhile. */
  readonly refresh: () => void
}

/** What the API answers at a path, asked again when the path changes, when the line comes back and, if told, every so often. */
export const useAnswer = <Value>(path: string, everyMs = 0): Asked<Value> => {
  const [state, setState] = useState<{ path: string; value?: Value; error?: ApiError }>({ path })
  const [asked, setAsked] = useState(0)
  const { comebacks } = useLive()
  useEffect(() => {
    const ended = new AbortController()
    get<Value>(path, ended.signal).then(
      value => setState({ path, value }),
      (error: unknown) => {
        if (ended.signal.aborted) return
        const known = error instanceof ApiError ? error : new ApiError('unexpected', String(error))
        setState(before => ({ ...(before.path === path ? before : {}), path, error: known }))
      },
    )
    return () => ended.abort()
  }, [path, asked, comebacks])
  const refresh = useCallback(() => setAsked(times => times + 1), [])
  useEffect(() => {
    if (everyMs === 0) return
    const timer = setInterval(() => document.hidden || refresh(), everyMs)
    return () => clearInterval(timer)
  }, [everyMs, refresh])
  const current = state.path === path
  return { value: current ? state.value : undefined, error: current ? state.error : undefined, refresh }
}
