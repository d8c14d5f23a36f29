import { consume } from '../consume/consume.ts'
import type { Handler } from '../consume/handle.ts'

/**
 * Your code goes here: it is called with each event at least once, and with an event that is done never again.
 * Throw, and the queue tries it again; return `ignore('why')` if you have no use for it. See docs/consume.md.
 */
export const work: Handler = async event => {
  const body = await event.text()
  process.stdout.write(`${JSON.stringify({ handled: event.eventId, type: event.type, characters: body.length })}\n`)
}

/** The same as a Lambda, on the world the stack made; `npm start` calls `work` on its own. */
export const handler = consume(work)
