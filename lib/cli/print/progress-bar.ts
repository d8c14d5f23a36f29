import type { JobView } from '../../../functions/operate/job-view.ts'
import { escaped } from '../../terminal/escape.ts'

const WIDTH = 30

/** On one line of the terminal. Prints nothing if there is no terminal. */
export const progressBar = (silent: boolean): { show(job: JobView): void; end(): void } => {
  const line = statusLine(silent)
  return { show: job => line.show(barOf(job)), end: line.end }
}

/** The same for a text of our own, each in place of the one before. */
export const statusLine = (silent: boolean): { show(text: string): void; end(): void } => {
  const { stderr } = process
  const visible = !silent && stderr.isTTY === true
  let shown = false
  return {
    show: text => {
      if (!visible) return
      shown = true
      stderr.write(`\r${escaped(text)}\u001b[K`)
    },
    end: () => {
      if (shown) stderr.write('\n')
    },
  }
}

const barOf = ({ replayed, refused, expected, rate }: JobView): string => {
  const had = replayed + Object.values(refused).reduce((sum, count) => sum + count, 0)
  const share = expected === 0 ? 1 : Math.min(1, had / expected)
  const full = Math.round(share * WIDTH)
  const left = Math.max(0, Math.ceil((expected - had) / rate))
  return `${'█'.repeat(full)}${'░'.repeat(WIDTH - full)} ${had}/${expected}  ${Math.floor(share * 100)} %  ${left} s left`
}
