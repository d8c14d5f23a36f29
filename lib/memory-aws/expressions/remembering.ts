/** An application has few expressions and makes millions of calls with them; more than this many are somebody's generated ones. */
const MOST = 1_000

/** Each text is parsed once. A text that cannot be parsed throws each time. */
export const remembering = <Value>(parse: (text: string) => Value): ((text: string) => Value) => {
  const known = new Map<string, Value>()
  return text => {
    const before = known.get(text)
    if (before !== undefined) return before
    if (known.size >= MOST) known.clear()
    const parsed = parse(text)
    known.set(text, parsed)
    return parsed
  }
}
