import { VIEWS, viewNames } from '../views.ts'
import { Icon } from './icons.tsx'
import type { Line } from './live.ts'
import type { Route } from './route.ts'
import { useTheme } from './theme.ts'
import { useLive } from './use-live.ts'
import type { About } from './wire.ts'

const LINES = {
  connecting: 'Connecting',
  live: 'Live',
  lost: 'Reconnecting',
  locked: 'Locked',
} as const satisfies Record<Line, string>

export interface SidebarProps {
  readonly route: Route
  readonly about: About
  readonly showHelp: () => void
}

export const Sidebar = ({ route, about, showHelp }: SidebarProps) => {
  const { line } = useLive()
  const [theme, turn] = useTheme()
  return (
    <nav class="sidebar" aria-label="Console">
      <a class="brand" href="/events">
        <img src="/icon.svg" alt="" width="22" height="22" />
        <strong>Hooklatch</strong>
        <span class="chip clip" title={`Operating ${about.place} as ${about.actor}`}>
          {about.place}
        </span>
      </a>
      <ul>
        {viewNames.map(view => (
          <li key={view}>
            <a href={`/${view}`} aria-current={view === route.view ? 'page' : undefined}>
              <Icon name={view} />
              <span>{VIEWS[view].title}</span>
            </a>
          </li>
        ))}
      </ul>
      <footer>
        <p class={`line ${line}`} role="status">
          <span class="dot" />
          <span>{LINES[line]}</span>
        </p>
        <button
          type="button"
          class="quiet icon-only"
          aria-label={`Theme: ${theme}`}
          title={`Theme: ${theme}`}
          onClick={turn}
        >
          <Icon name={theme} />
        </button>
        <button
          type="button"
          class="quiet icon-only help"
          aria-label="Keyboard"
          title="Keyboard (?)"
          onClick={showHelp}
        >
          <Icon name="help" />
        </button>
      </footer>
    </nav>
  )
}
