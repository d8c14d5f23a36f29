import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Identified, Verified } from '../../../functions/domain/evidence.ts'
import type { Source } from '../../../functions/domain/source.ts'
import type { Receiving } from '../../../functions/domain/world.ts'
import { identify } from '../../../functions/receive/identify.ts'
import { memoryRig } from '../../support/memory-rig.ts'
import { isDown } from '../accept/rig.ts'
import { delivery, type Request, source } from '../providers/rig.ts'

const STRIPE = source({ provider: 'stripe' })
const { secrets } = memoryRig().stores

const asked = (of: Source, request: Request, store = secrets) =>
  identify(
    { environment: 'test', secrets: store } as Receiving,
    { source: of, delivery: delivery(request) } as Verified,
  )

const named = async (of: Source, body: Request['body'], headers: Request['headers'] = {}): Promise<Identified> => {
  const identified = await asked(of, { body: body ?? '', headers })
  if ('outcome' in identified) throw new Error(identified.reason)
  return identified
}

const refusal = async (of: Source, body: Request['body'], headers: Request['headers'] = {}): Promise<string> => {
  const identified = await asked(of, { body: body ?? '', headers })
  return 'outcome' in identified ? identified.reason : identified.eventId
}

const by = (identity: Source['identity']): Source => ({ ...STRIPE, identity })
const bytesOf = (body: string) => `sha256:${createHash('sha256').update(body).digest('hex')}`
const NOT_UTF8 = Uint8Array.of(0x22, 0xff, 0x22)

describe('an event', () => {
  it('a delivery without a body is no event, even if a header names it', async () => {
    expect(await refusal(source({ provider: 'github' }), '', { 'x-github-delivery': 'd-1' })).toBe('body-empty')
  })

  it.each([
    ['standard-webhooks', 'webhook-id'],
    ['svix', 'svix-id'],
    ['svix', 'webhook-id'],
  ])('an event of %s may have no body, because %s is signed and names it', async (provider, header) => {
    expect(await refusal(source({ provider }), '', { [header]: 'msg_1' })).toBe('msg_1')
    expect(await refusal(source({ provider }), '')).toBe('id-missing')
  })

  it('an event is not named while the fingerprint key cannot be read', async () => {
    const answer = await asked(STRIPE, { body: '{"id":"evt_1"}' }, { ...secrets, fingerprintKey: isDown })
    expect(answer).toMatchObject({ outcome: 'unavailable', reason: 'secret-store' })
  })
})

describe('what Slack signs', () => {
  const slack = source({ provider: 'slack' })
  const limited = (minute: number) =>
    JSON.stringify({
      token: 't',
      type: 'app_rate_limited',
      team_id: 'T1',
      minute_rate_limited: minute,
      api_app_id: 'A1',
    })
  const interactive = (payload: object) => `payload=${encodeURIComponent(JSON.stringify(payload))}`

  it.each([
    ['app_rate_limited', limited(1_518_467_820), limited(1_518_467_880)],
    [
      'view_closed',
      interactive({ type: 'view_closed', team: { id: 'T1' }, view: { id: 'V1' }, is_cleared: false }),
      interactive({ type: 'view_closed', team: { id: 'T1' }, view: { id: 'V2' }, is_cleared: false }),
    ],
    [
      'block_suggestion',
      interactive({ type: 'block_suggestion', action_id: 'a', block_id: 'b', value: 'he' }),
      interactive({ type: 'block_suggestion', action_id: 'a', block_id: 'b', value: 'hel' }),
    ],
  ])('an event of Slack without an id, such as %s, is named by its bytes', async (type, body, other) => {
    const identified = await named(slack, body)
    expect(identified).toMatchObject({ eventId: bytesOf(body), type })
    expect((await named(slack, body)).fingerprint).toBe(identified.fingerprint)
    expect((await named(slack, other)).fingerprint).not.toBe(identified.fingerprint)
  })

  it('an event of Slack with an id is named by that', async () => {
    expect(await refusal(slack, '{"type":"event_callback","event_id":"Ev1"}')).toBe('Ev1')
    expect(await refusal(slack, interactive({ type: 'block_actions', trigger_id: '1.2' }))).toBe('1.2')
    expect(await refusal(slack, '{"type":"event_callback","event_id":7}')).toBe('id-malformed')
  })
})

describe('an id', () => {
  const either = by({ kind: 'id', id: ['header:x-id', 'json:id', 'json:uuid'] })

  it('the id of an event is the first that is there', async () => {
    expect(await refusal(either, '{"uuid":"u"}')).toBe('u')
    expect(await refusal(either, '{"uuid":"u","id":"i"}')).toBe('i')
  })

  it('an id that is there and cannot be one is not passed over for the next', async () => {
    expect(await refusal(either, '{"id":{},"uuid":"u"}')).toBe('id-malformed')
  })

  it.each([
    ['1,024 bytes are one', 1_024, 'é'.repeat(512)],
    ['1,026 bytes are none', 1_026, 'id-malformed'],
  ])('an id is at most 1,024 bytes: %s', async (_name, bytes, expected) => {
    expect(await refusal(STRIPE, JSON.stringify({ id: 'é'.repeat(bytes / 2) }))).toBe(expected)
  })

  it('an id with half a character is refused: it would share its bytes with others', async () => {
    expect(await refusal(STRIPE, '{"id":"evt_\\ud800"}')).toBe('id-malformed')
  })

  it.each([
    ['no JSON', STRIPE, 'hello', 'body-not-json'],
    ['half of its JSON', STRIPE, '{"id":"evt_1"', 'body-not-json'],
    ['no UTF-8', STRIPE, NOT_UTF8, 'body-not-json'],
    ['no JSON, where a header might have named it', either, 'hello', 'body-not-json'],
    ['JSON without it', STRIPE, '{}', 'id-missing'],
    ['no JSON, where only a header names it', by({ kind: 'id', id: ['header:x-id'] }), 'hello', 'id-missing'],
    ['a form, where a field might have named it', by({ kind: 'id', id: ['json:id', 'form:id'] }), 'a=1', 'id-missing'],
  ])(
    'the refusal of a delivery without an id says what is wrong with the body: %s',
    async (_name, of, body, reason) => {
      expect(await refusal(of, body)).toBe(reason)
    },
  )
})

describe('an event named by its bytes where it has no id', () => {
  const fallback = by({ kind: 'id', id: ['json:id'], otherwise: 'body' })

  it.each(['{}', 'hello'])('a body without an id is an event named by its bytes, whatever it holds: %s', async body => {
    expect(await refusal(fallback, body)).toBe(bytesOf(body))
  })

  it('a body that is not even text is an event named by its bytes', async () => {
    expect(await refusal(fallback, NOT_UTF8)).toMatch(/^sha256:/)
  })

  it('a body with an id that cannot be one is no event, even if bytes could name it', async () => {
    expect(await refusal(fallback, '{"id":{}}')).toBe('id-malformed')
  })
})

describe('a scope', () => {
  const scoped = by({ kind: 'id', id: ['json:id'], scope: ['json:shop'] })

  it('a scope tells two events with one id apart, and an event without it is not refused', async () => {
    const bodies = ['{"id":"1"}', '{"id":"1","shop":"a"}', '{"id":"1","shop":"b"}']
    const identified = await Promise.all(bodies.map(body => named(scoped, body)))
    expect(new Set(identified.map(({ fingerprint }) => fingerprint)).size).toBe(3)
  })

  it('a part that only some events have tells those apart, and leaves the others named as before', async () => {
    const { identity } = scoped
    const finer = by({ ...identity, also: ['json:user', 'json:message'] } as Source['identity'])
    const plain = '{"id":"1","shop":"a"}'
    expect((await named(finer, plain)).fingerprint).toBe((await named(scoped, plain)).fingerprint)
    const bodies = ['{"id":"1"}', '{"id":"1","user":"u"}', '{"id":"1","message":"m"}', '{"id":"1","user":"v"}']
    const identified = await Promise.all(bodies.map(body => named(finer, body)))
    expect(new Set(identified.map(({ fingerprint }) => fingerprint)).size).toBe(4)
  })

  it.each([
    ['id', scoped],
    ['bytes', by({ kind: 'body', scope: ['json:shop'] })],
  ])('a scope that cannot be one is refused for an event named by its %s', async (_name, of) => {
    expect(await refusal(of, '{"id":"1","shop":{}}')).toBe('id-malformed')
  })
})

describe('an item without an id', () => {
  const item = by({ kind: 'id', id: ['json:id'], otherwise: ['json:thing', 'json:data.@odata\\.etag'] })

  it('is named by the parts that stand for its id, of which a name may have a dot', async () => {
    expect(await refusal(item, '{"thing":"t","data":{"@odata.etag":"1"}}')).toBe('t/1')
    expect(await refusal(item, '{"id":"i","thing":"t","data":{"@odata.etag":"1"}}')).toBe('i')
  })

  it('is an event of its delivery if one of them is missing', async () => {
    const [first, again] = await Promise.all([named(item, '{"thing":"t"}'), named(item, '{"thing":"t"}')])
    expect(first.eventId).toMatch(/^sha256:/)
    expect(again.eventId).toBe(first.eventId)
  })
})

describe('a business key', () => {
  const business = source({ provider: 'stripe', identity: { businessKey: ['customer', 'period'] } })

  it('a business key is all of its parts, and the id is not looked at', async () => {
    const first = await named(business, '{"id":"evt_1","customer":"c-1","period":10}')
    const second = await named(business, '{"id":"evt_2","customer":"c-1","period":10}')
    expect(first.eventId).toBe('c-1/10')
    expect(second.fingerprint).toBe(first.fingerprint)
  })

  it('a business key keeps events apart whose parts only look alike when put together', async () => {
    const one = await named(business, '{"customer":"a/b","period":"c"}')
    const other = await named(business, '{"customer":"a","period":"b/c"}')
    expect(one.fingerprint).not.toBe(other.fingerprint)
  })

  it.each([
    ['without a part', '{"customer":"c-1"}', 'id-missing'],
    ['with a part that cannot be one', '{"customer":"c-1","period":{}}', 'id-malformed'],
    ['with half a character in one part', '{"customer":"c-1","period":"\\ud800"}', 'id-malformed'],
    ['without JSON', 'hello', 'body-not-json'],
  ])('a business key %s names nothing', async (_name, body, reason) => {
    expect(await refusal(business, body)).toBe(reason)
  })
})

describe('an event named by what its form says', () => {
  const form = by({ kind: 'body', of: 'form' })
  const field = by({ kind: 'body', of: 'form:payload' })
  const print = async (of: Source, body: string) => (await named(of, body)).fingerprint

  it.each(['c=3&a=1&b=2&b=0', 'b=0&b=2&c=3&a=1', 'a=%31&b=2&b=0&c=3'])(
    'an event named by its form is the same in another order or spelling: %s',
    async body => {
      expect(await print(form, body)).toBe(await print(form, 'a=1&b=2&b=0&c=3'))
    },
  )

  it.each(['a=1&b=2&b=0', 'a=1&b=2&c=3', 'a=1&b=2&b=0&c=4'])(
    'an event named by its form is another with other values: %s',
    async body => {
      expect(await print(form, body)).not.toBe(await print(form, 'a=1&b=2&b=0&c=3'))
    },
  )

  it('an event named by the one signed field of its form is the same, whatever stands around the field', async () => {
    expect(await print(field, 'payload=abc%0A&x=1')).toBe(await print(field, 'x=2&payload=abc'))
    expect(await print(field, 'payload=abd')).not.toBe(await print(field, 'payload=abc'))
  })

  it('an event named by one field of its form is refused if the field is missing or repeated', async () => {
    expect(await refusal(form, '{"a":1}')).toBe('id-missing')
    expect(await refusal(form, 'a=%zz')).toBe('id-missing')
    expect(await refusal(field, 'x=1')).toBe('id-missing')
    expect(await refusal(field, 'payload=1&payload=2')).toBe('id-malformed')
  })
})

describe('an event named by its JSON', () => {
  it('an event named by its JSON is refused if its bytes are not UTF-8: two of them would be read as one', async () => {
    expect(await refusal(by({ kind: 'json', exclude: [] }), NOT_UTF8)).toBe('body-not-json')
  })
})

describe('the order of an event', () => {
  const ordered = (ordering: { key: string; version?: string }) => source({ provider: 'stripe', ordering })

  it.each([
    [256, 'k'.repeat(256)],
    [257, createHash('sha256').update('k'.repeat(257)).digest('hex')],
  ])('an ordering key of %i bytes becomes one that a queue takes', async (length, key) => {
    const { ordering } = await named(
      ordered({ key: 'json:key' }),
      JSON.stringify({ id: 'evt_1', key: 'k'.repeat(length) }),
    )
    expect(ordering?.key).toBe(key)
  })

  it.each([
    [12, 12],
    ['0012', 12],
    ['999999999999999', 999_999_999_999_999],
    ['9999999999999999', '9999999999999999'],
    ['2026-11-16T00:00:00Z', '2026-11-16T00:00:00Z'],
    [null, null],
    ['x'.repeat(128), 'x'.repeat(128)],
    ['x'.repeat(129), null],
  ])('the version %j of an event is read as %j', async (version, expected) => {
    const of = ordered({ key: 'json:id', version: 'json:version' })
    const { ordering } = await named(of, JSON.stringify({ id: 'evt_1', version }))
    expect(ordering).toEqual({ key: 'evt_1', version: expected })
  })
})
