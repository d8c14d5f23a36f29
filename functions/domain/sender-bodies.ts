/*
 * The types of senders whose own package has them. Each is an optional peer: if it is not installed, its import is `any`, which
 * counts as not known. Nothing of it is ever bundled.
 */

// biome-ignore lint/suspicious/noTsIgnore: an error is expected only if the package is not there
/** @ts-ignore Not everybody has it. */
type StripeEvent = Known<import('stripe').Stripe.Event>
// biome-ignore lint/suspicious/noTsIgnore: as above
/** @ts-ignore Not everybody has it. */
type GitHubBodies = Known<import('@octokit/webhooks-types').WebhookEventMap>
// biome-ignore lint/suspicious/noTsIgnore: as above
/** @ts-ignore Not everybody has it. */
type SlackEvent = Known<import('@slack/types').SlackEvent>

/** By provider: the body of each type of event. `never` if nobody knows. */
export interface SenderBodies {
  readonly stripe: { readonly [Event in StripeEvent as TypeOf<Event>]: Event }
  readonly github: GitHubBodies
  readonly slack: { readonly [Event in SlackEvent as TypeOf<Event>]: SlackBody<Event> }
}

/** What the Events API puts around an event. */
interface SlackBody<Event> {
  readonly type: 'event_callback'
  readonly event: Event
  readonly event_id: string
  readonly event_time: number
  readonly team_id: string
  readonly api_app_id: string
}

type TypeOf<Event> = Event extends { readonly type: infer Type extends string } ? Type : never

/** In tuples: the compiler gives up on a condition about an import that it cannot resolve. */
type Known<Type> = [0] extends [1 & Type] ? never : Type
