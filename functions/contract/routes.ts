/** Where senders post to. `{source}` names an entry of sources.ts. */
export const WEBHOOK_ROUTE = '/webhooks/{source}'

/** Where your own services publish to, with credentials of AWS. */
export const PUBLISH_ROUTE = '/publish/{source}'
export const PUBLISH_BATCH_ROUTE = '/publish/{source}/batch'

export type Route = typeof WEBHOOK_ROUTE | typeof PUBLISH_ROUTE | typeof PUBLISH_BATCH_ROUTE

export const webhookPath = (source: string): string => pathOf(WEBHOOK_ROUTE, source)
export const publishPath = (source: string): string => pathOf(PUBLISH_ROUTE, source)
export const publishBatchPath = (source: string): string => pathOf(PUBLISH_BATCH_ROUTE, source)

const pathOf = (route: Route, source: string): string => route.replace('{source}', source)
