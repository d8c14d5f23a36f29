import { startVitest } from 'vitest/node'
import { print } from '../tools/tool.ts'

const EMULATED = ['localstack', 'ministack', 'url', 'template']

/** The black-box suite on one target, and how many of its cases passed. Answers the exit code. */
export const runSuite = async (target: string, filters: readonly string[]): Promise<number> => {
  process.env.IT_TARGET = target
  // An emulator starts a process for each call at once, on the machine that also runs the cases.
  const gently = EMULATED.includes(target) ? { maxConcurrency: 2, fileParallelism: false } : {}
  return runProject('integration', target, filters, gently)
}

/** Every case of a project, and how many passed. Answers the exit code. */
export const runProject = async (
  project: string,
  title: string,
  filters: readonly string[],
  options: { readonly maxConcurrency?: number; readonly fileParallelism?: boolean } = {},
): Promise<number> => {
  const vitest = await startVitest('test', [...filters], { run: true, watch: false, project: [project], ...options })
  const cases = vitest.state.getTestModules().flatMap(module => [...module.children.allTests()])
  const passed = cases.filter(each => each.result().state === 'passed').length
  await vitest.close()
  print(cases.length > 0 ? `${title}: ${passed} of ${cases.length} cases passed.` : `${title}: no case has run.`)
  return cases.length > 0 && passed === cases.length ? 0 : 1
}
