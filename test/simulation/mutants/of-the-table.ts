import type { Condition, Part, Transition, When } from '../../../functions/domain/transition.ts'
import { PROTOCOL as TABLE } from '../../../functions/domain/whole-protocol.ts'
import type { Focus } from '../focus.ts'
import { type Mutant, type Patch, PROTOCOL } from './mutant.ts'

/** Nobody erases in a schedule: the move itself, and what others ask about it, are left to the tests of `erase`. */
const ERASED = ['erasedAt absent', 'beginAnew does not ask for firstSeenAt < firstSeenAt']

/** Every transition of an event with one status more, one status less, or without one of its comparisons. */
export const tableMutants = (): readonly Mutant[] =>
  Object.entries<Transition>(TABLE)
    .filter(([name, { of }]) => of.statuses.includes('queued') && name !== 'erase')
    .flatMap(([name, transition]) => [...ofStatuses(name, transition), ...ofParts(name, transition)])
    .filter(({ name }) => !ERASED.some(part => name.endsWith(part)))
    .map(found => ({ ...found, ...focusOf(found.name), patches: [...found.patches, ...(MASKS[found.name] ?? [])] }))

const DESTINED = { destined: true, ordered: false, unreadable: false, size: 'small' } as const

/** The world in which the move is made often, and meets what it should not. */
const FOCUS: Readonly<Record<string, Focus>> = {
  beginAnew: { world: DESTINED, operators: true, often: ['beginAnew'] },
  claimIgnored: { world: DESTINED, often: ['claimIgnored'] },
  commit: { mode: 'commit', world: { tries: 1 }, often: ['commit'] },
  fail: { mode: 'unprocessable', operators: true, often: ['fail'] },
  park: { world: { unreadable: true, destined: false }, often: ['park', 'sendMessage'] },
  recreate: { world: { deletesEarly: true }, operators: true, often: ['recreate'] },
  recreateFailed: { world: { deletesEarly: true, receives: 1 }, operators: true, often: ['recreateFailed'] },
  release: { often: ['release'] },
  reopen: { mode: 'flaky', world: { tries: 1 }, operators: true, often: ['reopen'] },
  replay: { operators: true, often: ['replay'] },
  report: { mode: 'poison', world: { tries: 1 }, often: ['report'] },
}

/** And where a single bug needs more than that. */
const OWN_FOCUS: Readonly<Record<string, Focus>> = {
  'fail starts from ignored too': { mode: 'ignore', world: { receives: 1 }, often: ['deleteMessages', 'ignore'] },
  'fail does not ask for firstSeenAt < lifeEnds': { world: { weeks: true } },
  'recreateFailed does not ask for firstSeenAt < lifeEnds': { world: { weeks: true }, operators: true },
  'park starts from absent too': {
    world: { unreadable: true, destined: false, deletesEarly: true },
    often: ['park', 'sendMessage'],
  },
  'reopen starts from ignored too': { mode: 'ignore', world: { receives: 1 }, operators: true, often: ['reopen'] },
  'reopen does not ask for expiresAt > nowSeconds': {
    mode: 'unprocessable',
    world: { ttlLag: Number.MAX_SAFE_INTEGER },
    expiresEarly: true,
    often: ['reopen'],
  },
  'replay starts from working too': { operators: true, often: ['replay', 'sendMessage'] },
  'replay does not ask for status = seenStatus': { operators: true, often: ['replay', 'sendMessage'] },
  'reopen starts from absent too': { mode: 'unprocessable', world: { deletesEarly: true }, often: ['reopen'] },
  'replay starts from absent too': { world: { deletesEarly: true }, operators: true, often: ['replay'] },
}

const focusOf = (name: string): { readonly focus: Focus } => {
  const [transition = ''] = name.split(' ')
  if (OWN_FOCUS[name]) return { focus: OWN_FOCUS[name] }
  const focus = FOCUS[transition] ?? { often: [transition] }
  if (!name.endsWith(EXPIRY)) return { focus }
  return { focus: { ...focus, world: { ...focus.world, ttlLag: Number.MAX_SAFE_INTEGER }, expiresEarly: true } }
}

const EXPIRY = 'does not ask for expiresAt > nowSeconds'

/** A verb's own look would hide these: it goes with them. */
const MASKS: Readonly<Record<string, readonly Patch[]>> = {
  'fail starts from ignored too': [
    {
      file: 'functions/bury/bury.ts',
      find: "if (ours === 'done' || ours === 'ignored') return",
      put: "if (ours === 'done') return",
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
