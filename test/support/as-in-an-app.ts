/** A sample of docs/samples as its reader writes it in an app: what it imports from `lib` comes from the package. */
export const asInAnApp = (sample: string): string =>
  sample.replaceAll(/'\.\.\/\.\.\/lib\/([\w-]+)\.ts'/g, (_, entry) =>
    entry === 'index' ? "'hooklatch'" : `'hooklatch/${entry}'`,
  )
