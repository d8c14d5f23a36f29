import { resolve } from 'node:path'
import { RECOVER_EVERY_SECONDS } from '../../../functions/contract/limits.ts'
import type { Millis } from '../../../functions/domain/brands.ts'
import { readApp } from '../../app/read-app.ts'
import { DEFAULT_SOURCE_FILE, DEFAULT_WORKER_FILE } from '../../connect/default-files.ts'
import { isRefusal, type Refusal, refuse } from '../../connect/refusal.ts'
import type { LocalApi } from '../../local/open-local.ts'
import { refuseSecond } from '../../local/refuse-second.ts'
import { start as startLocal } from '../../local/start.ts'
import { allOf, readDuration, readNumber, readUrl } from '../flags.ts'
import { readIsoTime } from '../read-instant.ts'
import { SENDER_FLAGS } from '../target-flags.ts'
import { verb } from '../verb.ts'

export const start = verb({
  summary: 'Run everything on this machine, without AWS.',
  operands: [],
  flags: {
    port: { value: 'PORT', help: 'Where to listen on 127.0.0.1 (default 4000; 0 takes any free one).' },
    'console-port': { value: 'PORT', help: 'Where the console listens on 127.0.0.1 (default any free one).' },
    data: { value: 'DIR', help: 'Keep state in this directory across restarts (default: nothing is kept).' },
    api: {
      value: 'KIND',
      help: 'What to imitate: http (default) or rest for API Gateway, url for a function URL, as with cdk -c api=rest.',
    },
    now: { value: 'ISO-TIME', help: 'Freeze the clock, such as 2026-11-16T09:00:00Z.' },
    app: { value: 'COMMAND', help: 'What makes the template of your CDK app (default: `app` in cdk.json).' },
    stack: { value: 'NAME', help: 'Of an app with several receivers: the one in this stack (default: the first).' },
    'source-file': { value: 'FILE', help: 'Sources from a TypeScript or JSON file; the app is not read then.' },
    secrets: { value: 'FILE', help: 'Signing secrets, { "stripe": ["whsec_..."] } (default: a copy of fake ones).' },
    worker: {
      value: 'FILE',
      help: 'Your code, exported as `work` or by default; the app is not read then.',
    },
    'api-url': SENDER_FLAGS['api-url'],
    'recover-every': { value: 'DURATION', help: 'How often recovery runs, in real time (default 1m, as in AWS).' },
  },
  teaches: [
    'Starts a DynamoDB, an SQS and an S3 that live inside this process and end with it, creates the tables and',
    'queues the stack would create, and serves POST /webhooks/{source} with the functions that run in AWS.',
    'In a CDK app it reads what `cdk synth` would make, and creates the tables, queues and buckets of the app as well.',
    'The worker gets the variables that its function has in the template, and its code is loaded again when it changes.',
    'Accepted events go to the worker. If it throws, it gets the event again after 30 seconds, then after longer',
    'and longer: 16 times in all.',
    'The secrets file is read again when it changes, so you can try a rotation. Ctrl-C ends it.',
    '',
    '  npm start',
    '  npm start -- --port 4100 --data ./local-data',
    '  npm start -- --worker ./my-worker.ts',
  ].join('\n'),
  async run({ flags }, terminal) {
    const asked = allOf(
      readNumber(flags.port, 'port', { min: 0, max: 65_535, otherwise: 4000 }),
      readNumber(flags['console-port'], 'console-port', { min: 0, max: 65_535, otherwise: 0 }),
      readNow(flags.now),
      readApi(flags.api),
      readDuration(flags['recover-every'], 'recover-every', `${RECOVER_EVERY_SECONDS}s`),
      readUrl(flags['api-url'], 'api-url'),
    )
    if (isRefusal(asked)) return asked
    const [port, consolePort, frozenAt, api, recoverEvery, apiUrl] = asked
    const dataDir = flags.data === undefined ? undefined : resolve(flags.data)
    const directory = process.cwd()
    const second = await refuseSecond(directory)
    if (second) return second
    const app = flags.worker || flags['source-file'] ? undefined : await readApp({ ...flags, directory }, terminal.out)
    if (isRefusal(app)) return app
    return startLocal(
      {
        port,
        consolePort,
        api,
        frozenAt,
        recoverEvery,
        apiUrl,
        directory,
        app,
        dataDir,
        sourceFile: resolve(flags['source-file'] ?? app?.sourceFile ?? DEFAULT_SOURCE_FILE),
        secretsFile: flags.secrets === undefined ? undefined : resolve(flags.secrets),
        workerFile: resolve(flags.worker ?? app?.workerFile ?? DEFAULT_WORKER_FILE),
      },
      terminal,
    )
  },
})

const readApi = (text = 'http'): LocalApi | Refusal =>
  text === 'http' || text === 'rest' || text === 'url' ? text : refuse(`--api ${text}: expected http, rest or url.`, 2)

const readNow = (text: string | undefined): Millis | undefined | Refusal =>
  text === undefined
    ? undefined
    : (readIsoTime(text) ?? refuse(`--now ${text} is not an ISO time: expected such as 2026-11-16T09:00:00Z.`, 2))
