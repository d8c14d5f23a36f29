import { randomBytes, randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Secret } from '../../../functions/domain/secret.ts'
import { readSecretList } from '../../../functions/domain/secret-list.ts'
import type { Source } from '../../../functions/domain/source.ts'
import { createEndpoint, type Endpoint, endpointsAt, type Fault } from '../../../functions/senders/endpoints.ts'
import type { Values } from '../../../functions/senders/fill.ts'
import type { Registration } from '../../../functions/senders/sender-api.ts'
import type { Connection } from '../../connect/connection.ts'
import type { Sender } from '../../connect/open-sender.ts'
import { isRefusal, type Refusal, refuse } from '../../connect/refusal.ts'
import { changeSecrets, rotateTo, setTo, valuesOf } from '../../operator/change-secrets.ts'

export interface Registering {
  readonly connection: Connection
  readonly source: Source
  readonly sender: Sender
  /** Where the sender is to deliver to. */
  readonly url: string
  /** That the user or the routes name; undefined: nobody has. */
  readonly types: readonly string[] | undefined
  readonly replace: boolean
  readonly dryRun: boolean
}

export interface Registered {
  readonly action: 'created' | 'updated' | 'replaced' | 'unchanged'
  readonly types: readonly string[]
  /**
   * `stored`: what came back is the source's secret now. `kept`: it has one. `missing`: it has to be set by hand. `config`: what
   * came back belongs into the source's config.
   */
  readonly secret: 'stored' | 'kept' | 'missing' | 'config'
  /** What the source's config has to say. */
  readonly config?: Readonly<Record<string, string>>
}

/** Has the sender deliver to us: what is there is left as it is, what is missing is made. Twice is once. */
export const connectSource = async (asked: Registering): Promise<Registered | Refusal> => {
  const { sender, url } = asked
  const found = await endpointsAt(sender.api, sender.registration, url)
  if (found.kind !== 'found') return refuseFault(found)
  const held = await secretsHeld(asked)
  const [ours] = found.endpoints
  if (ours === undefined || sender.registration.single) return create(asked, found.endpoints, held.length, 'created')
  if (asked.replace) return create(asked, found.endpoints, held.length, 'replaced')
  return adopt(asked, ours, held)
}

export const refuseFault = (fault: Fault): Refusal =>
  refuse(`${fault.kind === 'unavailable' ? fault.cause : fault.why}.`)

/** Secrets, or what a sender has in their place. */
const secretsHeld = async ({
  connection,
  source,
  sender: { registration },
}: Registering): Promise<readonly Secret[]> => {
  if (configField(registration) !== undefined) return []
  const { lists } = await connection.secrets.read()
  return readSecretList(valuesOf(lists, source.name)).secrets
}

const configField = ({ secret }: Registration): string | undefined =>
  typeof secret === 'object' ? secret?.config : undefined

const create = async (
  asked: Registering,
  present: readonly Endpoint[],
  held: number,
  action: 'created' | 'replaced',
): Promise<Registered | Refusal> => {
  const { registration } = asked.sender
  const types = typesToMake(asked, held)
  if (isRefusal(types)) return types
  const has = new Set(registration.single ? present.flatMap(each => each.types) : [])
  const missing = types.filter(type => !has.has(type))
  const secret = registration.secret === null ? (held > 0 ? 'kept' : 'missing') : 'stored'
  if (missing.length === 0) return { action: 'unchanged', types: [...has], secret }
  if (asked.dryRun) return { action, types, secret }
  let told: Pick<Registered, 'secret' | 'config'> = { secret }
  for (const some of registration.single ? missing.map(type => [type]) : [missing]) {
    const made = await createOne(asked, some, held)
    if (isRefusal(made)) return made
    told = made ?? told
  }
  const refused = action === 'replaced' ? await removeAll(asked, present) : undefined
  return refused ?? { action, types, ...told }
}

const typesToMake = (
  { sender: { registration }, source, types }: Registering,
  held: number,
): readonly string[] | Refusal => {
  if (registration.secret !== null && held > 1) {
    return refuse(
      `"${source.name}" still has a previous secret, and a third would replace it. First run \`npx hooklatch secrets finish-rotation ${source.name}\`.`,
    )
  }
  const { name } = source.provider
  const all = refuse(
    `${name} has no word for all types: name those that you want, such as --types ${registration.example}.`,
    2,
  )
  return types ?? registration.everything ?? all
}

/** It was made, and its secret is where the receiver finds it; or what the user has to write down. */
const createOne = async (
  asked: Registering,
  types: readonly string[],
  held: number,
): Promise<Pick<Registered, 'secret' | 'config'> | Refusal | undefined> => {
  const { connection, sender, source, url } = asked
  const { registration } = sender
  const own = registration.secret === 'ours' ? randomBytes(32).toString('hex') : undefined
  const before = valuesOf((await connection.secrets.read()).lists, source.name)
  // Before the endpoint, so its first delivery is believed.
  const refused = own === undefined ? undefined : await store(connection, source, own, held)
  if (refused) return refused
  const values: Values = { url, types, type: types[0], source: source.name, secret: own, key: randomUUID() }
  const made = await createEndpoint(sender.api, registration, values)
  if (made.kind !== 'created') {
    // If the answer was lost, the endpoint may be there and sign with it.
    const isMade = made.kind === 'unavailable'
    if (own !== undefined && !isMade) await changeSecrets(connection.secrets, source.name, () => before)
    return isMade
      ? refuse(`${made.cause}. The endpoint may have been made: repeat the command, which looks first.`)
      : refuseFault(made)
  }
  if (made.secret === null) return undefined
  const field = configField(registration)
  return field === undefined
    ? store(connection, source, made.secret, held)
    : { secret: 'config', config: { [field]: made.secret } }
}

const store = async (
  { secrets }: Connection,
  { name }: Source,
  value: string,
  held: number,
): Promise<Refusal | undefined> => {
  const answer = await changeSecrets(secrets, name, held === 0 ? setTo(value) : rotateTo(value))
  return answer.kind === 'changed' || answer.why === 'same'
    ? undefined
    : refuse(
        `The secret of "${name}" could not be stored (${answer.why}). Look with \`npx hooklatch secrets list\`, then repeat with --replace.`,
      )
}

/** An endpoint that is there: made by an earlier `connect`, or by hand. */
const adopt = async (asked: Registering, ours: Endpoint, held: readonly Secret[]): Promise<Registered | Refusal> => {
  const { source, sender } = asked
  const field = configField(sender.registration)
  const { secret } = ours
  if (field === undefined && held.length === 0 && secret === null) {
    return refuse(
      `${source.provider.name} has an endpoint with our URL (${ours.id}), and its secret is not here. Copy it: \`npx hooklatch secrets set ${source.name}\`. Or make a new endpoint in its place: --replace.`,
    )
  }
  if (field === undefined && held.length > 0 && secret !== null && !held.some(each => each.equals(secret))) {
    return refuse(
      `${source.provider.name} has an endpoint with our URL (${ours.id}) that signs with another secret than the one set here: its deliveries are answered 401. Copy its secret: \`npx hooklatch secrets rotate ${source.name}\`. Or make a new endpoint in its place: --replace.`,
    )
  }
  const types = asked.types ?? ours.types
  const isSame = ours.enabled !== false && isDeepStrictEqual([...types].sort(), [...ours.types].sort())
  const result: Registered = { action: isSame ? 'unchanged' : 'updated', types, ...secretOf(asked, ours, held.length) }
  if (asked.dryRun) return result
  const refused =
    result.secret === 'stored' ? await store(asked.connection, source, secret ?? '', held.length) : undefined
  return refused ?? (isSame ? undefined : await update(asked, ours, types)) ?? result
}

const secretOf = (
  { source, sender: { registration } }: Registering,
  ours: Endpoint,
  held: number,
): Pick<Registered, 'secret' | 'config'> => {
  const field = configField(registration)
  if (field === undefined) return { secret: held === 0 ? 'stored' : 'kept' }
  return source.config[field] === ours.id ? { secret: 'kept' } : { secret: 'config', config: { [field]: ours.id } }
}

const update = async (
  { sender: { api, registration }, source, url }: Registering,
  { id }: Endpoint,
  types: readonly string[],
): Promise<Refusal | undefined> => {
  if (!registration.update) return refuse(`${source.provider.name}'s endpoint ${id} cannot be changed: use --replace.`)
  const answer = await api.call(registration.update, { url, types, hook: id, source: source.name })
  return answer.kind === 'answered' ? undefined : refuseFault(answer)
}

/** Undefined if they are gone. */
export const removeAll = async (
  { sender }: Pick<Registering, 'sender'>,
  endpoints: readonly Endpoint[],
): Promise<Refusal | undefined> => {
  for (const { id } of endpoints) {
    const answer = await sender.api.call(sender.registration.remove, { hook: id })
    if (answer.kind !== 'answered') return refuseFault(answer)
  }
  return undefined
}
