import type { Fingerprint } from '../../functions/domain/brands.ts'
import type { Source } from '../../functions/domain/source.ts'
import { replay } from '../../functions/operate/replay.ts'
import { deliver, write } from './deliver.ts'
import type { Mapping } from './hand-out.ts'
import type { Place } from './place.ts'
import type { HandlerCall } from './run-worker.ts'
import { type Sent, type TestEvent, testEvent } from './test-event.ts'
import type { TestReceiver } from './test-receiver-face.ts'

/** Everything that brings an event to the queue: its sender, SQS and an operator. */
export const sending = (
  place: Place,
  queues: Mapping,
  calls: readonly HandlerCall[],
): Pick<TestReceiver, 'send' | 'resend' | 'redeliver' | 'replay'> => {
  const { sources } = place.world
  const known = new WeakMap<TestEvent, Sent>()

  const sentOf = (event: TestEvent): Sent => {
    const sent = known.get(event)
    if (!sent) throw new TypeError('this is not an event that this receiver was sent')
    return sent
  }

  return {
    async send(name, said = {}, { times = 1, ...more } = {}) {
      const letter = write(sourceOf(sources, name), said, more, place)
      const answers = await Promise.all(Array.from({ length: times }, () => deliver(place, letter)))
      const sent = { letter, answers }
      const event = testEvent(place, sent, calls)
      known.set(event, sent)
      await queues.drain()
      return event
    },
    async resend(event) {
      const { letter, answers } = sentOf(event)
      const answer = await deliver(place, letter)
      answers.push(answer)
      await queues.drain()
      return answer
    },
    async redeliver({ id }) {
      const message = place.sent.findLast(({ MessageBody }) => JSON.parse(MessageBody).id === id)
      if (!message) throw new Error('the event has no message: it never reached the queue')
      const { MessageDeduplicationId: first } = message
      const again = first === undefined ? message : { ...message, MessageDeduplicationId: `${first}-${calls.length}` }
      place.engine.queue.sendMessage(again)
      await queues.drain()
    },
    async replay({ id }, reason = 'a test') {
      const answer = await replay(place.world, { id: (id ?? '') as Fingerprint, actor: 'test', reason, job: null })
      await queues.drain()
      return answer
    },
  }
}

const sourceOf = (sources: ReadonlyMap<string, Source>, name: string): Source => {
  const source = sources.get(name)
  if (source) return source
  throw new TypeError(`there is no source "${name}": expected one of ${[...sources.keys()].join(', ')}`)
}
