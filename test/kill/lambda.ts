import { type ChildProcess, spawn } from 'node:child_process'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { bundleOf, FUNCTIONS, type FunctionName } from './bundle.ts'

export type Invoked =
  | { readonly kind: 'returned'; readonly value: unknown }
  | { readonly kind: 'threw'; readonly message: string }
  /** Killed, or ended by its time limit: nobody knows what it has done. */
  | { readonly kind: 'died' }

interface Invocation {
  readonly id: string
  readonly event: unknown
  readonly resolve: (answer: Invoked) => void
}

interface Environment {
  readonly id: string
  readonly name: FunctionName
  readonly child: ChildProcess
  /** Waits for the next invocation. */
  idle: ServerResponse | undefined
  at: Invocation | undefined
  since: number
  limit: NodeJS.Timeout | undefined
}

export interface LambdaOptions {
  readonly dir: string
  readonly variables: Readonly<Record<string, string>>
  /** Environments of each function. */
  readonly environments: Readonly<Record<FunctionName, number>>
  readonly limits: Readonly<Record<FunctionName, number>>
  readonly reaper: Reaper
}

/** Decides, as an invocation begins, whether its process is to be killed, and when. */
export interface Reaper {
  /** A share of the time that such invocations usually take, or nothing. */
  sentence(name: FunctionName): number | undefined
  killed(name: FunctionName): void
}

export interface Lambda {
  invoke(name: FunctionName, event: unknown): Promise<Invoked>
  stop(): Promise<void>
}

/** A small Lambda: a Runtime API on loopback, and processes behind it that are replaced when they die. */
export const startLambda = async (options: LambdaOptions): Promise<Lambda> => {
  const { dir, variables, environments, limits, reaper } = options
  const usual: Record<FunctionName, number> = { receive: 200, worker: 200, recover: 200, bury: 200 }
  const all = new Map<string, Environment>()
  const waiting = Object.fromEntries(FUNCTIONS.map(name => [name, [] as Invocation[]])) as Record<
    FunctionName,
    Invocation[]
  >
  let count = 0
  let stopped = false

  const server = createServer((request, response) => void route(request, response))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo

  const start = (name: FunctionName): void => {
    const id = `${name}-${count++}`
    const env = { ...variables, PATH: process.env.PATH, AWS_LAMBDA_RUNTIME_API: `127.0.0.1:${port}/${id}` }
    const child = spawn(process.execPath, [bundleOf(dir, name)], { env, stdio: ['ignore', 'ignore', 'inherit'] })
    const environment: Environment = { id, name, child, idle: undefined, at: undefined, since: 0, limit: undefined }
    all.set(id, environment)
    child.once('exit', () => {
      clearTimeout(environment.limit)
      all.delete(id)
      environment.at?.resolve({ kind: 'died' })
      if (!stopped) start(name)
    })
  }

  const condemn = (environment: Environment, invocation: Invocation): void => {
    const share = reaper.sentence(environment.name)
    if (share === undefined) return
    setTimeout(() => {
      if (environment.at !== invocation || !environment.child.kill('SIGKILL')) return
      reaper.killed(environment.name)
    }, share * usual[environment.name])
  }

  const handOver = (): void => {
    for (const environment of all.values()) {
      const { idle, name } = environment
      const next = idle && waiting[name].shift()
      if (!next) continue
      environment.idle = undefined
      environment.at = next
      environment.since = Date.now()
      condemn(environment, next)
      environment.limit = setTimeout(() => environment.child.kill('SIGKILL'), limits[name])
      const headers = { 'lambda-runtime-aws-request-id': next.id, 'kill-remaining-ms': String(limits[name]) }
      idle.writeHead(200, headers).end(JSON.stringify(next.event))
    }
  }

  const route = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const [, id = '', , , , what = '', how] = (request.url ?? '').split('/')
    const environment = all.get(id)
    if (!environment) return void response.writeHead(410).end()
    if (what === 'next') {
      environment.idle = response
      return handOver()
    }
    const said: unknown = JSON.parse(await text(request).catch(() => 'null'))
    const { at } = environment
    clearTimeout(environment.limit)
    environment.at = undefined
    usual[environment.name] = 0.8 * usual[environment.name] + 0.2 * (Date.now() - environment.since)
    response.writeHead(202).end()
    at?.resolve(
      how === 'response' ? { kind: 'returned', value: said } : { kind: 'threw', message: JSON.stringify(said) },
    )
  }

  for (const name of FUNCTIONS) for (let index = 0; index < environments[name]; index++) start(name)

  return {
    invoke: (name, event) => {
      const { promise, resolve } = Promise.withResolvers<Invoked>()
      waiting[name].push({ id: `invocation-${count++}`, event, resolve })
      handOver()
      return promise
    },
    stop: async () => {
      stopped = true
      const ended = [...all.values()].map(({ child }) => new Promise(resolve => child.once('exit', resolve)))
      for (const { child } of all.values()) child.kill('SIGKILL')
      await Promise.all(ended)
      server.closeAllConnections()
      server.close()
    },
  }
}
