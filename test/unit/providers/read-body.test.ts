import { describe, expect, test } from 'vitest'
import type { Selector } from '../../../functions/domain/selector.ts'
import { readBody } from '../../../functions/providers/read-body.ts'
import { type Integers, select } from '../../../functions/providers/select.ts'
import { delivery, type Request } from './rig.ts'

const json = (body: string | Uint8Array) => readBody(delivery({ body }).body).json()
const selected = (selector: Selector, request: Request, integers?: Integers) => {
  const posted = delivery(request)
  const result = select(selector, posted, readBody(posted.body), integers)
  return result.kind === 'found' ? result.value : result.kind
}

describe('JSON', () => {
  test.each([
    ['an empty body', '', 'empty'],
    ['truncated JSON', '{"id":"evt', 'not JSON'],
    ['text', 'hello', 'not JSON'],
    ['two values', '{}{}', 'not JSON'],
    ['NaN', 'NaN', 'not JSON'],
    ['four million brackets', '['.repeat(4_194_304), 'nested deeper'],
    ['four million braces', '{"a":'.repeat(838_860), 'nested deeper'],
    ['closed but deep', '['.repeat(300) + ']'.repeat(300), 'nested deeper'],
    ['deep after a text that ends with a backslash', `["\\\\",${'['.repeat(300)}`, 'nested deeper'],
    ['four million quotes', '"'.repeat(4_194_304), 'not JSON'],
    ['four million ampersands', '&'.repeat(4_194_304), 'not JSON'],
    ['four million backslashes', `"${'\\'.repeat(4_194_300)}`, 'not JSON'],
    ['two payloads', 'payload=%7B%7D&payload=%7B%7D', 'more than one payload'],
  ])('%s as JSON is unreadable, with a reason', (_, body, why) => {
    expect(json(body)).toEqual({ kind: 'unreadable', why: expect.stringContaining(why) })
  })

  test('invalid UTF-8 as JSON is unreadable', () => {
    expect(json(Uint8Array.from([0x22, 0xff, 0x22]))).toEqual({ kind: 'unreadable', why: 'the body is not UTF-8' })
  })

  test('brackets in a JSON text do not count as depth', () => {
    expect(json(JSON.stringify({ text: `\\"${'[{'.repeat(1000)}` })).kind).toBe('parsed')
  })

  test('the payload of a form is read, as GitHub and Slack send it', () => {
    expect(json('payload=%7B%22trigger_id%22%3A%22a+b%22%7D')).toEqual({ kind: 'parsed', value: { trigger_id: 'a b' } })
  })

  test('JSON stays JSON, whatever the unsigned content type claims and its texts contain', () => {
    const body = '{"id":"evt_1","note":"&payload={\\"id\\":\\"evt_2\\"}&id=evt_3"}'
    const request = { body, headers: { 'content-type': 'application/x-www-form-urlencoded' } }
    expect(selected('json:id', request)).toBe('evt_1')
    expect(selected('form:id', request)).toBe('absent')
  })
})

describe('a JSON selector', () => {
  test.each([
    ['{"id":"evt_1"}', 'evt_1'],
    ['{"id":""}', 'refused'],
    ['{"id":123}', 'refused'],
    ['{"id":true}', 'refused'],
    ['{"id":{}}', 'refused'],
    ['{"id":["evt_1"]}', 'refused'],
    ['{"id":null}', 'absent'],
    ['{}', 'absent'],
    ['[]', 'absent'],
    ['null', 'absent'],
    ['"id"', 'absent'],
    ['{"__proto__":{"id":"evt_1"}}', 'absent'],
    ['{"id":"evt_1","id":"evt_2"}', 'evt_2'],
    ['{"id":', 'absent'],
  ])('the JSON selector of the id in the body %s finds: %s', (body, expected) => {
    expect(selected('json:id', { body })).toBe(expected)
  })

  test.each(['json:constructor.name', 'json:__proto__', 'json:toString', 'json:length', 'json:id.length'] as const)(
    'the selector %s finds only what was sent',
    selector => {
      expect(selected(selector, { body: '{"id":"evt_1"}' })).toBe('absent')
    },
  )

  test('a JSON selector follows paths, into lists too', () => {
    expect(selected('json:data.items.1.id', { body: '{"data":{"items":[{"id":"a"},{"id":"b"}]}}' })).toBe('b')
  })

  test('a JSON selector takes whole numbers only if they are allowed and exact', () => {
    const id = (text: string) => selected('json:id', { body: `{"id":${text}}` }, 'integers too')
    expect(id('123')).toBe('123')
    expect(id('-5')).toBe('-5')
    for (const text of ['1.5', '1e400', '9007199254740993', '12345678901234567890'])
      expect(id(text), text).toBe('refused')
  })
})

describe('a header selector', () => {
  test.each([
    ['d-1', 'd-1'],
    ['', 'absent'],
    [['d-1', 'd-1'], 'refused'],
    ['d-1,d-1', 'refused'],
    ['d-1, d-2', 'refused'],
  ])('the header selector of the value %j finds: %s', (value, expected) => {
    expect(selected('header:x-id', { headers: { 'x-id': value } })).toBe(expected)
  })

  test('the header selector finds a missing header absent', () => {
    expect(selected('header:x-id', {})).toBe('absent')
  })
})

describe('a form selector', () => {
  test.each([
    ['trigger_id=1.2', '1.2'],
    ['trigger_id=a%20b+c', 'a b c'],
    ['trigger_id=', 'absent'],
    ['other=1', 'absent'],
    ['trigger_id=1&trigger_id=2', 'refused'],
    ['trigger_id=%FF', 'absent'],
    ['trigger_id=%', 'absent'],
    [`trigger_id=1${'&x=1'.repeat(1000)}`, 'absent'],
  ])('the form selector of the field in the body %s finds: %s', (body, expected) => {
    expect(selected('form:trigger_id', { body })).toBe(expected)
  })
})
