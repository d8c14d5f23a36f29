import type { Clock } from '../domain/ports.ts'

/** What a deployment calls its tables, queues, bucket and secrets: as its stack said, or as a laptop calls them. */
export interface Names {
  readonly eventsTable: string
  readonly bodiesTable: string
  readonly bodiesBucket: string
  readonly queueUrl: string
  /** Of the worker's queue. */
  readonly deadLettersUrl: string
  /** If a source names an ordering key. */
  readonly orderedQueueUrl?: string | undefined
  /** The queue of each destination by its name, if there are any besides `worker`. */
  readonly destinations?: Readonly<Record<string, string>> | undefined
  /** Not for those who check no signature. */
  readonly signingSecrets?: string | undefined
  readonly fingerprintKey: string
}

type Makers<Aws, Given> = Readonly<Record<string, (aws: Aws, names: Given, now: Clock) => unknown>>

/**
 * The only place where stores are made: those that are named, with whichever client makes the calls. Who names one has it in
 * its bundle, and no other; `EVERY_STORE` has them all, for a laptop, the CLI and tests.
 */
export const storesOver = <Aws, Given extends Partial<Names>, Named extends Makers<Aws, Given>>(
  aws: Aws,
  names: Given,
  makers: Named,
  now: Clock,
): { readonly [Name in keyof Named]: ReturnType<Named[Name]> } => {
  const made: Record<string, unknown> = {}
  for (const name in makers) made[name] = makers[name]?.(aws, names, now)
  return made as { readonly [Name in keyof Named]: ReturnType<Named[Name]> }
}
