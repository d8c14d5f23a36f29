import { millis } from '../../../functions/domain/brands.ts'
import type { Delivery } from '../../../functions/domain/delivery.ts'
import type { Routable } from '../../../functions/domain/route.ts'
import type { Source } from '../../../functions/domain/source.ts'
import { readBody } from '../../../functions/providers/read-body.ts'
import { select } from '../../../functions/providers/select.ts'
import { connect } from '../../connect/connect.ts'
import type { Target } from '../../connect/connection.ts'
import { findSource } from '../../connect/find-source.ts'
import { loadSources } from '../../connect/load-sources.ts'
import { isRefusal, type Refusal, refuse } from '../../connect/refusal.ts'
import { sourceFileHere } from '../../connect/running-instance.ts'
import { explainRoutes, type RouteExplanation } from '../../operator/explain-routes.ts'
import { find } from '../../operator/find.ts'
import { printTable } from '../../terminal/table.ts'
import { jsonLines, type Terminal } from '../../terminal/terminal.ts'
import { readBytes } from '../flags.ts'
import { SOURCE_FILE_FLAG, TARGET_FLAGS } from '../target-flags.ts'
import { verb } from '../verb.ts'

export const routes = verb({
  summary: 'Say where the events of a source go, or where one event would go and why.',
  operands: ['<source>'],
  completes: ['sources'],
  flags: {
    body: { value: 'FILE', help: 'A body, as its sender would post it.' },
    type: { value: 'TYPE', help: 'The type of that event, if it does not stand in the body.' },
    event: {
      value: 'ID',
      help: 'An event that has come: its id, the first 12 characters of it, or the id of its sender.',
    },
    json: { help: 'Print { "source", "destinations", "because", "routes": [...] }.' },
    ...SOURCE_FILE_FLAG,
    ...TARGET_FLAGS,
  },
  teaches: [
    'Nothing is sent. The routes are those of the source file, so you can try a change before you deploy it.',
    'Without --body, --type or --event it lists the routes. --event reads the kept body of an event from the local instance or a stack.',
    '',
    '  npx hooklatch routes stripe',
    '  npx hooklatch routes stripe --body invoice.json',
    '  npx hooklatch routes github --type push --body push.json --json',
    '  npx hooklatch routes stripe --event evt_1QmX2mHooklatch',
  ].join('\n'),
  async run({ flags, positionals: [name = ''] }, terminal) {
    if (flags.event !== undefined && (flags.body ?? flags.type) !== undefined) {
      return refuse('--event has a body and a type of its own: leave out --body and --type.', 2)
    }
    const sources = await loadSources(flags['source-file'] ?? sourceFileHere())
    if (isRefusal(sources)) return sources
    const source = findSource(sources, name)
    if (isRefusal(source)) return source
    const event = flags.event === undefined ? fromFile(source, flags) : await fromStore(source, flags.event, flags)
    if (isRefusal(event)) return event
    const explained = explainRoutes(source, event)
    if (flags.json) terminal.out(jsonLines({ source: name, ...explained }))
    else print(explained, event !== undefined, terminal)
    return 0
  },
})

/** `undefined`: no event is meant. */
const fromFile = (
  source: Source,
  { body: file, type: given }: { readonly body?: string; readonly type?: string },
): Routable | undefined | Refusal => {
  const body = readBytes(file)
  if (isRefusal(body)) return body
  if (body === undefined) return given === undefined ? undefined : { type: given, json: () => undefined }
  const view = readBody(body)
  const delivery = { headers: new Map(), body } as unknown as Delivery
  const found = source.type
    .map(selector => select(selector, delivery, view, 'integers too'))
    .find(({ kind }) => kind === 'found')
  const type = given ?? (found?.kind === 'found' ? found.value : null)
  return { type, json: view.value }
}

const LOOK_BACK_MS = 30 * 86_400_000

const fromStore = async (source: Source, id: string, target: Target): Promise<Routable | Refusal> => {
  const connection = await connect(target)
  if (isRefusal(connection)) return connection
  const { stores, now } = connection
  const record = await find(stores.records, {
    id,
    now: now(),
    from: millis(now() - LOOK_BACK_MS),
    source: source.name,
  })
  if (!record) return refuse(`There is no event of ${source.name} with the id ${id}.`)
  const { fingerprint, bodySha256, bodyAt, type } = record
  const kept = bodyAt === null ? undefined : await stores.keptBodies.fetch(fingerprint, bodySha256, bodyAt, now())
  if (!kept && source.routing?.routes.some(({ body }) => body)) {
    return refuse('Its body is not kept, and a route of this source asks for a value in it: nobody can say.')
  }
  return { type, json: kept ? readBody(kept.bytes).value : () => undefined }
}

const print = (
  { destinations, because, routes: listed }: RouteExplanation,
  judged: boolean,
  terminal: Terminal,
): void => {
  terminal.out(`${destinations.join(', ') || 'ignore'}: ${because}.`)
  if (listed.length === 0) return
  const rows = listed.map(({ when, to, matches, unmet }, index) => [
    String(index + 1),
    to.join(', ') || 'ignore',
    when,
    ...(judged ? [matches ? 'yes' : `no: ${unmet.join('; ')}`] : []),
  ])
  printTable(terminal, ['route', 'to', 'when', ...(judged ? ['matches'] : [])], rows)
}
