import type { Condition, Part, Transition, When } from '../../../functions/domain/transition.ts'
import { PROTOCOL as TABLE } from '../../../functions/domain/whole-protocol.ts'
import { lawOf } from './laws.ts'
import { type Mutant, type Patch, PROTOCOL } from './mutant.ts'
import { focusOf } from './table-focus.ts'

/** Every transition of an event, but for `erase`, with one status more, one status less, or without one of its comparisons. */
export const tableMutants = (): readonly Mutant[] =>
  Object.entries<Transition>(TABLE)
    .filter(isOfEvents)
    .flatMap(mutantsOf)
    .map(found => ({
      ...found,
      ...lawOf(found.name),
      focus: focusOf(found.name),
      patches: [...found.patches, ...(MASKS[found.name] ?? [])],
    }))

export const isOfEvents = ([name, { of }]: readonly [string, Transition]): boolean =>
  of.statuses.includes('queued') && name !== 'erase'

export const mutantsOf = ([name, transition]: readonly [string, Transition]): readonly Mutant[] => [
  ...ofStatuses(name, transition),
  ...ofParts(name, transition),
]

/** A verb's own look would hide these: it goes with them. */
const MASKS: Readonly<Record<string, readonly Patch[]>> = {
  'fail starts from done too': [
    {
      file: 'functions/consume/fail-for-good.ts',
      find: "if (status === 'done' || status === 'ignored') return",
      put: "if (status === 'ignored') return",
    },
  ],
  'fail starts from ignored too': [
    {
      file: 'functions/consume/fail-for-good.ts',
      find: "if (status === 'done' || status === 'ignored') return",
      put: "if (status === 'done') return",
    },
  ],
  'recreateFailed does not ask for firstSeenAt < lifeEnds': [
    { file: 'functions/adapters/dynamodb-work.ts', find: 'record.firstSeenAt >= lifeEnds || ', put: '' },
  ],
}

const ofStatuses = (name: string, { from }: Transition): Mutant[] =>
  Object.entries<When>(from).map(([status, when]) =>
    when === false
      ? mutant(`${name} starts from ${status} too`, `${name}.from.${status} = true`)
      : mutant(
          `${name} does not start from ${status}`,
          `${name}.from.${status} = ${status === 'absent' ? false : NEVER}`,
        ),
  )

const ofParts = (name: string, { from, when }: Transition): Mutant[] => {
  const all = [...Object.values<When>(from), when ?? true]
  const parts = new Map(all.flatMap(partsOf).map(part => [textOf(part), part]))
  return [...parts.values()].map(part => {
    const statuses = Object.entries<When>(from).map(
      ([status, each]) => `"${status}": ${JSON.stringify(without(each, part))}`,
    )
    const besides = when === undefined ? '' : `; ${name}.when = ${JSON.stringify(orNothing(without(when, part)))}`
    return mutant(`${name} does not ask for ${textOf(part)}`, `${name}.from = { ${statuses.join(', ')} }${besides}`)
  })
}

/** No item is without its key. A transition that starts nowhere would have no condition at all. */
const NEVER = "['fingerprint', 'absent']"

/** At the end of the module. What transitions share is never changed, only replaced. */
const mutant = (name: string, append: string): Mutant => ({
  name,
  patches: [{ file: PROTOCOL, append: `\n;${append}\n` }],
})

const isPart = (condition: Condition): condition is Part => Array.isArray(condition)

const textOf = (part: Part): string => part.join(' ')

const partsOf = (when: When): Part[] => {
  if (typeof when === 'boolean') return []
  if (isPart(when)) return [when]
  return ('all' in when ? when.all : when.any).flatMap(partsOf)
}

/** In an `any` there is one way less, in an `all` one hurdle less. */
const without = (when: When, part: Part): When => {
  if (typeof when === 'boolean') return when
  if (isPart(when)) return textOf(when) === textOf(part) ? true : when
  if ('all' in when) {
    const left = when.all.map(each => without(each, part)).filter(each => each !== true) as Condition[]
    return left.length === 0 ? true : { all: left }
  }
  const left = when.any.filter(each => !(isPart(each) && textOf(each) === textOf(part)))
  const loosened = left.map(each => without(each, part))
  return loosened.includes(true) ? true : { any: loosened as Condition[] }
}

const orNothing = (when: When): When | null => (when === true ? null : when)
