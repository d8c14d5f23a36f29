import { createRequire } from 'node:module'
import type { Context } from 'aws-lambda'
import { delivery } from './deliveries.ts'

/** What one process measures of one bundle. */
export interface Errand {
  readonly bundle: string
  readonly secret: string
  readonly bytes: number
  /** Without it the process ends after its first delivery. */
  readonly warm?: { readonly kind: 'new' | 'duplicate' | 'forged'; readonly before: number; readonly measured: number }
  /** Of the ids, so that no two processes send the same events. */
  readonly prefix: string
}

/** Milliseconds of CPU, and bytes. */
export interface Measured {
  readonly init: number
  readonly first: number
  readonly perEvent: number
  readonly rss: number
  readonly status: number
}

const cpu = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

const errand: Errand = JSON.parse(process.argv[2] ?? '')
const { bundle, secret, bytes, warm, prefix } = errand
const context = { getRemainingTimeInMillis: () => 10_000, functionName: 'bench', awsRequestId: 'r' } as Context
// What the functions log is not what is measured, and the answer goes the same way.
const say = process.stdout.write.bind(process.stdout)
process.stdout.write = () => true

// Lambda's own runtime has loaded it before a function starts: RAPIDClient.js of its interface client requires it.
process.getBuiltinModule('node:http')

const at = Date.now()
const make = (index: number, by = secret) => delivery(`evt_${prefix}_${index}`, bytes, by, at)
const first = make(0)

const beforeInit = cpu()
const { handler } = bundle.endsWith('.mjs') ? await import(bundle) : createRequire(import.meta.url)(bundle)
const beforeFirst = cpu()
const { statusCode: status } = await handler(first, context)
const afterFirst = cpu()

const perEvent = async ({ kind, before, measured }: NonNullable<Errand['warm']>): Promise<number> => {
  const events = Array.from({ length: before + measured }, (_, index) => {
    if (kind === 'duplicate') return first
    return make(index + 1, kind === 'forged' ? 'wrong' : secret)
  })
  for (const event of events.slice(0, before)) await handler(event, context)
  const started = cpu()
  for (const event of events.slice(before)) await handler(event, context)
  return (cpu() - started) / measured
}

const measured: Measured = {
  init: beforeFirst - beforeInit,
  first: afterFirst - beforeFirst,
  perEvent: warm ? await perEvent(warm) : 0,
  rss: process.memoryUsage().rss,
  status,
}
say(JSON.stringify(measured), () => process.exit(0))
