/** `; did you mean "stripe"?`, or nothing when no name is near. */
export const suggest = (word: string, names: readonly string[]): string => {
  const name = nearest(word, names)
  return name === undefined ? '' : `; did you mean "${name}"?`
}

/** The candidate a typing mistake away (at most a third of its letters), or one that the word begins. */
export const nearest = (word: string, candidates: Iterable<string>): string | undefined => {
  const typed = word.slice(0, LONGEST_WORD).toLowerCase()
  let best: { readonly candidate: string; readonly edits: number } | undefined
  for (const candidate of candidates) {
    const edits = distance(typed, candidate.toLowerCase())
    const close =
      edits <= Math.max(1, Math.floor(candidate.length / 3)) || (typed.length > 1 && candidate.startsWith(typed))
    if (close && edits < (best?.edits ?? Number.POSITIVE_INFINITY)) best = { candidate, edits }
  }
  return best?.candidate
}

/** No name is longer; a hostile word costs no more. */
const LONGEST_WORD = 64

/** Insertions, deletions, replacements and swaps of neighbours, one each. */
const distance = (left: string, right: string): number => {
  const rows: number[][] = [Array.from({ length: right.length + 1 }, (_, at) => at)]
  for (let i = 1; i <= left.length; i++) {
    const row = [i]
    for (let j = 1; j <= right.length; j++) {
      const same = left[i - 1] === right[j - 1]
      const swapped = left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1]
      row[j] = Math.min(
        cell(rows, i - 1, j) + 1,
        cell([row], 0, j - 1) + 1,
        cell(rows, i - 1, j - 1) + (same ? 0 : 1),
        swapped ? cell(rows, i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    rows.push(row)
  }
  return cell(rows, left.length, right.length)
}

const cell = (rows: readonly (readonly number[])[], i: number, j: number): number =>
  rows[i]?.[j] ?? Number.POSITIVE_INFINITY
