import { isOver } from '../../functions/contract/status.ts'
import { rigOf } from '../integration/rig.ts'
import { print } from '../tools/tool.ts'
import { probesOf } from './probes.ts'
import type { Statement } from './read-grants.ts'
import { type Roles, rolesOf } from './roles.ts'
import type { Rollout } from './rollout.ts'

export interface Taken {
  readonly caller: string
  readonly statement: Statement
  readonly failed: readonly string[]
}

/** Takes each statement of each role away once, and probes its function without it. All that was acknowledged has to end. */
export const takeAway = async ({ deployment, deployed }: Rollout): Promise<readonly Taken[]> => {
  const rig = rigOf(deployment)
  const roles = rolesOf(deployment, deployed)
  const found: Taken[] = []
  const owed: string[] = []
  for (const [caller, probe] of Object.entries(probesOf(rig, roles))) {
    const whole = await roles.statements(caller)
    for (const statement of whole) {
      const without = whole.filter(each => each !== statement)
      const { worked, owed: more } = await withStatements(roles, caller, without, whole, probe)
      const failed = Object.keys(worked).filter(name => !worked[name])
      print(`${caller} without ${[statement.Action].flat()[0]}: ${failed.join(', ') || 'nothing'} fails`)
      found.push({ caller, statement, failed })
      owed.push(...more)
    }
  }
  for (const id of owed) {
    await rig.until(
      `the end of ${id}`,
      () => rig.record(id),
      record => isOver(record?.status as never),
    )
  }
  print(`${owed.length} events that were acknowledged have all ended.`)
  return found
}

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
