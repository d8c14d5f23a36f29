import type { WebhookEvent } from './event.ts'
import type { Register } from './register.ts'
import type { SenderBodies } from './sender-bodies.ts'

/** The names of the sources that were registered; any name if none were. */
export type SourceName = keyof Registered & string

/** The events of a source: told apart by `type`, if what it sends is known. Of several sources: also by `source`. */
export type EventOf<Name extends string> = string extends Name
  ? WebhookEvent
  : Name extends string
    ? EventWith<Name, BodiesOf<Name>>
    : never

/** An event of which more is known than that it is one. */
export interface TypedEvent<Source extends string, Type extends string | null, Body>
  extends Omit<WebhookEvent, 'source' | 'type' | 'json'> {
  readonly source: Source
  readonly type: Type
  readonly json: ReadJson<Body>
}

interface ReadJson<Body> {
  (): Promise<Body>
  <As>(): Promise<As>
}

type EventWith<Source extends string, Bodies> = [Bodies] extends [never]
  ? TypedEvent<Source, string | null, unknown>
  : Bodies extends AnyType<infer Body>
    ? TypedEvent<Source, string | null, Body>
    : { [Type in keyof Bodies & string]: TypedEvent<Source, Type, Bodies[Type]> }[keyof Bodies & string]

/** A source's own schema comes before what its sender's package says. */
type BodiesOf<Name extends string> =
  ConfigOf<Name> extends { readonly schema: Schema<infer Output> }
    ? AnyType<Output>
    : ProviderOf<Name> extends infer Provider extends keyof SenderBodies
      ? Filled<SenderBodies[Provider]>
      : never

/** Whatever the type, the body is this. */
interface AnyType<Body> {
  readonly '*': Body
}

type Filled<Bodies> = [keyof Bodies] extends [never] ? never : Bodies

type Registered = Register extends { readonly sources: infer Sources } ? Sources : Readonly<Record<string, unknown>>

type ConfigOf<Name extends string> = Name extends keyof Registered ? Registered[Name] : unknown

/** Of a source that was not registered, its name. */
type ProviderOf<Name extends string> =
  ConfigOf<Name> extends { readonly provider: infer Provider extends string } ? Provider : Name

/** What Standard Schema says of its types. */
interface Schema<Output> {
  readonly '~standard': { readonly types?: { readonly output: Output } | undefined }
}
