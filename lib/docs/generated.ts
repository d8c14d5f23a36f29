/** A page with the part between its two marks made anew. */
export const withGenerated = (page: string, name: string, text: string, by = 'npm run docs'): string => {
  const begin = `<!-- ${name}: made by ${by} -->`
  const end = `<!-- end of ${name} -->`
  const [before, rest] = page.split(begin)
  const [, after] = rest?.split(end) ?? []
  if (before === undefined || after === undefined)
    throw new Error(`the page has no place for "${name}": ${begin} ... ${end}`)
  return `${before}${begin}\n\n${text}\n\n${end}${after}`
}
