import { randomBytes, randomUUID } from 'node:crypto'
import type { Context } from 'aws-lambda'
import { PUBLISH_ROUTE, publishPath, WEBHOOK_ROUTE, webhookPath } from '../../functions/contract/routes.ts'
import type { Source } from '../../functions/domain/source.ts'
import type { Receiving } from '../../functions/domain/world.ts'
import { publishHandler } from '../../functions/publish/lambda.ts'
import { lambdaHandler } from '../../functions/receive/lambda.ts'
import { type FrontRequest, httpApiEvent } from '../local/gateway-events.ts'
import { sample } from '../sender/sample.ts'
import { sign } from '../sender/sign.ts'
import type { Life } from './crashes.ts'
import type { Place } from './place.ts'

const ORIGIN = 'https://hooks.test'

/** What a test says of an event: text and bytes are sent as they are. */
export type Said = Readonly<Record<string, unknown>> | string | Uint8Array

/** What a sender was answered. */
export interface TestAnswer {
  readonly status: number
  readonly body: unknown
}

/** What a sender sends, before it is signed. */
export interface Letter {
  readonly source: Source
  /** The sender's own id of the event; of an internal source, its Idempotency-Key. */
  readonly id: string
  readonly type: string
  readonly body: Uint8Array
  readonly headers: Readonly<Record<string, string>>
  /** Who publishes it. */
  readonly caller: string
}

export interface LetterOptions {
  readonly id?: string | undefined
  readonly type?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly caller?: string | undefined
}

/** As its sender would write it; what the test says is laid over that. */
export const write = (
  source: Source,
  said: Said,
  { id, type, headers = {}, caller = 'test' }: LetterOptions,
  place: Place,
): Letter => {
  const unique = randomBytes(8).toString('hex')
  const isRaw = typeof said === 'string' || said instanceof Uint8Array
  if (source.publish) {
    const body = Buffer.from(isRaw ? said : JSON.stringify(said))
    return { source, id: id ?? unique, type: type ?? '', body, caller, headers: { ...JSON_TYPE, ...headers } }
  }
  const made = sample(source, {
    unique,
    now: place.world.now(),
    ...(id !== undefined && { id }),
    ...(type !== undefined && { type }),
    ...(isRaw ? { body: Buffer.from(said as string) } : { fields: said }),
  })
  return { source, caller, ...made, headers: { ...made.headers, ...headers } }
}

const JSON_TYPE = { 'content-type': 'application/json' } as const

/** One try of the sender, signed at this instant, through the function that runs in AWS. */
export const deliver = async (place: Place, letter: Letter): Promise<TestAnswer> => {
  const life = place.crashes.newLife()
  const world = mortalReceiver(place.world, life)
  const log = (line: string): void => void place.lines.push(line)
  const lambda = letter.source.publish ? publishHandler(world, log) : lambdaHandler(world, log)
  const answered = lambda(httpApiEvent(requestOf(place, letter)), {} as Context)
  const answer = await Promise.race([answered, life.death])
  // What API Gateway answers for a function that died.
  if (answer === 'died') return { status: 500, body: { message: 'Internal Server Error' } }
  return { status: answer.statusCode, body: answer.body.startsWith('{') ? JSON.parse(answer.body) : answer.body }
}

const requestOf = ({ world, secretOf }: Place, letter: Letter): FrontRequest => {
  const { source, id, type, body, headers, caller } = letter
  const { name, publish } = source
  const url = ORIGIN + (publish ? publishPath(name) : webhookPath(name))
  const signed = publish
    ? { url, body, headers: { ...headers, 'idempotency-key': id } }
    : sign(source, secretOf(name), { url, id, type, body, headers, now: world.now() })
  const { host, pathname, search } = new URL(signed.url)
  return {
    method: 'POST',
    path: pathname,
    query: search.slice(1),
    headers: [['host', host], ...Object.entries(signed.headers)],
    body: Buffer.from(signed.body),
    source: name,
    route: publish ? PUBLISH_ROUTE : WEBHOOK_ROUTE,
    ...(publish && { caller }),
    requestId: randomUUID(),
    sourceIp: '203.0.113.7',
    at: new Date(world.now()),
  }
}

const mortalReceiver = (world: Place['world'], life: Life): Receiving => {
  const { claims, queue } = world
  return {
    ...life.mortalWorld(world),
    claims: life.mortal({
      ...claims,
      async claim(...given: Parameters<typeof claims.claim>) {
        const answer = await claims.claim(...given)
        if (answer.kind === 'won') await life.passes('after-claim')
        return answer
      },
    }),
    queue: life.mortal({
      ...queue,
      async send(...given: Parameters<typeof queue.send>) {
        const answer = await queue.send(...given)
        if (answer.kind === 'sent') await life.passes('after-send')
        return answer
      },
    }),
  }
}
