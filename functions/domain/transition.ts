/** One comparison of the item that is found: an attribute with a value that the writer brings, by its name, or with nothing. */
export type Part =
  | readonly [attribute: string, is: 'absent']
  | readonly [attribute: string, is: '=' | '<>' | '<' | '<=' | '>', value: string]

/** A small tree of named parts. */
export type Condition = Part | { readonly all: readonly Condition[] } | { readonly any: readonly Condition[] }

/** Whether one may start there: always, never, or under a condition. */
export type When = boolean | Condition

/** A kind of item: the statuses it can have, and where it says which. */
export interface Kind<Status extends string = string> {
  /** `present` alone: an item that has no status. */
  readonly statuses: readonly Status[]
  readonly statusAt: string
  /** Past its `expiresAt` it counts as absent, deleted or not. */
  readonly expires: boolean
}

/** From where an item may move, under which condition, and what that makes of it. */
export interface Transition<Status extends string = string> {
  readonly of: Kind
  /** `absent`: there is no item, or one that has expired. Every status has to be named: a new one stops the compiler here. */
  readonly from: Readonly<Record<Status | 'absent', When>>
  /** What must hold besides, from whichever status. */
  readonly when?: Condition
  /** Left out if the status stays. */
  readonly to?: Status
  /**
   * The attributes that it writes, each with the value of its name: null removes it, undefined leaves it as it is.
   * `'item'`: all of them.
   */
  readonly sets: 'item' | readonly string[]
  /** Attributes that it writes only if there is none. */
  readonly setsOnce?: readonly string[]
  readonly removes?: readonly string[]
  /** Counters, to each of which the value of its name is added. */
  readonly adds?: readonly string[]
}

/** The names of the values that a transition needs: forgetting one does not compile. */
export type ValuesOf<Of extends Transition> =
  | ValueIn<Of['when']>
  | ValueIn<Of['from'][keyof Of['from']]>
  | (Of['sets'] extends readonly (infer Name extends string)[] ? Name : never)
  | (Of extends { readonly setsOnce: readonly (infer Name extends string)[] } ? Name : never)
  | (Of extends { readonly adds: readonly (infer Name extends string)[] } ? Name : never)
  | (Of extends { readonly of: { readonly expires: true }; readonly from: { readonly absent: true } }
      ? 'nowSeconds'
      : never)

/** Three levels are as deep as any of ours, and as far as the compiler looks. */
type ValueIn<In> = NameIn<In> | NameIn<Inside<In>> | NameIn<Inside<Inside<In>>> | NameIn<Inside<Inside<Inside<In>>>>

type NameIn<In> = In extends readonly [string, string, infer Name extends string] ? Name : never

type Inside<In> = In extends { readonly all: readonly (infer Inner)[] }
  ? Inner
  : In extends { readonly any: readonly (infer Inner)[] }
    ? Inner
    : never
