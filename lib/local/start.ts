import type { Source } from '../../functions/domain/source.ts'
import { loadBoth } from '../connect/load-sources.ts'
import { isRefusal, type Refusal, refuse } from '../connect/refusal.ts'
import { unconfirmed } from '../operator/unconfirmed.ts'
import { namesTwice } from '../source-text/names-twice.ts'
import { endSignal } from '../terminal/end-signal.ts'
import { guardOutput } from '../terminal/guard-output.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { banner } from './banner.ts'
import { checkSecrets } from './check-secrets.ts'
import type { Engines } from './engines/start-engines.ts'
import type { Closing } from './open-engines.ts'
import { type LocalOptions, openLocal } from './open-local.ts'
import { ownSecrets } from './own-secrets.ts'

export interface StartOptions extends Omit<LocalOptions, 'secretsFile' | 'destinations'> {
  /** @default fake ones of its own */
  readonly secretsFile: string | undefined
}

/** Runs the local instance until it is told to end, and answers its exit code. */
export const start = async (asked: StartOptions, terminal: Terminal): Promise<number | Refusal> => {
  const loaded = await loadBoth(asked.sourceFile, namesTwice)
  if (isRefusal(loaded)) return loaded
  const { sources, destinations } = loaded
  const secretsFile = asked.secretsFile ?? ownSecrets(asked.directory, asked.dataDir, sources)
  if (isRefusal(secretsFile)) return secretsFile
  const options: LocalOptions = { ...asked, secretsFile, destinations }
  const notes = checkSecrets(options.secretsFile, sources)
  if (isRefusal(notes)) return notes

  const signal = endSignal()
  const closing: Closing = [signal.ignore, strayRejections(terminal), guardOutput()]
  try {
    const local = await openLocal(options, sources, closing, terminal)
    if (isRefusal(local)) return local
    terminal.out(banner(local, options, sources, [...notes, ...doubts(sources), ...local.notes], terminal))
    const death = await Promise.race([signal.asked, local.engines.dynamodb.died])
    return death === undefined ? 0 : engineDied(local.engines, death, options)
  } finally {
    for (const close of closing.reverse()) await close()
  }
}

const doubts = (sources: ReadonlyMap<string, Source>): readonly string[] =>
  [...sources.values()].flatMap(source => {
    const says = unconfirmed(source)
    return says === null ? [] : [`${source.name}: ${says}`]
  })

/** A promise that the worker forgot would end the process, and with it everybody's events; in Lambda only its own sandbox. */
const strayRejections = ({ err }: Terminal): (() => void) => {
  const tell = (reason: unknown): void =>
    err(
      `A promise that nobody waits for was rejected: ${reason instanceof Error ? reason.stack : String(reason)}`.split(
        '\n',
      ),
    )
  process.on('unhandledRejection', tell)
  return () => process.off('unhandledRejection', tell)
}

const engineDied = ({ dynamodb }: Engines, how: string, { dataDir }: LocalOptions): Refusal => {
  const state = dataDir === undefined ? 'What it held is gone' : `What was acknowledged is in ${dataDir}`
  return refuse(
    `The DynamoDB engine ${dynamodb.kind} ended by itself (${how}). ${state}; start again with \`npm start\`.`,
  )
}
