import { describe, expect, it } from 'vitest'
import { put, update } from '../../functions/adapters/expressions.ts'
import type { Item } from '../../functions/adapters/wire/dynamo-calls.ts'
import type { Transition } from '../../functions/domain/transition.ts'
import { PROTOCOL } from '../../functions/domain/whole-protocol.ts'
import { transitionOf } from './describe-call.ts'

/** Notes of pauses and of queues differ in the item alone. */
const ITEMS: Readonly<Record<string, Item>> = { noteQueues: { fingerprint: 'recovery#queues' } }

const written = (name: string, transition: Transition) => {
  const names = transition.sets === 'item' ? [] : transition.sets
  const values = Object.fromEntries(names.map(name => [name, 'a value'])) as never
  return transition.sets === 'item'
    ? put('table', ITEMS[name] ?? {}, transition, values)
    : update('table', {}, transition, values)
}

describe('the name of a call', () => {
  it.each(Object.entries(PROTOCOL))('a write of the transition %s is known by its expressions', (name, transition) => {
    expect(transitionOf(written(name, transition))).toBe(name)
  })

  it('a write that carries no transition of the protocol has no name', () => {
    expect(transitionOf({ ConditionExpression: 'attribute_exists(fingerprint)' })).toBeUndefined()
  })
})
