/** A `#name`, a name as it stands, or the place in a list. */
export type Step = string | number

export interface Path {
  readonly kind: 'path'
  readonly steps: readonly Step[]
}

export interface Placeholder {
  readonly kind: 'value'
  /** With its colon. */
  readonly name: string
}

export type Operand = Path | Placeholder | { readonly kind: 'size'; readonly of: Path }

export type Comparator = '=' | '<>' | '<' | '<=' | '>' | '>='

export type FunctionName = 'attribute_exists' | 'attribute_not_exists' | 'attribute_type' | 'begins_with' | 'contains'

export type Condition =
  | { readonly kind: 'compare'; readonly operator: Comparator; readonly left: Operand; readonly right: Operand }
  | { readonly kind: 'between'; readonly operand: Operand; readonly low: Operand; readonly high: Operand }
  | { readonly kind: 'in'; readonly operand: Operand; readonly among: readonly Operand[] }
  | { readonly kind: 'and' | 'or'; readonly left: Condition; readonly right: Condition }
  | { readonly kind: 'not'; readonly of: Condition }
  | { readonly kind: 'function'; readonly name: FunctionName; readonly given: readonly Operand[] }

export type Assigned =
  | Path
  | Placeholder
  | { readonly kind: 'sum'; readonly sign: 1 | -1; readonly left: Assigned; readonly right: Assigned }
  | { readonly kind: 'if_not_exists'; readonly path: Path; readonly otherwise: Assigned }
  | { readonly kind: 'list_append'; readonly left: Assigned; readonly right: Assigned }

export type Action =
  | { readonly kind: 'SET'; readonly path: Path; readonly to: Assigned }
  | { readonly kind: 'REMOVE'; readonly path: Path }
  | { readonly kind: 'ADD' | 'DELETE'; readonly path: Path; readonly by: Placeholder }

/** What the placeholders of one call stand for. */
export interface Placeholders {
  readonly names: Readonly<Record<string, string>>
  readonly values: Readonly<Record<string, unknown>>
}

export interface Parsed<Tree> {
  readonly tree: Tree
  readonly names: ReadonlySet<string>
  readonly values: ReadonlySet<string>
  /** Throws if the values of a call cannot be used as the expression uses them. */
  check(placeholders: Placeholders): void
}
