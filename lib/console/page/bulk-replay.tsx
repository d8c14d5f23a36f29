import { useEffect, useState } from 'preact/hooks'
import type { JobView } from '../../../functions/operate/job-view.ts'
import type { ReplayPlan } from '../../operator/plan-replay.ts'
import { type ApiError, get, post } from './api.ts'
import { Icon } from './icons.tsx'
import { ReasonDialog } from './reason-dialog.tsx'
import type { RunningJob } from './wire.ts'
import { count } from './words.ts'

export interface BulkReplayProps {
  readonly filter: { readonly source: string; readonly type: string; readonly status: string }
  readonly actor: string
  readonly label: string
  readonly notify: (sentence: string) => void
}

/** Counts first, asks for a reason, then shows how far it is. */
export const BulkReplay = ({ filter, actor, label, notify }: BulkReplayProps) => {
  const [asking, setAsking] = useState(false)
  const [job, setJob] = useState<RunningJob>()
  useEffect(() => {
    if (!runs(job)) return
    const timer = setTimeout(
      () => void get<RunningJob>(`/api/replays/${job.id}`).then(setJob, () => setJob({ ...job })),
      500,
    )
    return () => clearTimeout(timer)
  }, [job])
  useEffect(() => {
    if (job && !runs(job)) notify(outcomeOf(job))
  }, [job, notify])
  if (runs(job)) return <Progress job={job} />
  return (
    <>
      <button type="button" onClick={() => setAsking(true)}>
        <Icon name="replay" />
        {label}
      </button>
      {asking && <Asking filter={filter} actor={actor} onClose={() => setAsking(false)} onStarted={setJob} />}
    </>
  )
}

const runs = (job: RunningJob | undefined): job is RunningJob => job?.state === 'running' && !job.stopped

const settledOf = ({ replayed, refused }: JobView): number =>
  replayed + Object.values(refused).reduce((sum, each) => sum + each, 0)

const outcomeOf = (job: RunningJob): string => {
  const refused = settledOf(job) - job.replayed
  const said = `${count(job.replayed)} replayed${refused > 0 ? `, ${count(refused)} could not be` : ''}.`
  return job.stopped ? `${said} It broke off: ${job.stopped.cause}. Go on with: ${job.stopped.resume}` : said
}

const Progress = ({ job }: { readonly job: JobView }) => (
  <span class="progress" role="status">
    <progress max={Math.max(job.expected, 1)} value={settledOf(job)} aria-label="Replayed" />
    {count(settledOf(job))} of {count(job.expected)}
  </span>
)

interface AskingProps extends Pick<BulkReplayProps, 'filter' | 'actor'> {
  readonly onClose: () => void
  readonly onStarted: (job: JobView) => void
}

const Asking = ({ filter, actor, onClose, onStarted }: AskingProps) => {
  const [until] = useState(() => new Date().toISOString())
  const [plan, setPlan] = useState<ReplayPlan>()
  const [error, setError] = useState('')
  useEffect(() => {
    post<ReplayPlan>('/api/replays/plan', filter).then(setPlan, (problem: ApiError) => setError(problem.message))
  }, [filter.source, filter.type, filter.status])
  const act = async (reason: string): Promise<void> =>
    onStarted(await post<JobView>('/api/replays', { ...filter, until, reason, expected: plan?.count }))
  const none = plan === undefined || plan.count === 0
  const title = plan === undefined ? 'Replay' : `Replay ${count(plan.count)} ${plan.count === 1 ? 'event' : 'events'}`
  return (
    <ReasonDialog title={title} confirm={title} actor={actor} disabled={none} act={act} onClose={onClose}>
      {error !== '' && <p class="refused">{error}</p>}
      {plan === undefined ? error === '' && <p>Counting…</p> : <PlanFacts plan={plan} />}
    </ReasonDialog>
  )
}

const PlanFacts = ({ plan }: { readonly plan: ReplayPlan }) => {
  if (plan.count === 0) return <p>Nothing that matches can be replayed now.</p>
  return (
    <ul class="plan">
      {plan.failed > 0 && <li>{count(plan.failed)} failed: tried again with the same idempotency keys.</li>}
      {plan.done > 0 && <li>{count(plan.done)} done: done once more, with new idempotency keys.</li>}
      {plan.ignored > 0 && <li>{count(plan.ignored)} ignored: handled again with the same idempotency keys.</li>}
      {plan.inFlight > 0 && <li>{count(plan.inFlight)} still on their way: left alone.</li>}
      {plan.withoutBody > 0 && <li>{count(plan.withoutBody)} of them without a kept body: refused.</li>}
    </ul>
  )
}
