import { createContext } from 'preact'
import { useContext, useEffect, useRef, useState } from 'preact/hooks'
import type { ListedEvent } from '../wanted.ts'
import { type Line, listen } from './live.ts'

export interface Live {
  readonly line: Line
  readonly why: string
  /** Called with every look that found something, until it is unsubscribed by what is returned. */
  readonly subscribe: (onEvents: (events: readonly ListedEvent[]) => void) => () => void
  /** Grows each time the line comes back after it was lost: what is on the screen may be old. */
  readonly comebacks: number
}

export const LiveContext = createContext<Live>({ line: 'connecting', why: '', subscribe: () => () => {}, comebacks: 0 })

export const useLive = (): Live => useContext(LiveContext)

/** One line for the whole page, closed while nobody looks at it. */
export const useLiveLine = (): Live => {
  const [state, setState] = useState<{ line: Line; why: string; comebacks: number }>({
    line: 'connecting',
    why: '',
    comebacks: 0,
  })
  const subscribers = useRef(new Set<(events: readonly ListedEvent[]) => void>())
  const visible = useVisible()
  useEffect(() => {
    if (!visible) return
    const ended = new AbortController()
    void listen(
      () => new Date(Date.now() - LOOK_BACK_MS).toISOString(),
      {
        onEvents: events => {
          for (const each of subscribers.current) each(events)
        },
        onLine: (line, why) => setState(before => lineState(before, line, why)),
      },
      ended.signal,
    )
    return () => ended.abort()
  }, [visible])
  const subscribe = useRef((onEvents: (events: readonly ListedEvent[]) => void) => {
    subscribers.current.add(onEvents)
    return () => void subscribers.current.delete(onEvents)
  })
  return { ...state, subscribe: subscribe.current }
}

/** A page that was hidden missed no more than this, or reads its list again. */
const LOOK_BACK_MS = 600_000

type LineState = { readonly line: Line; readonly why: string; readonly comebacks: number }

const lineState = (before: LineState, line: Line, why: string): LineState => {
  if (before.line === line && before.why === why) return before
  const back = line === 'live' && before.line !== 'live'
  return { line, why, comebacks: before.comebacks + (back ? 1 : 0) }
}

const useVisible = (): boolean => {
  const [visible, setVisible] = useState(!document.hidden)
  useEffect(() => {
    const update = (): void => setVisible(!document.hidden)
    document.addEventListener('visibilitychange', update)
    return () => document.removeEventListener('visibilitychange', update)
  }, [])
  return visible
}
