/** JSON as senders write it: names that repeat, values that do not. Exactly so many bytes, and the same for the same id. */
export const typicalEvent = (id: string, bytes: number): string => {
  const random = seeded(id)
  const head = `{"id":"${id}","object":"event","type":"invoice.paid","created":1794744000,"data":{"object":{"object":"invoice","lines":[`
  const lines: string[] = []
  let size = head.length + TAIL.length
  for (;;) {
    const line = `${lines.length > 0 ? ',' : ''}${lineItem(random)}`
    if (size + line.length > bytes) break
    lines.push(line)
    size += line.length
  }
  const note = 'x'.repeat(Math.max(0, bytes - size))
  return `${head}${lines.join('')}]}},"note":"${note}"}`
}

/** What stands after the lines when the note is empty. */
const TAIL = ']}},"note":""}'

const lineItem = (random: () => number): string =>
  JSON.stringify({
    id: `il_${word(random)}`,
    object: 'line_item',
    amount: random() % 100_000,
    currency: 'usd',
    description: `${word(random)} ${word(random)}`,
    livemode: true,
    period: { start: 1_794_000_000 + (random() % 999_999), end: 1_796_592_000 },
    proration: false,
    quantity: random() % 9,
  })

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789'

const word = (random: () => number): string =>
  Array.from({ length: 14 }, () => ALPHABET[random() % ALPHABET.length]).join('')

/** A small generator of its own: every run and every machine gets the same bytes. */
const seeded = (text: string): (() => number) => {
  let state = [...text].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) >>> 0, 7)
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state >>> 8
  }
}
