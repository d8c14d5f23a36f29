import { describe, expect, it } from 'vitest'
import { jsonTokens } from '../../../lib/console/page/json-tokens.ts'

const pretty = (text: string): string | undefined =>
  jsonTokens(text)
    ?.map(token => token.text)
    .join('')

describe('a JSON body on the page', () => {
  it('a JSON body on the page is indented, and nothing in it is changed', () => {
    expect(pretty('{"a":[1,{"b":null}],"c":{}}')).toBe(
      ['{', '  "a": [', '    1,', '    {', '      "b": null', '    }', '  ],', '  "c": {}', '}'].join('\n'),
    )
  })

  it('a JSON body on the page keeps numbers as they were sent, and repeated keys', () => {
    expect(pretty('{"id":12345678901234567890.10,"id":-1E+400}')).toBe(
      '{\n  "id": 12345678901234567890.10,\n  "id": -1E+400\n}',
    )
  })

  it('brackets and commas inside strings do not change how a JSON body is shown', () => {
    expect(pretty('{"a":"{\\"b\\":[1,2]}, \\\\"}')).toBe('{\n  "a": "{\\"b\\":[1,2]}, \\\\"\n}')
    expect(jsonTokens('{"a":":"}')?.map(token => token.kind)).toEqual([
      'mark',
      'mark',
      'key',
      'mark',
      'mark',
      'text',
      'mark',
      'mark',
    ])
  })

  it.each(['', 'a=b', '{"a":1', '{"a":1}}', '<xml/>'])('a body that is not JSON is shown as it is: %j', text => {
    expect(jsonTokens(text)).toBeUndefined()
  })
})
