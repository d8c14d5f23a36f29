/** Every group of files that reach each other by imports (Tarjan's strongly connected components), files in order. */
export const cyclesIn = (
  files: readonly string[],
  importsOf: (file: string) => readonly string[],
): readonly (readonly string[])[] => {
  const known = new Set(files)
  const visited = new Map<string, number>()
  const path: string[] = []
  const cycles: string[][] = []

  const earliestOf = (file: string): number => {
    const at = visited.get(file)
    if (at === undefined) return visit(file)
    return path.includes(file) ? at : Number.POSITIVE_INFINITY
  }

  /** The earliest file on the path that `file` leads back to. */
  const visit = (file: string): number => {
    const at = visited.size
    visited.set(file, at)
    path.push(file)
    const reached = importsOf(file)
      .filter(target => known.has(target))
      .map(earliestOf)
    const earliest = Math.min(at, ...reached)
    if (earliest === at) {
      const group = path.splice(path.indexOf(file))
      if (group.length > 1 || importsOf(file).includes(file)) cycles.push(group.sort())
    }
    return earliest
  }

  for (const file of files) if (!visited.has(file)) visit(file)
  return cycles
}
