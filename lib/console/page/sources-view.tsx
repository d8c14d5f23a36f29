import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { SourceStats } from '../../operator/source-stats.ts'
import type { Stats } from '../../operator/stats.ts'
import { Bars, Curve } from './charts.tsx'
import { Compared } from './compared.tsx'
import type { ViewProps } from './events-view.tsx'
import { Icon } from './icons.tsx'
import { CopyButton, Failure } from './parts.tsx'
import { useAnswer } from './use-answer.ts'
import type { About, ComparisonsAnswer } from './wire.ts'
import { count, percent, took } from './words.ts'

/** On a laptop the figures are read from a file; in AWS they are asked of CloudWatch Logs, which takes seconds. */
const LOOK_EVERY_MS = { local: 5_000, elsewhere: 60_000 } as const
const SPANS = [
  ['1 h', 1],
  ['24 h', 24],
  ['7 d', 168],
] as const

/** Above this a sender repeats itself: it does not get our answers, or does not believe them. */
const MANY_DUPLICATES = 0.05
/** As the alarm has it: of fewer deliveries a share says nothing. */
const OUT_OF = 20

export const SourcesView = ({ about }: ViewProps) => {
  const [hours, setHours] = useState<number>(1)
  const { value: stats, error } = useAnswer<Stats>(
    `/api/stats?hours=${hours}`,
    LOOK_EVERY_MS[about.place === 'local' ? 'local' : 'elsewhere'],
  )
  const { value: compared, refresh } = useAnswer<ComparisonsAnswer>('/api/comparisons', 60_000)
  const comparedOf = (name: string) => {
    const comparison = compared?.comparisons.find(({ source }) => source === name)
    return comparison && <Compared comparison={comparison} refresh={refresh} />
  }
  const busy = new Map(stats?.sources.map(each => [each.source, each]))
  const quiet = about.sources.filter(({ name }) => (busy.get(name)?.received ?? 0) === 0)
  return (
    <>
      <header class="view-head">
        <h1>Sources</h1>
        <fieldset class="segments" aria-label="Time span">
          {SPANS.map(([label, each]) => (
            <button key={each} type="button" aria-pressed={each === hours} onClick={() => setHours(each)}>
              {label}
            </button>
          ))}
        </fieldset>
      </header>
      {error && stats === undefined && <Failure error={error} />}
      {stats?.truncated && <p class="lead">There were more deliveries than were read: these figures are incomplete.</p>}
      <div class="scroll">
        <div class="cards">
          {[...busy.values()]
            .filter(each => each.received > 0)
            .map(each => (
              <Card key={each.source} stats={each} hours={hours}>
                {comparedOf(each.source)}
              </Card>
            ))}
        </div>
        {stats && quiet.length > 0 && <Quiet sources={quiet} comparedOf={comparedOf} />}
      </div>
    </>
  )
}

interface CardProps {
  readonly stats: SourceStats
  readonly hours: number
  readonly children: ComponentChildren
}

const Card = ({ stats, hours, children }: CardProps) => {
  const { source, accepted, duplicate, rejected, failed, ignored, duplicateRate, latency, buckets } = stats
  return (
    <article class="card" aria-label={source}>
      <header>
        <h2>
          <a href={`/events?source=${encodeURIComponent(source)}`}>{source}</a>
        </h2>
        {duplicateRate > MANY_DUPLICATES && accepted + duplicate >= OUT_OF && (
          <p class="warning" role="note">
            <Icon name="warning" />
            {percent(duplicateRate)} duplicates
          </p>
        )}
      </header>
      <dl class="figures">
        <Figure name="Accepted" value={accepted} look="accepted" />
        <Figure name="Duplicates" value={duplicate} look="duplicates" />
        <Figure name="Rejected" value={rejected} look="rejected" />
        <Figure name="Failed" value={failed} look="failed" />
        {ignored > 0 && <Figure name="Ignored" value={ignored} look="duplicates" />}
      </dl>
      <Bars buckets={buckets} label={`${source}, last ${hours} hours: deliveries over time`} />
      <p class="axis" aria-hidden="true">
        <span>{SPANS.find(([, each]) => each === hours)?.[0]} ago</span>
        <span>now</span>
      </p>
      <Reasons stats={stats} />
      {children}
      <footer>
        <span>Answered in</span>
        <Curve buckets={buckets} />
        <span class="numbers">
          {latency === null ? 'no figures' : `p50 ${took(latency.p50)} · p95 ${took(latency.p95)}`}
        </span>
      </footer>
    </article>
  )
}

const Figure = ({ name, value, look }: { readonly name: string; readonly value: number; readonly look: string }) => (
  <div class={look}>
    <dt>{name}</dt>
    <dd class={value === 0 ? 'zero' : ''}>{count(value)}</dd>
  </div>
)

const Reasons = ({ stats: { rejectedBy } }: { readonly stats: SourceStats }) => {
  const reasons = Object.entries(rejectedBy).sort(([, left], [, right]) => right - left)
  if (reasons.length === 0) return null
  return <p class="fine">Rejected: {reasons.map(([reason, times]) => `${reason} ${count(times)}`).join(', ')}</p>
}

interface QuietProps extends Pick<About, 'sources'> {
  readonly comparedOf: (source: string) => ComponentChildren
}

/** A source to which nothing comes is the one to compare. */
const Quiet = ({ sources, comparedOf }: QuietProps) => (
  <section class="quiet-sources" aria-label="Sources without deliveries">
    <h2>No deliveries in this time</h2>
    <ul>
      {sources.map(({ name, url }) => (
        <li key={name}>
          <span>{name}</span>
          {url !== null && <CopyButton text={url} label={`Copy the URL of ${name}`} />}
          {comparedOf(name)}
        </li>
      ))}
    </ul>
  </section>
)
