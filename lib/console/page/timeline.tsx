import type { TimelineEntry } from '../../operator/timeline.ts'
import { Block, Foreign } from './parts.tsx'
import { clock, day, took, utc } from './words.ts'

/** How each step looks: its colour is that of the status it leads to. */
const LOOKS = {
  received: 'neutral',
  claimed: 'claimed',
  queued: 'queued',
  working: 'working',
  done: 'done',
  failed: 'failed',
  ignored: 'neutral',
  'attempt-failed': 'failed',
  unavailable: 'failed',
  duplicate: 'duplicate',
  'in-flight': 'duplicate',
  skipped: 'duplicate',
  reopened: 'queued',
  replayed: 'accent',
  erased: 'accent',
} as const satisfies Record<TimelineEntry['what'], string>

/** Everything that happened to an event, with the time each step took. */
export const Timeline = ({ entries }: { readonly entries: readonly TimelineEntry[] }) => (
  <Block title="Timeline">
    <ol class="timeline">
      {entries.map((entry, index) => (
        <li key={index} class={LOOKS[entry.what]}>
          <span class="mark" />
          <span class="what">
            {entry.what}
            {entry.generation !== null && entry.generation > 0 && <span class="chip">gen {entry.generation}</span>}
          </span>
          <span class="gap">{gapTo(entry, entries[index - 1])}</span>
          <time dateTime={entry.time} title={`${day(entry.time)}, ${utc(entry.time)}`}>
            {clock(entry.time)}
          </time>
          {entry.detail !== '' && <Foreign class="detail" text={entry.detail} />}
        </li>
      ))}
    </ol>
  </Block>
)

const gapTo = (entry: TimelineEntry, before: TimelineEntry | undefined): string => {
  if (before === undefined) return ''
  const gap = Date.parse(entry.time) - Date.parse(before.time)
  return gap > 0 ? `+${took(gap)}` : ''
}
