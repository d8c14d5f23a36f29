import type { Rig } from '../integration/rig.ts'
import { covers } from './list-grants.ts'
import type { Statement } from './read-grants.ts'

interface Finding {
  readonly check: string
  readonly subject: string | null
  readonly says: string
  readonly fix: string | null
}

/**
 * Whether `doctor` says, since it was last asked, that the function has no permission for an action of the statement on a resource of
 * the statement, and which line grants it.
 */
export const doctorOf = (rig: Pick<Rig, 'hooklatch'>) => {
  const counted = new Map<string, number>()
  return async (caller: string, { Action, Resource }: Statement): Promise<boolean> => {
    const { out } = await rig.hooklatch('doctor', '--json')
    const findings: readonly Finding[] = JSON.parse(out).findings
    const told = findings.filter(({ check, subject, fix }) => {
      return check === 'permissions' && subject === subjectOf(caller) && fix?.includes('lib/constructs/')
    })
    const actions = [Action].flat().map(action => action.toLowerCase())
    const places = [Resource].flat().map(placeOf)
    const news = told.map(({ says }) => {
      const [, action = '', place = '', times = ''] = /no permission for (\S+) on (.*): refused (\d+)/.exec(says) ?? []
      const key = `${caller} ${action.toLowerCase()} ${place}`
      const isMore = Number(times) > (counted.get(key) ?? 0)
      counted.set(key, Number(times))
      return isMore && actions.includes(action.toLowerCase()) && places.some(each => covers(each, place))
    })
    return news.includes(true)
  }
}

/** As `doctor` names it: an ARN without its beginning, and of an object only the bucket. */
const placeOf = (arn: string): string =>
  arn.startsWith('arn:aws:s3:::') ? arn.replace(/^arn:aws:s3:::([^/]+).*/, '$1') : arn.replace(/^(?:[^:]*:){5}/, '')

/** `FanOut` is fan-out, and `DestinationsbillingHandler` is the function of billing. */
const subjectOf = (caller: string): string =>
  /^Destinations(.+)Handler$/.exec(caller)?.[1] ?? caller.replaceAll(/\B[A-Z]/g, '-$&').toLowerCase()
