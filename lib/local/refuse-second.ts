import { readInstance } from '../connect/instance.ts'
import { type Refusal, refuse } from '../connect/refusal.ts'

/** The first line of what a local instance answers to a browser. */
export const WELCOME = 'Hooklatch, on a laptop.'

/** Two local instances in one directory would share its secrets and its log, and the CLI could speak to only one of them. */
export const refuseSecond = async (directory: string, patienceMs = 2_000): Promise<Refusal | undefined> => {
  const instance = readInstance(directory)
  if (!instance || !(await isOurs(instance.url, patienceMs))) return undefined
  return refuse(
    `This directory is already in use: a local instance runs at ${instance.url} (process ${instance.pid}). Stop it first, with Ctrl-C there or kill ${instance.pid}. To run a second one beside it, start that in another directory with --port 0, which takes any free port.`,
  )
}

/** The process id may be another program's by now, which does not listen there. An instance that is too busy to answer still runs. */
const isOurs = (url: string, patienceMs: number): Promise<boolean> =>
  fetch(url, { signal: AbortSignal.timeout(patienceMs) })
    .then(response => response.text())
    .then(text => text.startsWith(WELCOME))
    .catch((error: Error) => error.name === 'TimeoutError')
