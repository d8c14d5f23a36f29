import fc from 'fast-check'
import type { FuzzClass } from './classes.ts'
import { fuzzRig } from './rig.ts'

export interface ClassReport {
  readonly inputs: number
  readonly statuses: ReadonlyMap<number, number>
  /** The shrunk input, and the law that it breaks. */
  readonly violation: string | undefined
}

/** Small enough to hold nothing for long, large enough for fast-check to go from small values to large ones. */
const ROUND = 2_000

/** As many inputs of a class as asked for, or until one breaks a law. */
export const fuzz = async (
  { property, deliveries = 1 }: FuzzClass,
  inputs: number,
  seed: number,
): Promise<ClassReport> => {
  const at = fuzzRig()
  let violation: string | undefined
  for (let round = 0; at.tally.inputs < inputs && violation === undefined; round++) {
    const numRuns = Math.ceil(Math.min(ROUND, inputs - at.tally.inputs) / deliveries)
    const report = await fc.check(property(at), { seed: seed + round, numRuns })
    if (report.failed) violation = await describeFailure(report)
  }
  return { inputs: at.tally.inputs, statuses: at.tally.statuses, violation }
}

const describeFailure = async (report: fc.RunDetails<unknown>): Promise<string> => {
  const { errorInstance } = report
  const law = errorInstance instanceof Error ? errorInstance.message : String(errorInstance)
  return `${law}\n${await fc.asyncDefaultReportMessage(report)}`
}
