import type { Comparison, Figures } from './compare.ts'
import { VARIANTS, type Variant } from './variants.ts'

const PANELS = [
  ['Cold start: init + first delivery', ({ initTlsCpu, firstTlsCpu }: Figures) => initTlsCpu + firstTlsCpu],
  ['New event, warm', ({ newCpu }: Figures) => newCpu],
  ['Duplicate, warm', ({ duplicateCpu }: Figures) => duplicateCpu],
] as const

const SHOWN: readonly Variant[] = ['powertools', 'lean', 'floor']
const [WIDTH, LABEL, BAR, PANEL_GAP, VALUE] = [720, 250, 20, 44, 70]

/** Bars of CPU time, each panel in milliseconds of its own scale. Readable on a light and on a dark page. */
export const chart = ({ figures }: Comparison): string => {
  const panelHeight = SHOWN.length * (BAR + 6) + PANEL_GAP
  const panels = PANELS.map(([title, read], index) => panel(title, read, figures, index * panelHeight))
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${panelHeight * PANELS.length}" role="img" font-family="system-ui, sans-serif" font-size="13">`,
    '<title>CPU milliseconds: Hooklatch beside the AWS SDK and Powertools idempotency</title>',
    '<style>text{fill:#57606a}.ours{fill:#1a7f37}.other{fill:#8c959f}@media(prefers-color-scheme:dark){text{fill:#9198a1}.ours{fill:#3fb950}}</style>',
    ...panels,
    '</svg>',
    '',
  ].join('\n')
}

const panel = (
  title: string,
  read: (figures: Figures) => number,
  figures: Comparison['figures'],
  top: number,
): string => {
  const most = Math.max(...SHOWN.map(variant => read(figures[variant])))
  const bars = SHOWN.map((variant, row) => {
    const value = read(figures[variant])
    const y = top + 26 + row * (BAR + 6)
    const width = Math.max(1, ((WIDTH - LABEL - VALUE) * value) / most)
    const middle = y + BAR - 5
    return [
      `<text x="${LABEL - 8}" y="${middle}" text-anchor="end">${variant === 'floor' ? 'the floor' : VARIANTS[variant]}</text>`,
      `<rect class="${variant === 'lean' ? 'ours' : 'other'}" x="${LABEL}" y="${y}" width="${width.toFixed(1)}" height="${BAR}" rx="2"/>`,
      `<text x="${(LABEL + width + 6).toFixed(1)}" y="${middle}">${value.toFixed(value < 10 ? 2 : 0)} ms</text>`,
    ].join('\n')
  })
  return [`<text x="0" y="${top + 16}" font-weight="600">${title}, CPU over TLS</text>`, ...bars].join('\n')
}
