import { millis } from '../../functions/domain/brands.ts'
import { Secret } from '../../functions/domain/secret.ts'
import type { Source } from '../../functions/domain/source.ts'
import type { World } from '../../functions/domain/world.ts'
import { reconcileDue } from '../../functions/reconcile/reconcile-due.ts'
import { reconcileLine } from '../../functions/reconcile/reconcile-line.ts'
import type { Reconciling } from '../../functions/reconcile/run-source.ts'
import { apiOrigin, keyIfMeant } from '../connect/api-keys.ts'
import { isRefusal } from '../connect/refusal.ts'
import { type Regularly, regularly } from './regularly.ts'

export interface LocalReconciling extends Pick<Regularly, 'write' | 'warn'> {
  readonly directory: string
  readonly urlOf: (source: string) => string
  /** For tests: instead of the hosts of senders. */
  readonly apiUrl: string | undefined
}

type Stores = Omit<Reconciling, 'apiKey' | 'urlOf' | 'origin'> & World<'environment'>

/** The schedule of the reconcile function on a laptop; undefined if no source asks for it. */
export const reconcileRegularly = (stores: Stores, { directory, urlOf, apiUrl, write, warn }: LocalReconciling) => {
  const periods = [...stores.sources.values()].flatMap(({ reconcile }) => reconcile?.every ?? [])
  if (periods.length === 0) return undefined
  const tick = millis(Math.min(...periods) * 1000)
  const apiKey = async (source: Source): Promise<Secret | undefined> => {
    const key = keyIfMeant(source, apiUrl, directory)
    if (key === undefined) return undefined
    const refused = apiOrigin(apiUrl, key)
    if (isRefusal(refused)) throw new Error(refused.refused)
    return new Secret(key.key)
  }
  const world = { ...stores, apiKey, urlOf, origin: apiUrl }
  return regularly('Reconcile', { every: tick, warn }, async stop => {
    for (const told of (await reconcileDue(world, { stop, tick })) ?? []) {
      if (told.why !== null) warn(`The source "${told.source}" was not compared with its sender's list: ${told.why}`)
      write(reconcileLine(stores.environment, told))
    }
  })
}
