import { createContext } from 'preact'
import { useContext, useEffect, useState } from 'preact/hooks'

/** How far the server's clock is from this one; a local instance's clock may be frozen in another year. */
export const ClockContext = createContext(0)

/** Ticks, so ages grow. */
export const useNow = (): number => {
  const ahead = useContext(ClockContext)
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  return now + ahead
}
