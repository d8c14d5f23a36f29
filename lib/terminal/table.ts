import { stripVTControlCharacters } from 'node:util'
import { escaped } from './escape.ts'
import type { Terminal } from './terminal.ts'

/** Aligned under their titles for a person; tab-separated and without titles for a program. */
export const table = (
  terminal: Terminal,
  titles: readonly string[],
  rows: readonly (readonly string[])[],
): string[] => {
  const cells = rows.map(row => row.map(cell))
  if (!terminal.interactive) return cells.map(row => row.join('\t'))
  const lines = [titles.map(title => terminal.style('dim', title)), ...cells]
  const widths = fitting(
    titles.map((_, column) => lines.map(line => line[column] ?? '')),
    terminal.columns,
  )
  return lines.map(line =>
    line.map((cell, column) => (column === line.length - 1 ? cell : padded(cell, widths[column] ?? 0))).join(GAP),
  )
}

/** The same on the terminal; without rows, `otherwise` to a person and nothing to a program. */
export const printTable = (
  terminal: Terminal,
  titles: readonly string[],
  rows: readonly (readonly string[])[],
  otherwise?: string,
): void => {
  if (rows.length === 0 && otherwise !== undefined) {
    if (terminal.interactive) terminal.out(otherwise)
    return
  }
  for (const line of table(terminal, titles, rows)) terminal.out(line)
}

/** As wide as it will be, and no column or line more than there is. */
export const cell = (text: string): string => escaped(text.replace(/[\n\t]/g, ' '))

const GAP = '  '
/** A column is never cut below this. */
const LEAST = 12

/** The widest columns give way until a line fits, save the last, which is left whole: it may be what a person copies. */
const fitting = (columns: readonly (readonly string[])[], available: number | undefined): number[] => {
  const widths = columns.map(cells => Math.max(...cells.map(width)))
  const least = columns.map((cells, at) =>
    at < columns.length - 1 ? Math.max(LEAST, ...cells.map(uncut)) : Number.POSITIVE_INFINITY,
  )
  const total = (): number => widths.reduce((sum, each) => sum + each, GAP.length * (widths.length - 1))
  while (available !== undefined && total() > available) {
    const slack = widths.map((each, at) => each - (least[at] ?? each))
    const at = slack.indexOf(Math.max(...slack))
    if ((slack[at] ?? 0) <= 0) break
    widths[at] = (widths[at] ?? 0) - 1
  }
  return widths
}

/** What has a colour is short, and cutting it would cut the colour's end. */
const uncut = (cell: string): number => (isPlain(cell) ? 0 : width(cell))

const padded = (cell: string, to: number): string => {
  const over = width(cell) > to && isPlain(cell)
  return over ? `${cell.slice(0, to - 1)}…` : cell + ' '.repeat(Math.max(0, to - width(cell)))
}

const isPlain = (cell: string): boolean => stripVTControlCharacters(cell) === cell

const width = (text: string): number => stripVTControlCharacters(text).length
