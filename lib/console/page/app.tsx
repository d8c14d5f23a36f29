import { useCallback, useState } from 'preact/hooks'
import type { View } from '../views.ts'
import { CapturesView } from './captures-view.tsx'
import { DeadLettersView } from './dead-letters-view.tsx'
import { DestinationsView } from './destinations-view.tsx'
import { EventPanel } from './event-panel.tsx'
import { EventsView } from './events-view.tsx'
import { KEYS, useKeyboard } from './keyboard.ts'
import { Dialog, Failure, Notice } from './parts.tsx'
import { QuarantineView } from './quarantine-view.tsx'
import { eventHref, type Route, useRoute } from './route.ts'
import { Sidebar } from './sidebar.tsx'
import { SourcesView } from './sources-view.tsx'
import { Toasts, useToasts } from './toasts.tsx'
import { useAnswer } from './use-answer.ts'
import { LiveContext, useLiveLine } from './use-live.ts'
import { ClockContext } from './use-now.ts'
import type { About } from './wire.ts'

const VIEW = {
  events: EventsView,
  'dead-letters': DeadLettersView,
  quarantine: QuarantineView,
  captures: CapturesView,
  destinations: DestinationsView,
  sources: SourcesView,
} as const satisfies Record<View, unknown>

export const App = () => {
  const live = useLiveLine()
  return (
    <LiveContext.Provider value={live}>
      <Shell />
      {live.line === 'lost' && (
        <p class="lost" role="alert">
          {live.why} This page reconnects by itself.
        </p>
      )}
    </LiveContext.Provider>
  )
}

const Shell = () => {
  const route = useRoute()
  const { value: about, error } = useAnswer<About>('/api/sources')
  const [help, setHelp] = useState(false)
  const showHelp = useCallback(() => setHelp(true), [])
  useKeyboard(route, showHelp)
  if (error?.type === 'token') return <Locked />
  if (about === undefined) return error ? <Failure error={error} /> : null
  return (
    <ClockContext.Provider value={Date.parse(about.now) - Date.now()}>
      <div class="shell">
        <Sidebar route={route} about={about} showHelp={showHelp} />
        <Main route={route} about={about} />
      </div>
      {help && <Help onClose={() => setHelp(false)} />}
    </ClockContext.Provider>
  )
}

const Main = ({ route, about }: { readonly route: Route; readonly about: About }) => {
  const { toasts, notify } = useToasts()
  const View = VIEW[route.view]
  const open = route.id
  return (
    <main class={open === null ? 'main' : 'main split'}>
      <div class="list">
        <View route={route} about={about} notify={notify} />
      </div>
      {open !== null && (
        <EventPanel key={open} id={open} actor={about.actor} closeHref={eventHref(null, route)} notify={notify} />
      )}
      <Toasts toasts={toasts} />
    </main>
  )
}

const Locked = () => (
  <main class="locked">
    <Notice icon="quarantine" title="This page needs its token">
      <p>
        Each run of the console has a token of its own. Open the whole URL that <code>npm start</code> or{' '}
        <code>npx hooklatch console</code> printed; it is also in <code>.hooklatch/local.json</code>.
      </p>
    </Notice>
  </main>
)

const Help = ({ onClose }: { readonly onClose: () => void }) => (
  <Dialog title="Keyboard" onClose={onClose}>
    <dl class="keys">
      {KEYS.map(([first, second, meaning]) => (
        <div key={meaning}>
          <dt>
            <kbd>{first}</kbd>
            {second !== '' && <kbd>{second}</kbd>}
          </dt>
          <dd>{meaning}</dd>
        </div>
      ))}
    </dl>
  </Dialog>
)
