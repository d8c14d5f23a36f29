import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { STATUSES } from '../../functions/contract/status.ts'
import type { Transition, When } from '../../functions/domain/transition.ts'
import { PROTOCOL, type TransitionName } from '../../functions/domain/whole-protocol.ts'
import { withGenerated } from '../../lib/docs/generated.ts'
import { protocolPart } from '../../lib/docs/protocol-part.ts'
import { bundle } from '../bench/bundle.ts'

const ROOT = join(import.meta.dirname, '../..')
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8')
const product = globSync('{functions,lib}/**/*.{ts,tsx}', { cwd: ROOT })

const every = Object.entries(PROTOCOL) as unknown as readonly (readonly [TransitionName, Transition])[]

/** Every status of an event that a transition may start from, and which attributes it then looks at. */
const starts = every
  .filter(([, { of }]) => of.statuses === STATUSES)
  .flatMap(([name, { from, when, to, sets }]) =>
    STATUSES.filter(status => from[status] !== false).map(status => ({
      name,
      status,
      to: to as (typeof STATUSES)[number] | undefined,
      begins: sets !== 'item' && sets.includes('generation'),
      needs: [...partsOf(from[status]), ...partsOf(when)],
    })),
  )

/** `fence =`, `generation <`, ... */
function partsOf(condition: When | undefined): string[] {
  if (condition === undefined || typeof condition === 'boolean') return []
  if ('all' in condition) return condition.all.flatMap(partsOf)
  if ('any' in condition) return condition.any.flatMap(partsOf)
  return [condition.slice(0, 2).join(' ')]
}

describe('the protocol', () => {
  it.each(every)('the transition %s names every status of its kind', (_name, { of, from }) => {
    expect(Object.keys(from).sort()).toEqual(['absent', ...of.statuses].sort())
  })

  it('a status of an event never goes back within a generation', () => {
    const backwards = starts.filter(
      ({ status, to, begins, needs }) =>
        STATUSES.indexOf(to ?? status) < STATUSES.indexOf(status) && !begins && !needs.includes('generation <'),
    )
    expect(backwards).toEqual([])
  })

  it('every write to an event that is there shows its fence or its generation', () => {
    expect(starts.filter(({ needs }) => !needs.some(part => /^(fence|generation) /.test(part)))).toEqual([])
  })

  it('the picture and the tables of docs/architecture.md are those of the code', () => {
    const page = read('docs/architecture.md')
    expect(withGenerated(page, 'the protocol', protocolPart())).toBe(page)
  })
})

describe('the stores', () => {
  it('no file but expressions.ts spells an expression of DynamoDB', () => {
    const spelled =
      /attribute_(not_)?exists|if_not_exists|\b(?:Condition|Update|KeyCondition|Filter|Projection)Expression: ?['"`]|['"`]SET #?\w+ =/
    // The memory AWS reads expressions, which is why it knows their words.
    const offenders = product
      .filter(file => file !== 'functions/adapters/expressions.ts' && !file.startsWith('lib/memory-aws/'))
      .filter(file => spelled.test(read(file)))
    expect(offenders).toEqual([])
  })

  it('no store imports the SDK: only the client behind the wire does, and what has no store', () => {
    const importers = product.filter(
      file =>
        file.startsWith('functions/') &&
        /from '@aws-sdk\/(?!types)/.test(read(file).replaceAll(/import type .*\n/g, '')),
    )
    expect(importers.filter(file => !file.startsWith('functions/adapters/sdk/'))).toEqual([])
  })

  it('stores are made by storesOver, and by nothing else', () => {
    const makers =
      /\b(eventClaims|eventMoves|eventReads?|dynamodb(?:Answers|Jobs|KeptDeliveries|Recovery|Replays|Work)|workFailures|bodyKeeping|bodyFetching|keptBodies|sqsQueue|secretsManagerSecrets|deliveryKeeping)\(/
    const callers = product.filter(file => makers.test(withoutDefinitions(read(file))))
    // A store may be made of another, and the SDK has clients of its own.
    expect(callers.filter(file => !/^functions\/adapters\/(dynamodb|s3|sdk)/.test(file))).toEqual([])
  })

  it('only accept/claimed.ts makes a Claimed', () => {
    expect(product.filter(file => /\bas Claimed\b(?!\[)/.test(read(file)))).toEqual(['functions/accept/claimed.ts'])
  })
})

const withoutDefinitions = (text: string): string => text.replaceAll(/export const \w+ = \(/g, '')

describe('a bundle holds only what its function does', () => {
  const directory = mkdtempSync(join(tmpdir(), 'hooklatch-protocol-'))
  afterAll(() => rmSync(directory, { recursive: true }))

  const textOf = async (name: string, options: object = {}): Promise<string> => {
    const entry = `functions/${name}/handler.ts`
    return readFileSync((await bundle({ name, entry, directory, ...options })).file, 'utf8')
  }

  /** Calls of DynamoDB, and an attribute that only some transition speaks of. */
  const WORDS = {
    listing: 'BETWEEN :from',
    newest: 'broughtBy',
    replay: 'seenStatus',
    cursor: 'recovery#',
    bodies: 'if_not_exists',
    claim: 'seenFence',
    recreate: '"working"',
  } as const

  const has = (text: string): string[] =>
    Object.entries(WORDS)
      .filter(([, word]) => text.includes(word))
      .map(([name]) => name)

  it('receive claims, takes over and keeps bodies; it never lists, replays or finishes', async () => {
    const text = await textOf('receive', { awaitsAtStart: true })
    expect(has(text)).toEqual(['bodies', 'claim', 'recreate'])
    expect(text).not.toContain('BatchGetItem')
    expect(text).not.toContain('TransactGet')
  })

  it('bury fails events and keeps their bodies; it never claims, lists or replays', async () => {
    expect(has(await textOf('bury'))).toEqual(['bodies', 'recreate'])
  })

  it('recover lists, takes over and fails events; it never replays or notes a version', async () => {
    expect(has(await textOf('recover'))).toEqual(['listing', 'cursor', 'bodies', 'claim', 'recreate'])
  })

  it('no function holds the memory AWS', async () => {
    const bundles = await Promise.all([
      textOf('receive', { awaitsAtStart: true }),
      textOf('bury'),
      textOf('recover'),
      textOf('worker'),
    ])
    for (const text of bundles) expect(text).not.toContain('memory://sqs')
  })
})
