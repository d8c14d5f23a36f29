import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { consume } from '../../functions/consume/consume.ts'
import type { Handler } from '../../functions/consume/handle.ts'
import { Unprocessable, type WebhookEvent } from '../../functions/domain/event.ts'

/** What a case asks the worker to do, in the event itself: the only way in that every target has. */
export type Todo =
  | { readonly kind: 'refuse' | 'throw' }
  | { readonly kind: 'pause'; readonly millis: number }
  /** Fails unless the body's `pad` arrived as it was sent. */
  | { readonly kind: 'check'; readonly sha256: string }
  /** Fails when a newer version was seen. */
  | { readonly kind: 'newest'; readonly key: string; readonly version: number }
  /** Adds to a counter, in one transaction with `done`. */
  | { readonly kind: 'count'; readonly table: string; readonly counter: string }

interface Asked {
  readonly pad?: string
  readonly todo?: Todo
}

type Tools = Parameters<Handler>[1]

export const workBy =
  (step: number): Handler =>
  async (event, tools) => {
    await event.bytes()
    if (event.provider === 'stripe') await does(event, tools, step)
  }

export const work = workBy(1)

const does = async (event: WebhookEvent, { commit, newest }: Tools, step: number): Promise<void> => {
  const { todo, pad = '' } = await event.json<Asked>()
  switch (todo?.kind) {
    case undefined:
      return
    case 'refuse':
      throw new Unprocessable('asked to refuse')
    case 'throw':
      throw new Error('asked to throw')
    case 'pause':
      await sleep(todo.millis)
      return
    case 'check':
      if (createHash('sha256').update(pad).digest('hex') !== todo.sha256) throw new Unprocessable('another body')
      return
    case 'newest':
      if ((await newest(todo.key, todo.version)) === 'stale') throw new Unprocessable('stale')
      return
    case 'count':
      await commit([more(todo.table, todo.counter, step)])
  }
}

const more = (TableName: string, fingerprint: string, step: number) => ({
  Update: {
    TableName,
    Key: { fingerprint },
    UpdateExpression: 'ADD effects :step',
    ExpressionAttributeValues: { ':step': step },
  },
})

export const handler = consume(work)
