import { type Metric, UNKNOWN_SOURCE } from '../contract/metrics.ts'
import { readMessage } from '../domain/read-message.ts'
import { emfLine } from '../log/emf-line.ts'
import type { Work } from './outcome.ts'

export interface WorkAccount {
  readonly text: string
  readonly receiveCount: number
  readonly environment: string
  /** Whose queue it was, unless it was the worker's. */
  readonly destination?: string | undefined
  readonly messageId: string
  /** When it was put on the queue; NaN if the queue does not say. */
  readonly sentAt: number
  readonly ended: Work
  readonly startedAt: number
  readonly finishedAt: number
}

/**
 * One line per message, which is also its metrics. Never a body. What is as it mostly is stands in no line: the first generation,
 * received once, and the message of an event that is done. lib/operator/read-line.ts knows.
 */
export const workLine = ({
  environment,
  destination,
  text,
  messageId,
  receiveCount,
  sentAt,
  ended,
  startedAt,
  finishedAt,
}: WorkAccount): string => {
  const read = isUnread(ended) ? undefined : readMessage(text)
  const message = read?.kind === 'read' ? read.message : undefined
  return emfLine({
    at: finishedAt,
    environment,
    source: message?.source ?? UNKNOWN_SOURCE,
    // A dead letter is buried by one function for all: its message says whose it was.
    destination: destination ?? onlyOne(message?.to),
    counts: [COUNTED_AS[ended.work]],
    values: {},
    fields: {
      ...ended,
      ...(message && {
        id: message.id,
        eventId: message.eventId,
        type: message.type,
        ...(message.generation > 0 && { generation: message.generation }),
        ...(message.copyOf && { copyOf: message.copyOf }),
        correlationId: message.correlationId,
      }),
      ...(ended.work !== 'done' && { messageId }),
      ...(receiveCount > 1 && { receiveCount }),
      // On the queue, in milliseconds.
      ...(Number.isFinite(sentAt) && { waited: startedAt - sentAt }),
      milliseconds: finishedAt - startedAt,
    },
  })
}

const onlyOne = (to: readonly string[] = []): string | undefined => (to.length === 1 ? to[0] : undefined)

/** A forger chooses the names in a message: they are not for metrics. */
const isUnread = (ended: Work): boolean => 'unread' in ended || ended.work === 'malformed' || ended.work === 'forged'

const COUNTED_AS = {
  done: 'Done',
  ignored: 'Ignored',
  skipped: 'Skipped',
  failed: 'Failed',
  'attempt-failed': 'AttemptFailed',
  busy: 'Busy',
  malformed: 'Malformed',
  forged: 'Forged',
  unavailable: 'Unconfirmed',
} as const satisfies Record<Work['work'], Metric>
