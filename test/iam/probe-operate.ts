import { unique } from '../integration/rig.ts'
import { large, type Named, type Probed, type Probing } from './probing.ts'

const SURE = ['--reason', 'probe', '--yes']

/** Everything that operators have it do. */
export const probeOperate = async (tools: Probing): Promise<Probed> => {
  const { rig, taken, routed, command } = tools
  const plain = await taken(() => rig.stripe({}))
  const heavy = await taken(() => rig.stripe({ pad: large() }))
  const many: Named = {
    'many: billing': await routed({ type: 'invoice.paid' }),
    'many: crm': await routed({ type: 'customer.created' }),
    'many: all': await routed({ type: 'charge.failed' }),
    'many: several': await routed({ type: 'checkout.completed' }),
  }
  const owed = [plain, heavy, ...Object.values(many)]
  for (const id of owed) await rig.settled(id, 'done')

  const replay = await command('replay', plain, ...SURE)
  const heavyReplay = await command('replay', heavy, ...SURE)
  await command('replay', '--source', 'routed', '--since', '2m', ...SURE)
  const again = await Promise.all(
    Object.entries(many).map(async ([name, id]) => [name, await tools.ends(id, 1)] as const),
  )
  const pause = await command('pause', 'crm', '--reason', 'probe')
  const resume = await command('resume', 'crm')
  const accept = await acceptOne(tools)
  const erase = await erased(tools, {})
  const heavyErase = await erased(tools, { pad: large() })
  return {
    worked: {
      replay: replay.isDone,
      'queued at once': replay.answer.queued === true,
      'replay, large': heavyReplay.isDone,
      ...Object.fromEntries(again),
      pause: pause.answer.kind === 'paused',
      resume: resume.answer.kind === 'resumed',
      accept,
      erase,
      'erase, large': heavyErase,
    },
    owed,
  }
}

/** Signed with a secret that is stored a moment later. */
const acceptOne = async ({ rig, command }: Probing): Promise<boolean> => {
  const secret = unique('whsec_')
  await rig.stripe({}, { source: 'quarantined', secret })
  await rig.setSecrets({ quarantined: [secret] })
  const { answer } = await command('quarantine', 'accept', 'quarantined', ...SURE)
  return JSON.stringify(answer).includes('"taken"')
}

/** A failed one is over, too. */
const erased = async ({ rig, taken, command }: Probing, event: object): Promise<boolean> => {
  const id = await taken(() => rig.stripe(event))
  await rig.settled(id, 'done')
  return (await command('erase', '--event', id, ...SURE)).isDone
}
