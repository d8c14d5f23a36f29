import type { Context } from 'aws-lambda'
import type { GatewayResponse } from '../../functions/adapters/api-gateway.ts'
import { lambdaHandler } from '../../functions/receive/lambda.ts'
import { type ReceiveRig, receiveRig } from '../support/receive-rig.ts'
import { type Attempt, toEvent } from './attempt.ts'
import { SECRETS, SOURCES } from './targets.ts'

/** What one delivery came to, and what the receiver had been asked and had kept by then. */
export interface Delivered {
  readonly attempt: Attempt
  readonly answer: GatewayResponse
  /** The lines that this delivery wrote. */
  readonly lines: readonly string[]
  /** Calls to stores and queue that this delivery made, by name. */
  readonly calls: Readonly<Record<string, number>>
  /** Messages that this delivery put on the queue. */
  readonly sent: number
  readonly at: FreshReceiver
}

/** A receiver that has seen nothing yet, so that what is found can be shrunk. */
export interface FreshReceiver {
  readonly rig: ReceiveRig
  deliver(attempt: Attempt): Promise<Delivered>
}

export interface Tally {
  inputs: number
  readonly statuses: Map<number, number>
}

export interface FuzzRig {
  readonly tally: Tally
  receiver(): FreshReceiver
}

export const fuzzRig = (): FuzzRig => {
  const tally: Tally = { inputs: 0, statuses: new Map() }
  let clean: FreshReceiver | undefined
  return {
    tally,
    receiver: () => {
      if (clean && isClean(clean)) return clean
      clean = newReceiver(tally)
      return clean
    },
  }
}

/** A receiver that kept nothing is as good as new; making one costs as much as a refused delivery. */
const isClean = ({ rig: { calls } }: FreshReceiver): boolean => Object.keys(calls).length === 0

const newReceiver = (tally: Tally): FreshReceiver => {
  const at = receiveRig({ sources: {}, secrets: SECRETS, world: { sources: SOURCES } })
  let lines: string[] = []
  const handler = lambdaHandler(at.world, line => void lines.push(line))
  const receiver: FreshReceiver = {
    rig: at,
    async deliver(attempt) {
      lines = []
      const before = { ...at.calls }
      const messages = at.memory.sent.length
      const answer = await handler(toEvent(attempt), {} as Context)
      tally.inputs++
      tally.statuses.set(answer.statusCode, (tally.statuses.get(answer.statusCode) ?? 0) + 1)
      const sent = at.memory.sent.length - messages
      return { attempt, answer, lines, calls: callsSince(before, at.calls), sent, at: receiver }
    },
  }
  return receiver
}

const callsSince = (before: Readonly<Record<string, number>>, after: Readonly<Record<string, number>>) =>
  Object.fromEntries(
    Object.entries(after).flatMap(([name, count]) =>
      count > (before[name] ?? 0) ? [[name, count - (before[name] ?? 0)]] : [],
    ),
  )
