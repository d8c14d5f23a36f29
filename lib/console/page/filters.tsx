import { useEffect, useState } from 'preact/hooks'
import { STATUSES } from '../../../functions/contract/status.ts'
import { Icon } from './icons.tsx'
import { navigate, type Route, withFilter } from './route.ts'
import { printable } from './words.ts'

const TYPING_MS = 200

export const Filters = ({ route, sources }: { readonly route: Route; readonly sources: readonly string[] }) => {
  const filter = (name: string) => route.query.get(name) ?? ''
  const set = (name: string, value: string): void => navigate(withFilter(route, name, value))
  return (
    <search class="filters">
      <SearchField route={route} />
      <select aria-label="Source" value={filter('source')} onChange={event => set('source', event.currentTarget.value)}>
        <option value="">All sources</option>
        {sources.map(source => (
          <option key={source} value={source}>
            {source}
          </option>
        ))}
      </select>
      <fieldset class="segments" aria-label="Status">
        {['', ...STATUSES].map(status => (
          <button
            key={status}
            type="button"
            class={status}
            aria-pressed={filter('status') === status}
            onClick={() => set('status', status)}
          >
            {status === '' ? 'all' : status}
          </button>
        ))}
      </fieldset>
      {['type', 'destination'].map(
        name =>
          filter(name) !== '' && (
            <button
              key={name}
              type="button"
              class="pressed"
              aria-label={`Clear the ${name}`}
              onClick={() => set(name, '')}
            >
              {printable(filter(name))}
              <Icon name="close" />
            </button>
          ),
      )}
    </search>
  )
}

/** What is typed goes into the address bar a moment after the last key, without a step back for each letter. */
const SearchField = ({ route }: { readonly route: Route }) => {
  const current = route.query.get('q') ?? ''
  const [text, setText] = useState(current)
  useEffect(() => setText(current), [current])
  useEffect(() => {
    if (text === current) return
    const timer = setTimeout(() => navigate(withFilter(route, 'q', text.trim()), { replace: true }), TYPING_MS)
    return () => clearTimeout(timer)
  }, [text, current, route])
  return (
    <label class="search">
      <Icon name="search" />
      <input
        type="search"
        name="q"
        value={text}
        aria-label="Search"
        placeholder="Search ids and types"
        autoComplete="off"
        spellcheck={false}
        onInput={event => setText(event.currentTarget.value)}
      />
      <kbd>/</kbd>
    </label>
  )
}
