import { join } from 'node:path'
import { isOver } from '../../functions/contract/status.ts'
import { type Rig, rigOf } from '../integration/rig.ts'
import { print } from '../tools/tool.ts'
import { isPredicted } from './compare-taken.ts'
import { doctorOf } from './named-by-doctor.ts'
import { probesOf } from './probes.ts'
import type { Probed } from './probing.ts'
import type { Statement } from './read-grants.ts'
import { type Roles, rolesOf } from './roles.ts'
import type { Rollout } from './rollout.ts'

export interface Taken {
  readonly caller: string
  readonly statement: Statement
  readonly failed: readonly string[]
  /** Whether `doctor` said which function has no permission for what. Nothing is asked if nothing failed. */
  readonly named?: boolean
}

/** Where the sources of the suite are. */
const DIRECTORY = join(import.meta.dirname, '../integration')

const open = ({ deployment, deployed, sender }: Rollout, only: readonly string[] | undefined) => {
  const rig = rigOf({ ...deployment, cli: { ...deployment.cli, directory: DIRECTORY } })
  const roles = rolesOf(deployment, deployed)
  const patience = { millis: 60_000 }
  const probes = Object.entries(probesOf(rig, roles, sender, patience))
  return { rig, roles, patience, probes: probes.filter(([name]) => only?.includes(name) !== false) }
}

/** With all statements, everything has to work. */
export const probeAll = async (rollout: Rollout, only?: readonly string[]): Promise<void> => {
  for (const [caller, probe] of open(rollout, only).probes) {
    const probed = await probe()
    const failed = failedIn(probed)
    if (failed.length > 0) throw new Error(`${caller} has all its statements, and ${failed.join(', ')} failed.`)
    print(`${caller}: ${Object.keys(probed.worked).join(', ')}`)
  }
}

/** Takes each statement of each role away once, and probes its function without it. All that was acknowledged has to end. */
export const takeAway = async (rollout: Rollout, only?: readonly string[]): Promise<readonly Taken[]> => {
  const { rig, roles, patience, probes } = open(rollout, only)
  const isNamed = doctorOf(rig)
  const found: Taken[] = []
  const owed: string[] = []
  for (const [caller, probe] of probes) {
    const whole = await roles.statements(caller)
    const start = performance.now()
    owed.push(...(await probe()).owed)
    patience.millis = Math.max(LEAST_PATIENCE_MS, 2 * (performance.now() - start))
    for (const statement of whole) {
      const without = whole.filter(each => each !== statement)
      const attempt = () => withStatements(roles, caller, without, whole, probe)
      const first = await attempt()
      // One failure can be the machine, two are a fault.
      const probed = isPredicted({ caller, statement, failed: failedIn(first) }) ? [first] : [first, await attempt()]
      const failed = failedIn(first).filter(name => probed.every(({ worked }) => !worked[name]))
      const named = failed.length > 0 ? await isNamed(caller, statement) : undefined
      print(
        `${caller} without ${[statement.Action].flat()[0]} on ${[statement.Resource].flat()[0]}: ${failed.join(', ') || 'nothing'} fails${named === false ? ', and doctor does not name it' : ''}`,
      )
      found.push({ caller, statement, failed, ...(named !== undefined && { named }) })
      owed.push(...probed.flatMap(each => each.owed))
    }
  }
  for (const id of owed) await ended(rig, id)
  print(`${owed.length} events that were acknowledged have all ended.`)
  return found
}

/** A busy machine has more: twice what everything took while all was allowed. */
const LEAST_PATIENCE_MS = 8_000

const failedIn = ({ worked }: Pick<Probed, 'worked'>): readonly string[] =>
  Object.keys(worked).filter(name => !worked[name])

const ended = (rig: Rig, id: string) =>
  rig.until(
    `the end of ${id}`,
    () => rig.record(id),
    record => isOver(record?.status as never),
  )

const withStatements = async <Answer>(
  roles: Roles,
  caller: string,
  without: readonly Statement[],
  whole: readonly Statement[],
  probe: () => Promise<Answer>,
): Promise<Answer> => {
  await roles.setStatements(caller, without)
  await roles.restart(caller)
  try {
    return await probe()
  } finally {
    await roles.setStatements(caller, whole)
    await roles.restart(caller)
  }
}
