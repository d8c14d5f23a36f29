import { describe, expect, test } from 'vitest'
import { concurrencyOf, type Destinations, destinationNames, kindOf } from '../../../functions/domain/destinations.ts'
import { providers } from '../../../functions/providers/catalogue.ts'
import { resolveSources, validateSources } from '../../../functions/providers/sources.ts'

const STRIPE = { stripe: { provider: 'stripe' } }
const mistakes = (destinations: unknown) => validateSources(STRIPE, providers, destinations)

const ONE_OF_EACH = {
  billing: { worker: 'workers/billing.ts', tries: 16, timeout: '30s', memory: 1024, concurrency: 50 },
  crm: { queue: 'crm-events', backOff: { first: '5s', longest: '1h' } },
  'crm-in-order': { queue: 'crm-events.fifo' },
  all: { bus: 'company' },
  legacy: { url: 'https://legacy.example.com/hooks?from=us', timeout: '10s', rate: '80/s', privateAddresses: true },
} as const satisfies Destinations

describe('destinations', () => {
  test('one of each kind is accepted', () => {
    expect(mistakes(ONE_OF_EACH)).toEqual([])
    expect(Object.values(ONE_OF_EACH).map(kindOf)).toEqual(['worker', 'queue', 'queue', 'bus', 'url'])
    expect(destinationNames(ONE_OF_EACH)).toEqual(['worker', ...Object.keys(ONE_OF_EACH)])
  })

  test.each([
    ['the name worker', { worker: { queue: 'a' } }, 'destination "worker": found "worker", expected another name'],
    ['the name ignore', { ignore: { queue: 'a' } }, 'destination "ignore": found "ignore", expected another name'],
    ['a name in capitals', { CRM: { queue: 'a' } }, 'destination "CRM": found "CRM", expected a name of at most 32'],
    ['an empty name', { '': { queue: 'a' } }, 'destination "": found ""'],
    ['two of one name', { 'my-crm': { queue: 'a' }, mycrm: { queue: 'b' } }, 'differs from "my-crm" by more than hyp'],
    ['no kind', { crm: { tries: 2 } }, 'destination "crm": found none of them, expected an object with one of worker,'],
    ['two kinds', { crm: { queue: 'a', bus: 'b' } }, 'destination "crm": found queue and bus, expected an object with'],
    ['no object', { crm: 'crm-events' }, 'destination "crm": found "crm-events", expected an object with one of'],
    ['a list', [], 'destinations: found [], expected an object of destinations by name'],
    ['an unknown field', { crm: { queue: 'a', trys: 3 } }, 'found an unknown field'],
    ['a field of another kind', { crm: { queue: 'a', timeout: '3s' } }, 'destination "crm".timeout: found an unknown'],
    ['http', { old: { url: 'http://a.example' } }, 'destination "old".url: found "http://a.example", expected an http'],
    ['a URL with a password', { old: { url: 'https://a:b@a.example' } }, 'expected an https:// URL without user'],
    ['an address of a private network', { old: { url: 'https://10.0.0.8/hooks' } }, 'expected a public address'],
    ['an address of this machine', { old: { url: 'https://[::1]:8443/' } }, 'expected a public address'],
    ['the name of this machine', { old: { url: 'https://localhost:8443/' } }, 'privateAddresses: true'],
    ['an address in another notation', { old: { url: 'https://0x7f.1/' } }, 'expected a public address'],
    ['a URL that is none', { old: { url: 'a.example' } }, 'expected an https:// URL'],
    ['a rate of 0', { crm: { queue: 'a', rate: '0/s' } }, 'destination "crm".rate: found "0/s", expected a whole'],
    ['a rate that is a number', { crm: { queue: 'a', rate: 80 } }, 'destination "crm".rate: found 80, expected'],
    ['a rate of half', { crm: { queue: 'a', rate: '0.5/s' } }, 'such as "80/s" or "30/m"'],
    [
      'many functions for a low rate',
      { crm: { queue: 'a', rate: '1/m', concurrency: 1000 } },
      'expected fewer: at 1/m',
    ],
    ['one function', { crm: { queue: 'a', concurrency: 1 } }, 'found 1, expected a whole number from 2 to 1000'],
    ['no tries', { crm: { queue: 'a', tries: 0 } }, 'found 0, expected a whole number from 1 to 60'],
    ['a wait that is too long', { crm: { queue: 'a', backOff: { longest: '2d' } } }, 'from 1s to 10h'],
    ['a first wait over the longest', { crm: { queue: 'a', backOff: { first: '5h' } } }, 'at least the first wait'],
    ['a queue by its ARN', { crm: { queue: 'arn:aws:sqs:a:1:b' } }, 'expected the name of an SQS queue'],
    ['a bus with a space', { all: { bus: 'our bus' } }, 'expected the name of an EventBridge bus'],
    ['a slow service', { old: { url: 'https://a.example', timeout: '5m' } }, 'from 1s to 1m'],
  ])('a destination with %s is refused with a sentence', (_, destinations, sentence) => {
    expect(mistakes(destinations).join('\n')).toContain(sentence)
  })

  test('mistakes of sources and destinations are listed in one message', () => {
    const sources = { shop: { provider: 'strpe' } }
    const destinations = { crm: { queue: 'a', rate: '0/s', tries: 99 }, old: { url: 'http://a.example' } }
    const wrong = validateSources(sources, providers, destinations)
    expect(wrong).toHaveLength(4)
    expect(() => resolveSources(sources, providers, destinations as unknown as Destinations)).toThrow(
      /shop\.provider.*"crm"\.rate.*"crm"\.tries.*"old"\.url/s,
    )
  })

  test('a low rate is kept by few functions, and concurrency that is named is kept', () => {
    expect(concurrencyOf({})).toBe(10)
    expect(concurrencyOf({ rate: '80/s' })).toBe(10)
    expect(concurrencyOf({ rate: '5/s' })).toBe(5)
    expect(concurrencyOf({ rate: '30/m' })).toBe(2)
    expect(concurrencyOf({ rate: '30/m', concurrency: 7 })).toBe(7)
  })
})
