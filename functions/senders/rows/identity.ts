import type { SenderApi } from '../sender-api.ts'

export const identityApis = {
  okta: {
    origin: 'https://{account}.okta.com',
    account: { says: 'the name of the org, before .okta.com', pattern: '^[a-z0-9][a-z0-9-]{0,62}$', example: 'acme' },
    looks: '^00',
    auth: { kind: 'scheme', name: 'SSWS' },
    rights: { list: 'an API token of an administrator with the role Report Administrator (read-only)' },
    rate: 1,
    docs: [
      'https://developer.okta.com/docs/api/openapi/okta-management/management/tags/systemlog',
      'https://developer.okta.com/docs/reference/system-log-query',
      'https://support.okta.com/help/s/article/How-to-Filter-Syslog-for-Administrator-Role-Assignment-Events',
    ],
    uncertain: [
      'Which role is the least that may read the log. With OAuth it is the scope okta.logs.read.',
      'The System Log has every event of the org: those that no event hook is subscribed to count as missing. Use --types.',
    ],
    ledger: {
      back: '90d',
      list: {
        path: '/api/v1/logs',
        query: { limit: '100', since: '{since}', until: '{until}', sortOrder: 'ASCENDING' },
      },
      items: '',
      next: { kind: 'link' },
      type: 'eventType',
      time: 'published',
      // As an event hook has it: a list in `data.events`.
      delivery: { body: '', wrap: 'data.events' },
      lacks: 'The envelope of the hook (`eventId`, `eventTypeVersion`): only the events in it are the same.',
    },
  },
} as const satisfies Record<string, SenderApi>
