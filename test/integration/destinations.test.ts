import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { describe, expect, inject, it } from 'vitest'
import { z } from 'zod'
import { rigOf, type StripeEvent, stripeBody, unique } from './rig.ts'
import type { Posted } from './service.ts'

const SCHEMA = join(import.meta.dirname, '../../functions/deliver/envelope.schema.json')
const envelope = z.fromJSONSchema(JSON.parse(readFileSync(SCHEMA, 'utf8')))

const posted = (file: string): readonly Posted[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter(line => line.endsWith('}'))
    .map(line => JSON.parse(line))

/** Unless it is paused, a destination has an event in less. */
const A_WHILE_MS = 2_000

describe.concurrent.each(inject('deployments'))('where events go behind $api', deployment => {
  const rig = rigOf(deployment)
  const { destinations } = deployment

  if (!destinations) {
    it('a receiver without destinations names the one it has when it is asked to pause another', async () => {
      const { code, err } = await rig.hooklatch('pause', 'crm', '--reason', 'integration')
      expect(code).toBe(1)
      expect(err).toContain('There is no destination "crm": there is only worker.')
    })
    return
  }

  const { crmUrl, onBusUrl, service } = destinations
  const accepted = async (event: StripeEvent): Promise<string> => {
    const { status, body } = await rig.patiently(() => rig.stripe(event, { source: 'routed' }))
    expect([202, 200]).toContain(status)
    return body.id
  }
  const counted = () => {
    const counter = unique('counter-')
    return { counter, todo: { kind: 'count', table: deployment.eventsTable, counter } as const }
  }
  const show = async (id: string) => JSON.parse((await rig.hooklatch('show', id, '--json')).out)
  const shown = (id: string, status: string) =>
    rig.until(
      `${id} shown as ${status}`,
      () => show(id),
      each => each.status === status,
    )

  /** The cases share each queue: what one takes may be another's. */
  const readerOf = (url: string) => {
    const taken: string[] = []
    return async (eventId: string) => {
      const found = await rig.until(
        `${eventId} in ${url}`,
        async () => {
          taken.push(...(await rig.takeFrom(url)))
          return taken.find(text => text.includes(eventId))
        },
        text => text !== undefined,
      )
      return JSON.parse(found ?? '')
    }
  }
  const fromCrm = readerOf(crmUrl)

  it('an event is handled by the worker that its route names, and by no other', async () => {
    const { counter, todo } = counted()
    const id = await accepted({ type: 'invoice.paid', todo })
    await rig.settled(id, 'done')
    expect(await rig.record(counter)).toMatchObject({ effects: 100 })
    expect(await show(id)).toMatchObject({ status: 'done', destination: 'billing', copies: [] })
  })

  it('a queue of the user gets an envelope of the published schema with the bytes that were sent', async () => {
    const eventId = unique()
    const text = stripeBody({ id: eventId, type: 'customer.created' })
    const { body } = await rig.patiently(() => rig.stripeText(text, { source: 'routed' }))
    const got = await fromCrm(eventId)
    expect(envelope.parse(got)).toMatchObject({
      id: body.id,
      destination: 'crm',
      source: 'routed',
      eventId,
      type: 'customer.created',
      body: { encoding: 'utf8', data: text },
    })
    await rig.settled(body.id, 'done')
  })

  if (onBusUrl) {
    const fromBus = readerOf(onBusUrl)
    it('a rule on a bus of the user matches the event, and gets an envelope with its JSON', async () => {
      const eventId = unique()
      const id = await accepted({ id: eventId, type: 'charge.failed' })
      const got = await fromBus(eventId)
      expect(got).toMatchObject({ source: 'hooklatch.routed', 'detail-type': 'charge.failed' })
      expect(envelope.parse(got.detail)).toMatchObject({
        id,
        destination: 'all',
        body: { encoding: 'json', data: { id: eventId } },
      })
      await rig.settled(id, 'done')
    })
  } else {
    // What is printed there: test/flow/start-destinations.test.ts.
    it('an event for a bus is done if there is no EventBridge here', async () => {
      await rig.settled(await accepted({ type: 'charge.failed' }), 'done')
    })
  }

  if (service) {
    const { file, secret } = service
    const postedTo = (eventId: string) =>
      rig.until(
        `${eventId} at the service`,
        async () => posted(file).find(({ headers }) => headers['hooklatch-event-id'] === eventId),
        found => found !== undefined,
      )

    it('a service of the user gets the bytes that were sent, signed as Standard Webhooks say', async () => {
      const eventId = unique()
      const text = stripeBody({ id: eventId, type: 'refund.created' })
      const { body } = await rig.patiently(() => rig.stripeText(text, { source: 'routed' }))
      const got = (await postedTo(eventId)) as Posted
      expect(got.body).toBe(text)
      const signedWith = 'value' in secret ? secret.value : await rig.secret(secret.id)
      expect(new Webhook(signedWith).verify(got.body, got.headers)).toEqual(JSON.parse(text))
      await rig.settled(body.id, 'done')
    })
  }

  it('each of several destinations has a copy of the event, and it is shown as done when both are', async () => {
    const eventId = unique()
    const { counter, todo } = counted()
    const id = await accepted({ id: eventId, type: 'checkout.completed', todo })
    const { copies, destination } = await shown(id, 'done')
    expect(destination).toBeNull()
    expect(copies).toMatchObject([
      { destination: 'billing', status: 'done' },
      { destination: 'crm', status: 'done' },
    ])
    expect(await rig.record(counter)).toMatchObject({ effects: 100 })
    expect(envelope.parse(await fromCrm(eventId))).toMatchObject({ id, destination: 'crm', eventId })
  })

  it('one copy that fails costs the other nothing, and the event is shown as failed', async () => {
    const eventId = unique()
    const id = await accepted({ id: eventId, type: 'checkout.completed', todo: { kind: 'refuse' } })
    await fromCrm(eventId)
    const { copies } = await shown(id, 'failed')
    expect(copies).toMatchObject([{ destination: 'billing', status: 'failed' }, { destination: 'crm' }])
  })

  it('an event that no route wants is answered 200, written down, and sent nowhere', async () => {
    const id = unique()
    const { counter, todo } = counted()
    const unwanted = () => rig.stripe({ id, type: 'payout.paid', todo }, { source: 'routed' })
    const { status, body } = await rig.patiently(unwanted)
    expect({ status, body }).toMatchObject({ status: 200, body: { status: 'ignored' } })
    expect(await unwanted()).toMatchObject({ status: 200, body: { status: 'duplicate', id: body.id } })
    await rig.settled(await accepted({ type: 'invoice.paid' }), 'done')
    expect(await show(body.id)).toMatchObject({ status: 'ignored', destination: null, copies: [], attempts: 0 })
    expect(await rig.record(counter)).toBeUndefined()
  })

  /** What a mapping has already taken comes to its end, and to disable it takes a while. */
  const oneThatWaits = () =>
    rig.until(
      'an event that waits',
      async () => {
        const { counter, todo } = counted()
        const id = await accepted({ type: 'invoice.paid', todo })
        await rig.settled(await accepted({ type: 'customer.created' }), 'done')
        await sleep(A_WHILE_MS)
        return { counter, waiting: await rig.record(id), effects: await rig.record(counter) }
      },
      ({ waiting, effects }) => waiting?.status === 'queued' && effects === undefined,
    )

  it('a paused destination gets nothing and loses nothing while the others go on', async () => {
    const paused = await rig.hooklatch('pause', 'billing', '--reason', 'integration', '--for', '1h', '--json')
    expect(JSON.parse(paused.out)).toMatchObject({ kind: 'paused', destination: 'billing' })
    const waits = await oneThatWaits().catch((error: unknown) => ({ error }))
    // However it went: the other cases need it.
    expect((await rig.hooklatch('resume', 'billing')).out).toBe('billing gets its events again.\n')
    if ('error' in waits) throw waits.error
    const { counter, waiting } = waits
    expect(waiting?.attempts ?? 0).toBe(0)
    expect(await rig.settled(waiting?.fingerprint ?? '', 'done')).toMatchObject({ generation: 0 })
    expect(await rig.record(counter)).toMatchObject({ effects: 100 })
  })
})
