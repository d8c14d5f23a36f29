import { describe, expect, it } from 'vitest'
import { escaped, escapedForeign, mark, painted } from '../../../lib/terminal/escape.ts'
import { guardOutput } from '../../../lib/terminal/guard-output.ts'
import { jsonLines } from '../../../lib/terminal/terminal.ts'

describe('what came from outside', () => {
  it.each([
    ['clear line', '\u001b[2K', '\\u001b[2K'],
    ['the clipboard', '\u001b]52;c;ZXZpbA==\u0007', '\\u001b]52;c;ZXZpbA==\\u0007'],
    ['carriage return', 'good\revil', 'good\\u000devil'],
    ['a line of its own', 'good\nevil', 'good\\u000aevil'],
    ['backspace and delete', '\b\u007f', '\\u0008\\u007f'],
    ['C1: CSI in one byte', '\u009b2J\u0085', '\\u009b2J\\u0085'],
    ['right-to-left override and isolates', '\u202e\u2066\u2069', '\\u202e\\u2066\\u2069'],
    ['what nobody sees', '\u200b\u00ad\ufeff', '\\u200b\\u00ad\\ufeff'],
    ['tags beyond the first plane', '\u{e0041}', '\\udb40\\udc41'],
    ['separators of lines and paragraphs', '\u2028\u2029', '\\u2028\\u2029'],
    ['half a character', '\ud800', '\\ud800'],
    ['a colour', '\u001b[31mred\u001b[39m', '\\u001b[31mred\\u001b[39m'],
    ['a mark that is not ours', '\u001b]0123456789abcdef;31\u0007', '\\u001b]0123456789abcdef;31\\u0007'],
  ])('%s is shown, and does nothing', (_, hostile, shown) => {
    expect(painted(hostile)).toBe(shown)
    expect(escaped(hostile)).toBe(shown)
    expect(JSON.parse(painted(JSON.stringify({ hostile })))).toEqual({ hostile })
  })

  it('letters, accents, emoji and tabs stay as they are', () => {
    const text = 'Zoë 日本語 العربية ❤️ 🎉\tend'
    expect(painted(text)).toBe(text)
  })
})

it('our own colours are painted at the edge, and what they hold is escaped', () => {
  expect(painted(`${mark(31)}a\u001b[2Jb${mark(39)}`)).toBe('\u001b[31ma\\u001b[2Jb\u001b[39m')
})

it('JSON is the same value after it was escaped', () => {
  const value = { 'k\u202e': ['\u009b', '\u2028', 'x\ny'] }
  const lines = jsonLines(value).map(painted)
  expect(JSON.parse(lines.join('\n'))).toEqual(value)
  expect(lines.join('\n')).toMatch(/^[\x20-\x7e\n]+$/)
})

describe('what a worker writes', () => {
  const tty = (isTTY: boolean) => {
    const written: unknown[] = []
    const stream = { isTTY, write: (text: unknown) => written.push(text) > 0 } as unknown as NodeJS.WriteStream
    return { stream, written }
  }

  it('keeps its lines and colours on a terminal, and nothing else that speaks to it', () => {
    expect(escapedForeign('\u001b[32mok\u001b[39m\r\n\u001b[2K\r\u202e')).toBe(
      '\u001b[32mok\u001b[39m\r\n\\u001b[2K\\u000d\\u202e',
    )
    const { stream, written } = tty(true)
    const undo = guardOutput([stream])
    stream.write('a\u001b]52;c;x\u0007\n')
    // A character that comes in two pieces.
    stream.write(Buffer.from([0xe2, 0x80]))
    stream.write(Buffer.from([0xae]))
    undo()
    stream.write('\u0007')
    expect(written).toEqual(['a\\u001b]52;c;x\\u0007\n', '', '\\u202e', '\u0007'])
  })

  it('reaches a pipe as it is', () => {
    const { stream, written } = tty(false)
    guardOutput([stream])
    stream.write('a\u0007')
    expect(written).toEqual(['a\u0007'])
  })
})
