import type { NamedCall } from './name-calls.ts'
import type { Grant } from './read-grants.ts'
import { REASONS, type Reason } from './reasons.ts'

export interface Row extends Grant {
  /** Why it is there, if no recorded call uses it; `unexplained` is a grant too many. */
  readonly by: 'used' | 'unexplained' | Reason
}

/** Every grant beside what uses it. */
export const listGrants = (
  grants: readonly Grant[],
  calls: readonly NamedCall[],
  reasons: readonly Reason[] = REASONS,
): readonly Row[] =>
  grants.map(grant => {
    const used = calls.some(call => uses(call, grant))
    return { ...grant, by: used ? 'used' : (reasons.find(reason => explains(reason, grant)) ?? 'unexplained') }
  })

/** Reasons for grants that are gone. What one run uses, another may not: a claim has to be lost at the right moment. */
export const idleReasons = (grants: readonly Grant[], reasons: readonly Reason[] = REASONS): readonly Reason[] =>
  reasons.filter(reason => !grants.some(grant => explains(reason, grant)))

const uses = (call: NamedCall, { caller, action, resource }: Grant): boolean =>
  call.caller === caller && call.action === action && covers(resource, call.resource)

/** A policy's `*` is any text. */
export const covers = (pattern: string, resource: string): boolean =>
  new RegExp(`^${pattern.split('*').map(escaped).join('.*')}$`).test(resource)

const escaped = (text: string): string => text.replace(/[.+?^${}()|[\]\\]/g, '\\$&')

const explains = ({ callers, actions, resources }: Reason, { caller, action, resource }: Grant): boolean =>
  (callers === undefined || callers.includes(caller)) &&
  actions.includes(action) &&
  (resources === undefined || resources.some(name => resource.includes(name)))
