/** The one public route. `{source}` names an entry of sources.ts. */
export const WEBHOOK_ROUTE = '/webhooks/{source}'

export const webhookPath = (source: string): string => WEBHOOK_ROUTE.replace('{source}', source)
