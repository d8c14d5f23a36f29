import { useEffect, useState } from 'preact/hooks'
import { STATUSES } from '../../../functions/contract/status.ts'
import { Icon } from './icons.tsx'
import { navigate, type Route, withFilter } from './route.ts'
import { printable } from './words.ts'

const TYPING_MS = 200

export interface FiltersProps {
  readonly route: Route
  readonly sources: readonly string[]
  readonly destinations: readonly string[]
}

export const Filters = ({ route, sources, destinations }: FiltersProps) => {
  const filter = (name: string) => route.query.get(name) ?? ''
  const set = (name: string, value: string): void => navigate(withFilter(route, name, value))
  return (
    <search class="filters">
      <SearchField route={route} />
      <Choice name="source" all="All sources" from={sources} value={filter('source')} set={set} />
      {destinations.length > 1 && (
        <Choice name="destination" all="All destinations" from={destinations} value={filter('destination')} set={set} />
      )}
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
      {filter('type') !== '' && (
        <button type="button" class="pressed" aria-label="Clear the type" onClick={() => set('type', '')}>
          {printable(filter('type'))}
          <Icon name="close" />
        </button>
      )}
    </search>
  )
}

interface ChoiceProps {
  readonly name: string
  readonly all: string
  readonly from: readonly string[]
  readonly value: string
  readonly set: (name: string, value: string) => void
}

/** One of several; what an address bar says stays, though it is none of them. */
const Choice = ({ name, all, from, value, set }: ChoiceProps) => (
  <select
    aria-label={name.charAt(0).toUpperCase() + name.slice(1)}
    value={value}
    onChange={event => set(name, event.currentTarget.value)}
  >
    <option value="">{all}</option>
    {[...new Set([...from, ...(value === '' ? [] : [value])])].map(each => (
      <option key={each} value={each}>
        {printable(each)}
      </option>
    ))}
  </select>
)

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
