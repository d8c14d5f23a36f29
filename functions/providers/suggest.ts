/** `; did you mean "stripe"?`, or nothing when no name is near. */
export const suggest = (word: string, names: readonly string[]): string => {
  const [nearest] = names
    .map(name => ({ name, distance: editDistance(word.toLowerCase(), name.toLowerCase()) }))
    .filter(({ name, distance }) => distance <= Math.max(1, Math.floor(name.length / 3)))
    .sort((left, right) => left.distance - right.distance)
  return nearest ? `; did you mean "${nearest.name}"?` : ''
}

/** Levenshtein, one row at a time. */
const editDistance = (from: string, to: string): number => {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (const [line, character] of [...from.slice(0, 64)].entries()) {
    const next = [line + 1]
    for (let column = 1; column <= to.length; column++) {
      const replaced = (row[column - 1] ?? 0) + (to[column - 1] === character ? 0 : 1)
      next.push(Math.min(replaced, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
