import { spawn } from 'node:child_process'
import { delimiter, dirname } from 'node:path'
import { type Refusal, refuse } from '../connect/refusal.ts'
import type { AppSettings } from './app-settings.ts'

/** Runs the app as `cdk synth` does, and needs neither it nor an AWS account: the app writes its assembly to `outdir`. */
export const runApp = async (
  settings: AppSettings,
  outdir: string,
  purpose: Purpose = FOR_THIS_MACHINE,
): Promise<Refusal | undefined> => {
  const { app, build, context } = settings
  const told = {
    CDK_OUTDIR: outdir,
    CDK_CONTEXT_JSON: JSON.stringify({ ...context, ...purpose.context }),
    ...purpose.environment,
    // `node app.ts` means the Node that runs us, which is new enough.
    PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
  }
  for (const command of [build, app]) {
    if (command === undefined) continue
    const failure = await shell(command, settings.directory, { ...process.env, ...told })
    if (failure !== undefined) return refuse(sentence(command, failure, purpose))
  }
  return undefined
}

/** What the template is for, which says how it is made. */
export interface Purpose {
  readonly context: Readonly<Record<string, unknown>>
  readonly environment: Readonly<Record<string, string>>
  /** What cannot be done if the app fails, and what to do then. */
  readonly withoutIt: string
  readonly instead: string
}

const FOR_THIS_MACHINE: Purpose = {
  // The code of the functions is not in a template: to bundle it would take most of the time.
  context: { 'aws:cdk:bundling-stacks': [], 'aws:cdk:enable-path-metadata': true },
  environment: {
    CDK_DEFAULT_ACCOUNT: process.env.CDK_DEFAULT_ACCOUNT ?? '000000000000',
    CDK_DEFAULT_REGION: process.env.CDK_DEFAULT_REGION ?? 'us-east-1',
  },
  withoutIt: 'its tables cannot be created here',
  instead: 'Fix the app, or start without it: --worker FILE or --source-file FILE.',
}

const shell = (command: string, cwd: string, env: NodeJS.ProcessEnv): Promise<string | undefined> =>
  new Promise(resolve => {
    const child = spawn(command, { cwd, env, shell: true, stdio: ['ignore', 'pipe', 'pipe'], windowsHide: true })
    let said = ''
    const keep = (text: string): void => {
      said = (said + text).slice(-LAST_WORDS)
    }
    child.stdout.setEncoding('utf8').on('data', keep)
    child.stderr.setEncoding('utf8').on('data', keep)
    child.once('error', error => resolve(error.message))
    child.once('close', code => resolve(code === 0 ? undefined : said.trim() || `it ended with exit code ${code}`))
  })

const LAST_WORDS = 4_000

const sentence = (command: string, failure: string, { withoutIt, instead }: Purpose): string =>
  [`The app could not be synthesised, so ${withoutIt}. \`${command}\` said:`, ourWords(failure), instead].join('\n')

/** Our list of mistakes needs no stack trace. What the app itself threw does. */
const ourWords = (failure: string): string => LISTED_MISTAKES.exec(failure)?.[1] ?? failure

/** As `throwMistakes` in lib/constructs/prop-rules.ts writes it, and Node prints it. */
const LISTED_MISTAKES = /^TypeError: (The receiver cannot be built:(?:\n- .*)+)/m
