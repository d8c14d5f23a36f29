import type { Item } from '../../functions/adapters/wire/dynamo-calls.ts'
import type { Duration } from '../../functions/domain/duration.ts'
import type { ReplayAnswer } from '../../functions/operate/replay.ts'
import type { CrashPoint } from './crashes.ts'
import type { LetterOptions, Said, TestAnswer } from './deliver.ts'
import type { AwsService } from './outages.ts'
import type { HandlerCall } from './run-worker.ts'
import type { TestEvent } from './test-event.ts'

export interface SendOptions extends LetterOptions {
  /** So many deliveries of the event at once. @default 1 */
  readonly times?: number
}

export interface TestReceiver<Source extends string = string> {
  /**
   * Signs the event as its sender would, delivers it, and waits until it is over or has to wait for its next try. What you say
   * is laid over a sample of that sender; text and bytes are sent as they are.
   */
  send(source: Source, event?: Said, options?: SendOptions): Promise<TestEvent>
  /** The sender sends the same event again, signed anew. */
  resend(event: TestEvent): Promise<TestAnswer>
  /** SQS delivers the message of the event once more, as it may. */
  redeliver(event: TestEvent): Promise<void>
  /** An operator replays the event. */
  replay(event: TestEvent, reason?: string): Promise<ReplayAnswer>
  /** Moves the clock, and lets everything happen that is due on the way: retries, recovery, expiry. */
  advance(span: Duration): Promise<void>
  /** ISO 8601. */
  now(): string
  /** Kills the function the next time it comes to this point, or the next few times. */
  crash(point: CrashPoint, times?: number): void
  /** The crashes that have happened. */
  readonly crashes: readonly CrashPoint[]
  /** Every call to the service fails, until the function that it returns is called. */
  outage(service: AwsService): () => void
  /** Keeps messages back from the handler, so you can choose their order. */
  hold(): void
  /** Hands the messages out that were kept back: oldest first, newest first, or in the order of these events. */
  release(order?: 'oldest-first' | 'newest-first' | readonly TestEvent[]): Promise<void>
  /** The items of one of your tables. */
  items(table: string): readonly Item[]
  /** Every call of the handler, in order. */
  readonly calls: readonly HandlerCall[]
  /** The log lines of the functions. */
  readonly lines: readonly string[]
}
