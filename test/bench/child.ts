import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'
import type { Context, SQSEvent } from 'aws-lambda'
import { delivery } from './deliveries.ts'

/** What a process is called with, again and again. */
export type Task =
  | { readonly kind: 'new' | 'duplicate' | 'forged'; readonly bytes: number }
  /** A file of batches, one after the other, and how many events each has. */
  | { readonly kind: 'batches'; readonly file: string; readonly size: number }

export interface Errand {
  readonly bundle: string
  readonly secret: string
  /** Of the ids, so no two processes send the same events. */
  readonly prefix: string
  readonly task: Task
}

/** Milliseconds of CPU. */
export interface Started {
  readonly init: number
  readonly first: number
  readonly answered: boolean
}

export interface Ran {
  readonly perEvent: number
  /** Bytes. */
  readonly rss: number
}

const cpu = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

const { bundle, secret, prefix, task }: Errand = JSON.parse(process.argv[2] ?? '')
const context = { getRemainingTimeInMillis: () => 10_000, functionName: 'bench', awsRequestId: 'r' } as Context
// What the functions log is not what is measured, and the answers go the same way.
const say = process.stdout.write.bind(process.stdout)
process.stdout.write = () => true

// Lambda's own runtime has loaded it before a function starts: RAPIDClient.js of its interface client requires it.
process.getBuiltinModule('node:http')

const at = Date.now()
const batches: SQSEvent[] = task.kind === 'batches' ? JSON.parse(readFileSync(task.file, 'utf8')) : []
let sent = 0
const next = (bytes?: number) => {
  const index = task.kind === 'duplicate' ? 0 : sent++
  if (task.kind === 'batches') return batches[index] ?? { Records: [] }
  const signedWith = task.kind === 'forged' && index > 0 ? 'wrong' : secret
  return delivery(`evt_${prefix}_${index}`, bytes ?? task.bytes, signedWith, at)
}
const eventsEach = task.kind === 'batches' ? task.size : 1

const first = next()
const beforeInit = cpu()
const { handler } = bundle.endsWith('.mjs') ? await import(bundle) : createRequire(import.meta.url)(bundle)
const beforeFirst = cpu()
const answer = await handler(first, context)
const afterFirst = cpu()
const answered = answer.statusCode === 202 || answer.batchItemFailures?.length === 0
const started: Started = { init: beforeFirst - beforeInit, first: afterFirst - beforeFirst, answered }
say(`${JSON.stringify(started)}\n`)

// A line on standard input is how many times it is called next, and with how many bytes if not with those of its task.
for await (const line of createInterface({ input: process.stdin })) {
  const [times, bytes] = line.split(' ').map(Number)
  const events = Array.from({ length: times ?? 0 }, () => next(bytes))
  const before = cpu()
  for (const event of events) await handler(event, context)
  const perEvent = (cpu() - before) / events.length / eventsEach
  say(`${JSON.stringify({ perEvent, rss: process.memoryUsage().rss } satisfies Ran)}\n`)
}
process.exit(0)
