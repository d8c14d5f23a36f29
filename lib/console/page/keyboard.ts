import { useEffect } from 'preact/hooks'
import { VIEWS, type View, viewNames } from '../views.ts'
import { eventHref, navigate, type Route } from './route.ts'

/** Shown by ?, and what the keys do. */
export const KEYS = [
  ['j', 'k', 'Next and previous event'],
  ['Enter', '', 'Open the event'],
  ['Esc', '', 'Close it'],
  ['r', '', 'Replay the open event'],
  ['/', '', 'Search'],
  ...viewNames.map(view => [`g ${VIEWS[view].key}`, '', `Go to ${VIEWS[view].title.toLowerCase()}`] as const),
  ['?', '', 'This help'],
] as const

const viewOf = (key: string): View | undefined => viewNames.find(view => VIEWS[view].key === key)

/** The whole page by keyboard; a field that is typed into keeps its keys. */
export const useKeyboard = (route: Route, showHelp: () => void): void => {
  useEffect(() => {
    let prefix = ''
    const acts: Readonly<Record<string, () => void>> = {
      j: () => step(1, route),
      k: () => step(-1, route),
      '/': () => document.querySelector<HTMLInputElement>('input[type=search]')?.focus(),
      r: () => document.querySelector<HTMLButtonElement>('[data-replay]')?.click(),
      '?': showHelp,
      Escape: () => close(route),
    }
    const actOf = (key: string): (() => void) | undefined => {
      const view = prefix === 'g' ? viewOf(key) : undefined
      prefix = key === 'g' ? 'g' : ''
      return view ? () => navigate(`/${view}`) : acts[key]
    }
    const onKey = (event: KeyboardEvent): void => {
      if (isForOthers(event)) return
      const act = actOf(event.key)
      if (act === undefined) return
      event.preventDefault()
      act()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [route, showHelp])
}

/** For the browser, for a dialog, or for the field that is typed into; Esc leaves the field. */
const isForOthers = (event: KeyboardEvent): boolean => {
  if (event.metaKey || event.ctrlKey || event.altKey || document.querySelector('dialog[open]')) return true
  const { target } = event
  if (!(target instanceof HTMLElement) || !target.matches('input, select, textarea')) return false
  if (event.key === 'Escape') target.blur()
  return true
}

/** The focus walks over the rows; while an event is open, the next one opens in its place. */
const step = (by: 1 | -1, route: Route): void => {
  const rows = [...document.querySelectorAll<HTMLAnchorElement>('a.row')]
  const focused = rows.findIndex(row => row.isSameNode(document.activeElement))
  const at = focused >= 0 ? focused : rows.findIndex(row => row.dataset.id === route.id)
  const row = rows[Math.min(Math.max(at + by, 0), rows.length - 1)]
  row?.focus()
  row?.scrollIntoView({ block: 'nearest' })
  if (route.id !== null && row?.dataset.id !== undefined) navigate(eventHref(row.dataset.id, route), { replace: true })
}

const close = (route: Route): void => {
  if (route.id === null) return
  navigate(eventHref(null, route))
  document.querySelector<HTMLAnchorElement>(`a.row[data-id="${CSS.escape(route.id)}"]`)?.focus()
}
