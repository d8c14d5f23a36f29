import { stripVTControlCharacters } from 'node:util'
import type { Terminal } from './terminal.ts'

/** Aligned under their titles for a person; tab-separated and without titles for a program. */
export const table = (
  terminal: Terminal,
  titles: readonly string[],
  rows: readonly (readonly string[])[],
): string[] => {
  if (!terminal.interactive) return rows.map(row => row.join('\t'))
  const lines = [titles.map(title => terminal.style('dim', title)), ...rows]
  const widths = titles.map((_, column) => Math.max(...lines.map(line => width(line[column] ?? ''))))
  return lines.map(line =>
    line
      .map((cell, column) => cell + ' '.repeat(column === line.length - 1 ? 0 : (widths[column] ?? 0) - width(cell)))
      .join('  '),
  )
}

const width = (text: string): number => stripVTControlCharacters(text).length
