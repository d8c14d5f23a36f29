import type { EventPayloadMap } from '@octokit/webhooks-types'
import type Stripe from 'stripe'
import { expectTypeOf, it } from 'vitest'
import { consume } from '../../../functions/consume/consume.ts'
import type { Handler } from '../../../functions/consume/handle.ts'
import type { EventOf } from '../../../functions/domain/typed-event.ts'
import { testReceiver } from '../../../lib/testing.ts'

// Types are what is tested: the compiler is the test, and what runs only shows that the handlers are handlers.

it('the body of a Stripe event has the type that Stripe gives it, by the type of the event', async () => {
  const work: Handler<'stripe'> = async event => {
    expectTypeOf(event.source).toEqualTypeOf<'stripe'>()
    if (event.type !== 'invoice.paid') return
    const body = await event.json()
    expectTypeOf(body).toEqualTypeOf<Stripe.InvoicePaidEvent>()
    expectTypeOf(body.data.object.amount_paid).toEqualTypeOf<number>()
    // @ts-expect-error: an invoice has no such thing
    body.data.object.nothing
  }
  const receiver = await testReceiver({ sources: { stripe: { provider: 'stripe' } }, work })
  await receiver.send('stripe')
})

it('a type that a sender does not send is not one to compare with', () => {
  const work: Handler<'stripe'> = event => {
    // @ts-expect-error: misspelt
    if (event.type === 'invoice.payed') return
  }
  consume(work)
})

it('the body of a GitHub event has the type that octokit gives it, by the type of the event', () => {
  const work: Handler<'github'> = async event => {
    if (event.type === 'issues') expectTypeOf(await event.json()).toEqualTypeOf<EventPayloadMap['issues']>()
  }
  consume(work)
})

it('a handler of any source sees an event whose body is not known, and may say what it expects', () => {
  const work: Handler = async event => {
    expectTypeOf(event.source).toEqualTypeOf<string>()
    expectTypeOf(event.type).toEqualTypeOf<string | null>()
    expectTypeOf(await event.json()).toEqualTypeOf<unknown>()
    expectTypeOf(await event.json<{ id: string }>()).toEqualTypeOf<{ id: string }>()
  }
  consume(work)
})

it('a source whose sender has no types, or has them in a package that is not installed, has its name and any type', () => {
  expectTypeOf<EventOf<'acme'>['source']>().toEqualTypeOf<'acme'>()
  expectTypeOf<EventOf<'acme'>['type']>().toEqualTypeOf<string | null>()
  expectTypeOf<EventOf<'slack'>['type']>().toEqualTypeOf<string | null>()
})
