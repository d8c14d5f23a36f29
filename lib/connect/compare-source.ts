import { systemPause } from '../../functions/adapters/system.ts'
import { millis } from '../../functions/domain/brands.ts'
import { type NewComparison, ON_ITS_WAY_MS } from '../../functions/domain/reconciler.ts'
import type { Source } from '../../functions/domain/source.ts'
import { reconcile } from '../../functions/operate/reconcile.ts'
import { whyUnnamed } from '../../functions/senders/check-schedule.ts'
import { findApi } from '../../functions/senders/find-api.ts'
import { noteRun } from '../operator/note-run.ts'
import type { Operator } from '../operator/open-operator.ts'
import { apiFor } from './api-for.ts'
import { keyIfMeant } from './api-keys.ts'
import type { Connection } from './connection.ts'
import { isRefusal, type Refusal } from './refusal.ts'

export interface CompareHow {
  /** For tests: instead of the sender's host. */
  readonly apiUrl: string | undefined
  readonly stop: AbortSignal
}

const DAY_SECONDS = 86_400

/** A dry run over the time that the schedule looks at, else a day: nothing is taken. */
export const compareSource = async (
  connection: Connection,
  operator: Operator,
  source: Source,
  { apiUrl, stop }: CompareHow,
): Promise<NewComparison | Refusal> => {
  const api = apiFor(connection, source, { key: keyIfMeant(source, apiUrl), apiUrl })
  if (isRefusal(api)) return api
  const { back = DAY_SECONDS, types = [] } = source.reconcile ?? {}
  const now = operator.now()
  const span = { since: millis(now - back * 1000), until: millis(now - ON_ITS_WAY_MS) }
  const order = { ...api, ...span, source: source.name, types, after: null, except: [] }
  const { report, why } = await reconcile({ compare: operator.compareSent, pause: systemPause, stop }, order)
  return noteRun(operator, order, report, why)
}

/** Whether its sender has a list that our records can be compared with. */
export const isComparable = (source: Source): boolean => {
  const found = findApi(source.provider.id, source.account)
  const ledger = found.kind === 'found' ? found.api.ledger : undefined
  return ledger !== undefined && whyUnnamed(source, ledger) === undefined
}
