import fc from 'fast-check'
import { CLASSES } from './classes.ts'
import { type Stage, stage } from './stage.ts'

export interface ClassReport {
  readonly name: string
  readonly inputs: number
  readonly statuses: ReadonlyMap<number, number>
  /** The shrunk input, and the law that it breaks. */
  readonly violation: string | undefined
}

/** As many inputs as asked of every class, until one of a class breaks a law. */
export const fuzz = async (
  name: keyof typeof CLASSES,
  inputs: number,
  seed: number,
  onProgress: (inputs: number) => void = () => {},
): Promise<ClassReport> => {
  const at = stage()
  let violation: string | undefined
  for (let round = 0; at.tally.inputs < inputs && violation === undefined; round++) {
    const before = at.tally.inputs
    violation = await runOnce(name, at, Math.min(ROUND, inputs - at.tally.inputs), seed + round)
    onProgress(at.tally.inputs - before)
  }
  return { name, inputs: at.tally.inputs, statuses: at.tally.statuses, violation }
}

/** Small enough for progress to be seen, large enough for fast-check to go from small values to large ones. */
const ROUND = 2_000

const runOnce = async (
  name: keyof typeof CLASSES,
  at: Stage,
  numRuns: number,
  seed: number,
): Promise<string | undefined> => {
  const report = await fc.check(CLASSES[name].property(at), { seed, numRuns })
  return report.failed ? await fc.asyncDefaultReportMessage(report) : undefined
}

export const shareOf = (name: keyof typeof CLASSES, inputs: number): number => Math.ceil(CLASSES[name].share * inputs)
