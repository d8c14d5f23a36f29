import type { World } from '../../functions/domain/world.ts'
import { emptyRemoved } from '../../functions/recover/empty-removed.ts'
import { type Recovering, recover, type Tally } from '../../functions/recover/recover.ts'
import { emptiedLine, recoverLine } from '../../functions/recover/recover-line.ts'
import { type Regularly, regularly } from './regularly.ts'

/** The schedule of the recover function on a laptop. */
export const recoverRegularly = (
  world: Recovering & World<'environment' | 'left'>,
  { write, ...schedule }: Regularly,
) =>
  regularly('Recovery', schedule, async stop => {
    const tally = await recover(world, () => stop.aborted)
    if (didSomething(tally)) write(recoverLine(world.environment, tally, world.now()))
    for (const each of await emptyRemoved(world, () => stop.aborted)) write(emptiedLine(each))
  })

const didSomething = ({ recovered, waiting, lost, unreadable, unavailable }: Tally): boolean =>
  recovered + waiting + lost + unreadable + unavailable > 0
