import type { Unavailable } from '../../functions/domain/ports.ts'
import type { Acts } from '../../functions/operate/acts.ts'
import type { JobView } from '../../functions/operate/job-view.ts'
import type { JobAnswer, ReplayManyOptions } from '../../functions/operate/replay-many.ts'
import type { Ask } from './operate-function.ts'

/** The acts of an operator of a stack: each is a call of its operate function. */
export const functionActs = (ask: Ask): Acts => ({
  replay: order => ask({ act: 'replay', ...order }),
  startJob: async request => known(await ask<JobView>({ act: 'start-job', ...request })),
  replayMany: (job, options) => runJob(ask, 'run-job', job, options),
  erase: order => ask({ act: 'erase', ...order }),
  startEraseJob: async request => known(await ask<JobView>({ act: 'start-erase', ...request })),
  eraseMany: (job, options) => runJob(ask, 'run-erase', job, options),
  cancelJob: async job => {
    const view = await ask<JobView | null>({ act: 'cancel-job', job })
    return view === null ? undefined : known(view)
  },
  reverify: (source, key) => ask({ act: 'verify', source, key }),
  accept: order => ask({ act: 'accept', ...order }),
  pauseDestination: order => ask({ act: 'pause', ...order }),
  resumeDestination: order => ask({ act: 'resume', ...order }),
  compareSent: order => ask({ act: 'compare-sent', ...order }),
  noteComparison: comparison => ask({ act: 'note-comparison', ...comparison }),
})

const known = (answer: JobView | Unavailable): JobView => {
  if ('kind' in answer) throw new Error(`The stack did not answer (${answer.cause}): look before you repeat it.`)
  return answer
}

/** Share by share, until the job is at its end or is to stop. What runs when it is told so comes to its end. */
const runJob = async (
  ask: Ask,
  act: 'run-job' | 'run-erase',
  job: string,
  { onProgress = () => {}, stop }: ReplayManyOptions = {},
): Promise<JobAnswer> => {
  let last: JobView | undefined
  for (;;) {
    const answer = await ask<JobAnswer>({ act, job })
    if (!('job' in answer)) {
      if (answer.kind === 'unknown') return answer
      if (last === undefined) throw new Error(answer.cause)
      return { ...answer, job: last }
    }
    last = answer.job
    onProgress(last)
    if (answer.kind !== 'stopped' || stop?.aborted) return answer
  }
}
