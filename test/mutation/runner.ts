import { globSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import type { InstrumenterContext } from '@stryker-mutator/api/core'
import { declareFactoryPlugin, PluginKind } from '@stryker-mutator/api/plugin'
import {
  DryRunStatus,
  determineHitLimitReached,
  type MutantRunResult,
  type TestResult,
  type TestRunner,
  TestStatus,
  toMutantRunResult,
} from '@stryker-mutator/api/test-runner'
import { PART_VARIABLE, PARTS, type PartName } from './parts.ts'
import { type CollectedTest, collectedTests, collectFrom, openAnew } from './vitest.ts'

const OUR_VITEST = import.meta.resolve('./vitest.ts')

/** Loads the tests once and runs them in this process: vitest would start a worker, and load them again, for each mutant. */
const inProcess = (): TestRunner => {
  const tookMs = new Map<string, number>()
  let isFresh = true
  let isSpoilt = false

  const run = async (tests: readonly CollectedTest[], stopAtFailure: boolean): Promise<TestResult[]> => {
    const results: TestResult[] = []
    for (const test of tests) {
      const result = await resultOf(test)
      results.push(result)
      if (stopAtFailure && result.status === TestStatus.Failed) break
    }
    return results
  }

  /** A mutant may leave something behind in a module. Its killer has to pass again without it, or this process is no judge. */
  const checkKill = async (result: MutantRunResult): Promise<MutantRunResult> => {
    if (result.status !== 'killed') return result
    const [again] = await run(
      collectedTests().filter(({ id }) => result.killedBy.includes(id)),
      true,
    )
    isSpoilt = again?.status === TestStatus.Failed
    if (isSpoilt && !isFresh) throw new Error('an earlier mutant has spoilt this process')
    return result
  }

  return {
    capabilities: () => ({ reloadEnvironment: false }),

    init: async () => {
      // What nobody catches would end this process: it is a failure of the test that runs.
      process.on('uncaughtException', error => uncaught(error))
      process.on('unhandledRejection', error => uncaught(error))
      // Of the copy that stryker has made; this file and its vitest are loaded from outside it.
      const copied = pathToFileURL(resolve('test')).href
      registerHooks({
        resolve: (specifier, context, next) =>
          specifier === 'vitest' && context.parentURL?.startsWith(copied)
            ? { url: OUR_VITEST, shortCircuit: true }
            : next(specifier, context),
      })
      const { tests, slow = [], opensAnew = false } = PARTS[process.env[PART_VARIABLE] as PartName]
      if (opensAnew) openAnew()
      for (const file of globSync([...tests], { exclude: [...slow] }).sort()) {
        await collectFrom(file, () => import(pathToFileURL(resolve(file)).href))
      }
    },

    dryRun: async () => {
      const tests = await run(collectedTests(), false)
      const { mutantCoverage } = stryker()
      return { status: DryRunStatus.Complete, tests, ...(mutantCoverage && { mutantCoverage }) }
    },

    mutantRun: async ({ activeMutant, testFilter, hitLimit }) => {
      if (isSpoilt) throw new Error('the mutant before has spoilt this process')
      const wanted = new Set(testFilter)
      const quickFirst = collectedTests()
        .filter(({ id }) => !testFilter || wanted.has(id))
        .sort((one, other) => (tookMs.get(one.id) ?? 0) - (tookMs.get(other.id) ?? 0))
      Object.assign(stryker(), { activeMutant: activeMutant.id, hitCount: 0, hitLimit })
      const tests = await run(quickFirst, true)
      const endless = determineHitLimitReached(stryker().hitCount, hitLimit)
      Object.assign(stryker(), { activeMutant: undefined, hitLimit: undefined })
      const result = await checkKill(toMutantRunResult(endless ?? { status: DryRunStatus.Complete, tests }))
      isFresh = false
      return result
    },
  }

  async function resultOf({ id, file, run: runTest }: CollectedTest): Promise<TestResult> {
    stryker().currentTestId = id
    const startedAt = performance.now()
    const failure = await failureTwice(runTest)
    const timeSpentMs = performance.now() - startedAt
    tookMs.set(id, timeSpentMs)
    const result = { id, name: id, fileName: file, timeSpentMs }
    return failure === null
      ? { ...result, status: TestStatus.Success }
      : { ...result, status: TestStatus.Failed, failureMessage: failure }
  }
}

/** Far longer than any test here takes: what waits for ever need not hold up the others as long as stryker would let it. */
const ANSWER_WITHIN_MS = 5_000

/** An error that nobody caught may come late, from a mutant before: it counts if it comes again. */
const failureTwice = async (run: () => unknown): Promise<string | null> => {
  const failure = await failureOf(run)
  return failure?.startsWith(ASIDE) ? failureOf(run) : failure
}

const ASIDE = 'uncaught: '

let uncaught: (error: unknown) => void = () => {}

const failureOf = async (run: () => unknown): Promise<string | null> => {
  const waiting = new AbortController()
  const tooLate = sleep(ANSWER_WITHIN_MS, 'no answer', { signal: waiting.signal }).catch(() => null)
  const thrownAside = new Promise<string>(resolve => {
    uncaught = error => resolve(ASIDE + String(error))
  })
  const answered = async () => {
    await run()
    return null
  }
  try {
    return await Promise.race([answered(), tooLate, thrownAside])
  } catch (error) {
    return String(error)
  } finally {
    waiting.abort()
  }
}

/** Where the changed code looks which change is on, and notes what it has passed. */
const stryker = (): InstrumenterContext => {
  const global = globalThis as { __stryker__?: InstrumenterContext }
  global.__stryker__ ??= {}
  return global.__stryker__
}

export const strykerPlugins = [declareFactoryPlugin(PluginKind.TestRunner, 'in-process', inProcess)]
