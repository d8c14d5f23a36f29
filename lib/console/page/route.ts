import { useEffect, useState } from 'preact/hooks'
import { type View, viewNames } from '../views.ts'

export interface Route {
  readonly view: View
  /** The event that is open beside the list. */
  readonly id: string | null
  readonly query: URLSearchParams
}

/** The address bar is the state: what is filtered and open can be sent to a colleague, and Back works. */
export const useRoute = (): Route => {
  const [route, setRoute] = useState(readRoute)
  useEffect(() => {
    const update = (): void => setRoute(readRoute())
    addEventListener('popstate', update)
    addEventListener('click', followLink)
    return () => {
      removeEventListener('popstate', update)
      removeEventListener('click', followLink)
    }
  }, [])
  return route
}

export const navigate = (href: string, { replace = false } = {}): void => {
  if (replace) history.replaceState(null, '', href)
  else history.pushState(null, '', href)
  dispatchEvent(new PopStateEvent('popstate'))
}

/** The same view and filters, with this event open, or none. */
export const eventHref = (id: string | null, { view, query }: Pick<Route, 'view' | 'query'>): string => {
  const path = id === null ? `/${view}` : `/${view}/${encodeURIComponent(id)}`
  return query.size === 0 ? path : `${path}?${query}`
}

/** One filter more, or one less. */
export const withFilter = (route: Route, name: string, value: string): string => {
  const query = new URLSearchParams(route.query)
  if (value === '') query.delete(name)
  else query.set(name, value)
  return eventHref(route.id, { view: route.view, query })
}

const readRoute = (): Route => {
  const [, first = '', second] = location.pathname.split('/')
  const view = viewNames.find(each => each === first) ?? 'events'
  return { view, id: second ? decoded(second) : null, query: new URLSearchParams(location.search) }
}

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** A plain click on a link of ours; with a key held down the browser opens a tab, as everywhere. */
const followLink = (click: MouseEvent): void => {
  const link = click.target instanceof Element ? click.target.closest('a') : null
  if (link === null || click.defaultPrevented || click.button !== 0 || link.origin !== location.origin) return
  if (click.metaKey || click.ctrlKey || click.shiftKey || click.altKey || link.target !== '') return
  click.preventDefault()
  navigate(link.pathname + link.search)
}
