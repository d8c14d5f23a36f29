import { ENVIRONMENT } from '../../functions/contract/environment.ts'
import { RECEIVER_PATHS } from '../../functions/contract/receiver-metadata.ts'
import type { Resources } from '../connect/instance.ts'
import { absent } from './absent.ts'
import { appScope, type NameOf } from './app-scope.ts'
import { evaluate, isMissing, type Scope } from './evaluate.ts'
import type { FoundReceiver } from './find-receiver.ts'
import { LOCAL_KINDS, type LocalKind, type Places } from './local-kinds.ts'
import type { AppResource, AppStack } from './read-assembly.ts'

/** Something of the app's own that is created on this machine. */
export interface Planned {
  readonly logicalId: string
  readonly name: string
  readonly service: LocalKind['service']
  /** As in the template, references resolved. */
  readonly properties: Readonly<Record<string, unknown>>
}

/** What a start creates for an app, and tells its worker. */
export interface AppPlan {
  readonly resources: readonly Planned[]
  readonly variables: Readonly<Record<string, string>>
  readonly notes: readonly string[]
}

/** Reads the templates of an app: pure, so where things are comes in by argument. */
export const planApp = (found: FoundReceiver, ours: Resources, places: Places): AppPlan => {
  const own = ownResources(found)
  const names = nameThem(own, found, ours)
  const nameOf: NameOf = (stack, logicalId) => names.get(stack)?.get(logicalId)
  const scopeOf = (stack: AppStack): Scope => appScope(stack, found.stacks, nameOf, places)
  const scope = scopeOf(found.stack)
  const planned = own.flatMap(({ stack, logicalId, resource, kind }) => {
    const name = nameOf(stack, logicalId)
    if (name === undefined || kind === undefined) return []
    return [{ logicalId, name, service: kind.service, properties: known(resource.Properties, scopeOf(stack)) }]
  })
  const { variables, missing } = everyVariable(found, scope)
  return {
    resources: planned,
    variables,
    notes: [...found.notes, ...absentOf(own), ...streamsOf(planned), ...missing],
  }
}

/** Whether the app has tables of its own, of which its worker may ask anything that DynamoDB can do. */
export const hasTables = (found: FoundReceiver): boolean =>
  ownResources(found).some(({ kind }) => kind?.service === 'table')

interface Own {
  readonly stack: AppStack
  readonly logicalId: string
  readonly resource: AppResource
  readonly kind: LocalKind | undefined
}

/** All that is in the app's templates and in no receiver. */
const ownResources = ({ stacks }: FoundReceiver): readonly Own[] =>
  stacks.flatMap(stack =>
    Object.entries(stack.template.Resources ?? {})
      .filter(([logicalId]) => !stack.receivers.some(({ path }) => stack.paths[logicalId]?.startsWith(`${path}/`)))
      .map(([logicalId, resource]) => ({ stack, logicalId, resource, kind: LOCAL_KINDS[resource.Type] })),
  )

type Names = ReadonlyMap<AppStack, ReadonlyMap<string, string>>

/** The name in the template if it is a plain one, else the logical id. The receiver's own things are already here. */
const nameThem = (own: readonly Own[], { stack, receiver, stacks }: FoundReceiver, ours: Resources): Names => {
  const names = new Map(stacks.map(each => [each, new Map<string, string>()]))
  const taken = new Set<string>()
  for (const { stack: home, logicalId, resource, kind } of own) {
    if (!kind) continue
    const said = resource.Properties?.[kind.named]
    const wanted = typeof said === 'string' ? said : kind.nameFor(logicalId, resource.Properties ?? {})
    const name = taken.has(`${kind.service} ${wanted}`) ? `${home.name}-${wanted}` : wanted
    taken.add(`${kind.service} ${name}`)
    names.get(home)?.set(logicalId, name)
  }
  for (const [role, path] of Object.entries(RECEIVER_PATHS)) {
    const logicalId = Object.keys(stack.paths).find(id => stack.paths[id] === `${receiver.path}/${path}`)
    const place = ours[role as keyof typeof RECEIVER_PATHS]
    if (logicalId !== undefined) names.get(stack)?.set(logicalId, place.slice(place.lastIndexOf('/') + 1))
  }
  return names
}

/** A property that refers to what is not here is left out: an encryption key, a notification. */
const known = (properties: AppResource['Properties'] = {}, scope: Scope): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(properties).flatMap(([name, value]) => {
      const evaluated = evaluate(value, scope)
      return isMissing(evaluated) || evaluated.value === undefined ? [] : [[name, evaluated.value]]
    }),
  )

/** All of it runs in one process: of a name that two functions use differently, the first one's value counts. */
const everyVariable = ({ worker, destinations }: FoundReceiver, scope: Scope) => {
  const { variables, missing } = variablesOf(worker, scope)
  for (const [destination, made] of Object.entries(destinations)) {
    const own = variablesOf(made, scope)
    missing.push(...own.missing)
    for (const [name, value] of Object.entries(own.variables)) {
      // What ours say differs for each of them, and is told to each in another way.
      if (OURS.has(name)) continue
      if ((variables[name] ?? value) !== value) {
        missing.push(
          `${name} is ${variables[name]} for ${destination} too, not ${value}: one process runs all workers here`,
        )
      }
      variables[name] ??= value
    }
  }
  return { variables, missing: [...new Set(missing)] }
}

const variablesOf = (made: AppResource | undefined, scope: Scope) => {
  const variables: Record<string, string> = {}
  const missing: string[] = []
  const { Variables = {} } = Object(made?.Properties?.Environment) as { Variables?: object }
  for (const [name, value] of Object.entries(Variables)) {
    // Part of every event's identity, and of this machine's own.
    if (name === ENVIRONMENT.environment) continue
    const evaluated = evaluate(value, scope)
    if (isMissing(evaluated) && OURS.has(name)) continue
    if (isMissing(evaluated)) missing.push(`${name} is not set, since it comes from ${evaluated.missing}`)
    else variables[name] = String(evaluated.value)
  }
  return { variables, missing }
}

/** The receiver has what these name in another way on this machine: its secrets are in a file. */
const OURS: ReadonlySet<string> = new Set(Object.values(ENVIRONMENT))

const absentOf = (own: readonly Own[]): readonly string[] =>
  absent(own.filter(({ kind }) => kind === undefined).map(({ logicalId, resource }) => [logicalId, resource]))

const streamsOf = (planned: readonly Planned[]): readonly string[] =>
  planned
    .filter(({ properties }) => properties.StreamSpecification !== undefined)
    .map(({ logicalId }) => `${logicalId} has a stream in AWS: on this machine nothing reads its changes`)
