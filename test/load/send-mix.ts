import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from './client.ts'
import { isTaken, type Ledger, type Outcome } from './ledger.ts'
import { type Job, jobsOf, type Mix, randomFrom } from './mix.ts'
import type { Senders } from './senders.ts'

/** The first delivery of an event may meet its own copies; a later one finds it queued, working or done. */
const FIRST: readonly Outcome[] = ['accepted', 'duplicate', 'in-flight', 'unavailable', 'unknown']
const LATER: readonly Outcome[] = ['duplicate', 'unavailable', 'unknown']

const TRIES = 5
const PAUSE_MS = 200

/** Sends a mix over as many connections as it says, and notes every answer. */
export const sendMix = async (mix: Mix, senders: Senders, { post }: Client, ledger: Ledger): Promise<void> => {
  const jobs = jobsOf(mix)
  const random = randomFrom(mix.seed + 1)
  const answered: number[] = []
  let next = 0

  const deliver = async (event: number, allowed: readonly Outcome[]): Promise<Outcome> =>
    ledger.note(await post(senders.event(event)), { kind: 'event', event, allowed })

  /** As a sender does: what was not taken is sent again. */
  const sendEvent = async (event: number, copies: number): Promise<void> => {
    let outcomes = await Promise.all(Array.from({ length: copies }, () => deliver(event, FIRST)))
    for (let tried = 1; tried < TRIES && !outcomes.some(isTaken); tried++) {
      await sleep(PAUSE_MS * tried)
      outcomes = [await deliver(event, FIRST)]
    }
    answered.push(event)
  }

  const sendDuplicate = async (): Promise<void> => {
    while (answered.length === 0) await sleep(1)
    await deliver(answered[Math.floor(random() * answered.length)] ?? 0, LATER)
  }

  const work = async (job: Job): Promise<void> => {
    switch (job.kind) {
      case 'event':
        return sendEvent(job.event, job.copies)
      case 'duplicate':
        return sendDuplicate()
      case 'forged':
        ledger.note(await post(senders.forged(job.number)), { kind: 'refusal', status: 401 })
        return
      case 'malformed': {
        const { delivery, status } = senders.malformed(job.number)
        ledger.note(await post(delivery), { kind: 'refusal', status })
      }
    }
  }

  const connection = async (): Promise<void> => {
    for (let job = jobs[next++]; job !== undefined; job = jobs[next++]) await work(job)
  }
  await Promise.all(Array.from({ length: mix.connections }, connection))
}
