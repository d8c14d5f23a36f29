import { describe, expect, it } from 'vitest'
import { matchesType, type Routable, type Route, route } from '../../../functions/domain/route.ts'
import type { SourceConfig } from '../../../functions/domain/source.ts'
import { leadsToSeveral } from '../../../functions/providers/overlap.ts'
import { routingOf } from '../../../functions/providers/resolve-routes.ts'
import { resolveSources, validateSources } from '../../../functions/providers/sources.ts'

const DESTINATIONS = { billing: { worker: 'billing.ts' }, crm: { queue: 'crm' }, archive: { queue: 'archive' } }

const eventOf = (type: string | null, body?: unknown): Routable => ({ type, json: () => body })

const routed = (event: Routable, routes: readonly Route[], otherwise?: string): readonly string[] =>
  route(event, routingOf({ provider: 'stripe', routes, ...(otherwise !== undefined && { otherwise }) }))

describe('where an event goes', () => {
  it('an event goes to the worker if its source has no routes', () => {
    expect(route(eventOf('invoice.paid'), {})).toEqual(['worker'])
    expect(resolveSources({ shop: { provider: 'stripe' } }).get('shop')).not.toHaveProperty('routing')
  })

  it('an event goes to every destination of every route that matches, each once, in the order of the routes', () => {
    const routes: Route[] = [
      { when: { type: 'invoice.*' }, to: 'billing' },
      { when: { type: 'invoice.paid' }, to: ['crm', 'billing'] },
      { when: { type: 'charge.*' }, to: 'archive' },
    ]
    expect(routed(eventOf('invoice.paid'), routes)).toEqual(['billing', 'crm'])
    expect(routed(eventOf('charge.failed'), routes)).toEqual(['archive'])
  })

  it('an event that no route matches goes nowhere, or where `otherwise` says', () => {
    const routes: Route[] = [{ when: { type: 'invoice.*' }, to: 'billing' }]
    expect(routed(eventOf('charge.failed'), routes)).toEqual([])
    expect(routed(eventOf('charge.failed'), routes, 'ignore')).toEqual([])
    expect(routed(eventOf('charge.failed'), routes, 'worker')).toEqual(['worker'])
  })

  it('an event goes nowhere if all routes that it matches say `ignore`, whatever `otherwise` says', () => {
    const routes: Route[] = [{ when: { type: 'ping' }, to: 'ignore' }]
    expect(routed(eventOf('ping'), routes, 'worker')).toEqual([])
    expect(routed(eventOf('push'), routes, 'worker')).toEqual(['worker'])
  })

  it('a route needs all its conditions, and one value of each path', () => {
    const body = { livemode: true, data: { object: { status: 'open', lines: [{ id: 1 }] } } }
    const meets = (wanted: NonNullable<Route['when']>) =>
      routed(eventOf('invoice.paid', body), [{ when: wanted, to: 'crm' }]).length === 1
    expect(meets({ body: { livemode: true, 'data.object.status': ['paid', 'open'] } })).toBe(true)
    expect(meets({ body: { livemode: true, 'data.object.status': 'paid' } })).toBe(false)
    expect(meets({ body: { livemode: 'true' } })).toBe(false)
    expect(meets({ body: { 'data.object.lines.0.id': 1 } })).toBe(true)
    expect(meets({ body: { 'data.constructor.name': 'Object' } })).toBe(false)
    expect(meets({ body: { absent: null } })).toBe(false)
    expect(meets({ type: 'charge.*', body: { livemode: true } })).toBe(false)
    expect(meets({})).toBe(true)
  })

  it('an event whose body is not JSON matches no route that asks for a value in it, and that is not an error', () => {
    expect(routed(eventOf('invoice.paid'), [{ when: { body: { livemode: true } }, to: 'crm' }])).toEqual([])
    expect(routed(eventOf('invoice.paid'), [{ to: 'crm' }])).toEqual(['crm'])
  })

  it.each([
    ['*', null, true],
    ['**', null, false],
    ['invoice.*', null, false],
    ['invoice.*', 'invoice.', true],
    ['invoice.*', 'invoice', false],
    ['*.paid', 'invoice.paid', true],
    ['a*a', 'a', false],
    ['a*b*c', 'a--b--b--c', true],
    ['a*bc*c', 'abc', false],
    ['invoice.paid', 'invoice.paid', true],
    ['invoice.paid', 'invoice_paid', false],
    ['*', 'anything', true],
  ])('a type pattern %s meets %s: %s', (pattern, type, meets) => {
    expect(matchesType(pattern, type)).toBe(meets)
  })
})

describe('whether one event can go to several destinations', () => {
  const several = (...routes: readonly Route[]) => leadsToSeveral(routingOf({ provider: 'stripe', routes }))
  const two = (one: Route['when'], other: Route['when']) =>
    several({ ...(one && { when: one }), to: 'billing' }, { ...(other && { when: other }), to: 'crm' })

  it('a route to several destinations leads one event to several', () => {
    expect(several({ to: ['crm', 'archive'] })).toBe(true)
    expect(several({ to: ['crm', 'crm'] })).toBe(false)
  })

  it('two routes lead one event to several destinations if an event can match both', () => {
    expect(two({ type: 'invoice.*' }, { type: 'customer.*' })).toBe(false)
    expect(two({ type: 'invoice.*' }, { type: '*.paid' })).toBe(true)
    expect(two({ type: 'a*b*c' }, { type: '*d' })).toBe(false)
    expect(two({ type: ['x', 'invoice.paid'] }, { type: 'invoice.paid' })).toBe(true)
    expect(two(undefined, { type: 'invoice.paid' })).toBe(true)
    expect(two({ body: { livemode: true } }, { body: { livemode: false } })).toBe(false)
    expect(two({ body: { livemode: true } }, { body: { status: 'open' } })).toBe(true)
    expect(several({ to: 'crm' }, { to: 'crm' }, { when: { type: 'ping' }, to: 'ignore' })).toBe(false)
  })

  it('two patterns with many stars are compared at once', () => {
    expect(two({ type: '*a'.repeat(40) }, { type: `${'*a'.repeat(39)}*b` })).toBe(false)
  })
})

describe('mistakes in routes', () => {
  const wrong = (config: Omit<SourceConfig, 'provider'> | object, destinations: unknown = DESTINATIONS) =>
    validateSources({ shop: { provider: 'stripe', ...config } }, undefined, destinations)

  it('routes as the documentation shows them have no mistake', () => {
    expect(
      wrong({
        routes: [
          { when: { type: 'invoice.*' }, to: 'billing' },
          { when: { type: ['customer.created'], body: { livemode: true } }, to: 'crm' },
        ],
        otherwise: 'worker',
      }),
    ).toEqual([])
  })

  it('every mistake in routes is listed at once, with those of the source', () => {
    expect(
      wrong({
        retain: 'long',
        routes: [{ when: { type: '' }, to: 'biling' }, { to: ['ignore', 'crm'] }, { when: { kind: 'x' }, to: 'crm' }],
        otherwise: 'nobody',
      }),
    ).toEqual([
      expect.stringContaining('shop.retain: found "long"'),
      'shop.routes[0].when.type: found "", expected a type that an event can have, of 1 to 80 bytes, with * for any run of characters',
      'shop.routes[1].to: found ["ignore","crm"], expected either destinations or "ignore"',
      expect.stringContaining('shop.routes[2].when.kind: found an unknown field'),
      'shop.routes[0].to: found "biling", expected a destination: worker, billing, crm, archive or ignore; did you mean "billing"?',
      expect.stringContaining('shop.otherwise: found "nobody"'),
    ])
  })

  it.each([
    ['no routes at all', { routes: [] }, 'shop.routes'],
    ['a destination that is no text', { routes: [{ to: 5 }] }, 'shop.routes[0].to'],
    ['no destination', { routes: [{ to: [] }] }, 'shop.routes[0].to'],
    ['a pattern longer than any type', { routes: [{ when: { type: 'x'.repeat(81) }, to: 'crm' }] }, 'when.type'],
    ['an empty list of types', { routes: [{ when: { type: [] }, to: 'crm' }] }, 'when.type'],
    ['no path', { routes: [{ when: { body: {} }, to: 'crm' }] }, 'when.body'],
    ['no value', { routes: [{ when: { body: { livemode: [] } }, to: 'crm' }] }, 'when.body["livemode"]'],
    ['a value that no JSON has', { routes: [{ when: { body: { amount: Number.NaN } }, to: 'crm' }] }, '["amount"]'],
    ['a value that is an object', { routes: [{ when: { body: { data: { id: 1 } } }, to: 'crm' }] }, '["data"]'],
    ['`otherwise` without routes', { otherwise: 'crm' }, 'shop.otherwise'],
    ['an order for a destination that has none', { routes: [{ to: 'crm' }], ordering: { key: 'id' } }, 'shop.ordering'],
  ])('routes are refused that have %s', (_what, config, place) => {
    const mistakes = wrong(config)
    expect(mistakes).toHaveLength(1)
    expect(mistakes[0]).toContain(place)
  })

  it('a type in a route is refused if events of its source have none', () => {
    const custom = (type: string) =>
      validateSources({
        shop: {
          provider: 'custom',
          config: { scheme: { kind: 'basic' } },
          routes: [{ when: { type }, to: 'worker' }],
        },
      })
    expect(custom('invoice.*')).toEqual([expect.stringContaining('events of this source have no type')])
    expect(custom('*')).toEqual([])
  })

  it('routes by which one event goes to several destinations are no mistake', () => {
    expect(wrong({ routes: [{ when: { type: 'invoice.*' }, to: ['billing', 'worker'] }, { to: 'crm' }] })).toEqual([])
  })
})
