import { PUBLISH_BATCH_ROUTE, PUBLISH_ROUTE, type Route, WEBHOOK_ROUTE } from '../../functions/contract/routes.ts'

export interface Matched {
  readonly route: Route
  /** The one segment that `{source}` stands for, decoded as API Gateway does. */
  readonly source: string
  /** Only signed requests go through. */
  readonly authorizer: boolean
}

export const matchRoute = (path: string): Matched | undefined => {
  for (const route of ROUTES) {
    const [before = '', after = ''] = route.split('{source}')
    const segment =
      path.startsWith(before) && path.endsWith(after) ? path.slice(before.length, path.length - after.length) : ''
    if (segment !== '' && !segment.includes('/')) {
      return { route, source: decoded(segment), authorizer: route !== WEBHOOK_ROUTE }
    }
  }
  return undefined
}

const ROUTES = [WEBHOOK_ROUTE, PUBLISH_BATCH_ROUTE, PUBLISH_ROUTE] as const

const decoded = (segment: string): string => {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
