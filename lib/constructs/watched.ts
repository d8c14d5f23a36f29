import type { IFunction } from 'aws-cdk-lib/aws-lambda'
import type { Front } from './front.ts'
import type { EventQueue } from './queue.ts'

/** What alarms and dashboard look at. */
export interface Watched {
  readonly environment: string
  readonly front: Front
  readonly receive: IFunction
  /** Where a source is internal. */
  readonly publish: IFunction | undefined
  readonly worker: IFunction
  readonly bury: IFunction
  readonly recover: IFunction
  readonly queue: EventQueue
  readonly ordered: EventQueue | undefined
  /** By name, without the worker. */
  readonly destinations: Readonly<Record<string, WatchedDestination>>
}

export interface WatchedDestination {
  readonly function: IFunction
  readonly queue: EventQueue
}
