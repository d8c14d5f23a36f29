import { describe, expect, it } from 'vitest'
import routed from '../../../docs/samples/routes.ts'
import type { Source } from '../../../functions/domain/source.ts'
import { resolveSources } from '../../../functions/providers/sources.ts'
import { explainRoutes } from '../../../lib/operator/explain-routes.ts'

const DESTINATIONS = { billing: { worker: 'billing.ts' }, crm: { queue: 'crm-events' } }
const source = resolveSources(routed, undefined, DESTINATIONS).get('stripe') as Source
const plain = resolveSources({ stripe: { provider: 'stripe' } }).get('stripe') as Source

describe('why an event goes where it goes', () => {
  it('an event that a route matches is told which one, and what did not hold for the others', () => {
    const event = { type: 'customer.created', json: () => ({ livemode: true }) }
    expect(explainRoutes(source, event)).toEqual({
      destinations: ['crm', 'worker'],
      because: 'route 2 matches',
      routes: [
        {
          when: 'type is invoice.*',
          to: ['billing'],
          matches: false,
          unmet: ['type is invoice.*, but its type is customer.created'],
        },
        {
          when: 'type is customer.created or customer.updated and livemode is true',
          to: ['crm', 'worker'],
          matches: true,
          unmet: [],
        },
        expect.objectContaining({ to: ['worker'], matches: false }),
      ],
    })
  })

  it('an event that no route matches is told what was found instead of each value', () => {
    const unmet = (json: unknown) =>
      explainRoutes(source, { type: 'customer.created', json: () => json }).routes[1]?.unmet
    expect(unmet({ livemode: false })).toEqual(['livemode is true, but it is false'])
    expect(unmet({})).toEqual(['livemode is true, but there is nothing'])
    expect(unmet(undefined)).toEqual(['livemode is true, but the body is not JSON'])
    expect(explainRoutes(source, { type: null, json: () => ({}) })).toMatchObject({
      destinations: [],
      because: 'no route matches, so `otherwise` counts: ignore',
    })
  })

  it('without an event all that can be reached is listed, and no route is judged', () => {
    expect(explainRoutes(source, undefined)).toMatchObject({
      destinations: ['billing', 'crm', 'worker'],
      routes: [{ matches: null }, { matches: null }, { matches: null }],
    })
  })

  it('a source without routes sends everything to the worker', () => {
    expect(explainRoutes(plain, { type: 'invoice.paid', json: () => ({}) })).toEqual({
      destinations: ['worker'],
      because: 'the source has no routes, so everything goes to worker',
      routes: [],
    })
  })
})
