import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { SetQueueAttributesCommand } from '@aws-sdk/client-sqs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { localClients } from '../../lib/connect/local-clients.ts'
import { createResources } from '../../lib/local/create-resources.ts'
import { type Engines, startEngines } from '../../lib/local/engines/start-engines.ts'
import { freshTable } from '../support/engines.ts'
import { localSdk } from '../support/local-sdk.ts'
import { type Address, crashRig, type KillPoint, type Sender } from './rig.ts'

const AFTER_THE_LEASE = 16_000
const AFTER_THE_INDEX = 3 * 60_000

type Role = 'receive' | 'consume' | 'recover'

/** Where a process is killed, and whether the sender had been told 2xx, or told nothing and (if it retries) comes again. */
const KILLS: readonly { readonly role: Role; readonly at: KillPoint; readonly senders: readonly Sender[] }[] = [
  { role: 'receive', at: 'before claim', senders: ['stripe', 'github'] },
  { role: 'receive', at: 'after keep', senders: ['github'] },
  { role: 'receive', at: 'after claim', senders: ['stripe', 'github'] },
  { role: 'receive', at: 'before send', senders: ['stripe', 'github'] },
  { role: 'receive', at: 'after send', senders: ['stripe', 'github'] },
  { role: 'receive', at: 'before settle', senders: ['stripe', 'github'] },
  { role: 'receive', at: 'after settle', senders: ['stripe', 'github'] },
  { role: 'consume', at: 'before take', senders: ['stripe', 'github'] },
  { role: 'consume', at: 'after take', senders: ['stripe', 'github'] },
  { role: 'consume', at: 'before effect', senders: ['stripe', 'github'] },
  { role: 'consume', at: 'after effect', senders: ['stripe', 'github'] },
  { role: 'consume', at: 'before finish', senders: ['stripe', 'github'] },
  { role: 'consume', at: 'after finish', senders: ['stripe', 'github'] },
  { role: 'recover', at: 'after takeOver', senders: ['github'] },
  { role: 'recover', at: 'after fetch', senders: ['github'] },
  { role: 'recover', at: 'before send', senders: ['github'] },
  { role: 'recover', at: 'after send', senders: ['github'] },
  { role: 'recover', at: 'before settle', senders: ['github'] },
]

const CASES = KILLS.flatMap(({ role, at, senders }) => senders.map(sender => ({ role, at, sender })))

let engines: Engines
let address: Address
const outcomes: Record<string, string | number>[] = []

beforeAll(async () => {
  engines = await startEngines()
  const clients = localClients(engines.endpoints)
  const resources = await createResources(clients, { deletesExpired: false })
  const effectsTable = await freshTable(engines.endpoints.dynamodb, {
    partitionKey: { name: 'key', type: 'S' },
    timeToLive: 'expiresAt',
  })
  // A consumer that died must not make the test wait half a minute for its message.
  await localSdk(engines.endpoints).sqs.send(
    new SetQueueAttributesCommand({ QueueUrl: resources.queueUrl, Attributes: { VisibilityTimeout: '1' } }),
  )
  address = { endpoints: engines.endpoints, resources, effectsTable, ahead: 0 }
})

afterAll(async () => {
  await engines.stop()
  // biome-ignore lint/suspicious/noConsole: the table of kill points is what this test is asked to show
  console.table(outcomes)
})

const at = (ahead: number): Address => ({ ...address, ahead })

/** Runs the errand in a process of its own and resolves when it has died. */
const kill = (errand: {
  address: Address
  role: Role
  killAt: KillPoint
  sender: Sender
  eventId: string
}): Promise<string> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [new URL('child.ts', import.meta.url).pathname, JSON.stringify(errand)])
    let said = ''
    child.stdout.on('data', data => {
      said += data
    })
    child.stderr.on('data', data => {
      said += data
    })
    child.on('error', reject)
    child.on('exit', (_code, signal) =>
      signal === 'SIGKILL' ? resolve('killed') : reject(new Error(`it lived: ${said}`)),
    )
  })

/** GitHub got no answer and nothing was claimed: it shows the delivery as failed, and nothing was ever acknowledged. */
const NEVER_CLAIMED: ReadonlySet<string> = new Set(['receive-before-claim-github', 'receive-after-keep-github'])

/** Consumers run until the event is done, as they would for ever. */
const workUntilDone = async (eventId: string): Promise<void> => {
  const deadline = Date.now() + 15_000
  const { find, work } = crashRig(at(ahead))
  while (Date.now() < deadline && (await find(eventId))?.status !== 'done') {
    if (!(await work())) await sleep(50)
  }
}

/** Time only moves forward, from case to case: recovery's cursor does, too. */
let ahead = 0

/** Brings the event to the point where a process of the given role dies, and tells what the sender was answered. */
const dieAs: Record<Role, (errand: { killAt: KillPoint; sender: Sender; eventId: string }) => Promise<string>> = {
  receive: async errand => {
    await kill({ ...errand, address: at(ahead), role: 'receive' })
    return 'nothing'
  },
  consume: async errand => {
    const answered = await crashRig(at(ahead)).post(errand.sender, errand.eventId)
    await kill({ ...errand, address: at(ahead), role: 'consume' })
    return String(answered)
  },
  recover: async errand => {
    await kill({ ...errand, address: at(ahead), role: 'receive', killAt: 'after claim' })
    ahead += AFTER_THE_INDEX
    await kill({ ...errand, address: at(ahead), role: 'recover' })
    return 'nothing'
  },
}

describe('a process killed with -9', () => {
  it.each(CASES)(
    'an event from $sender is handled exactly once, or was never claimed, if $role is killed $at',
    async ({ role, at: killAt, sender }) => {
      const eventId = `${role}-${killAt.replace(' ', '-')}-${sender}`
      let answered = await dieAs[role]({ killAt, sender, eventId })

      ahead += AFTER_THE_LEASE
      // Only a sender that retries, and was not told 2xx, comes again.
      if (answered === 'nothing' && sender === 'stripe')
        answered = String(await crashRig(at(ahead)).post(sender, eventId))
      ahead += AFTER_THE_INDEX
      await crashRig(at(ahead)).recover()
      if (await crashRig(at(ahead)).find(eventId)) await workUntilDone(eventId)

      const status = (await crashRig(at(ahead)).find(eventId))?.status ?? 'never claimed'
      const effects = await crashRig(at(ahead)).effectsOf(eventId)
      outcomes.push({ killed: `${role}, ${killAt}`, sender, answered, status, effects })
      expect({ status, effects }).toEqual(
        NEVER_CLAIMED.has(eventId) ? { status: 'never claimed', effects: 0 } : { status: 'done', effects: 1 },
      )
    },
  )
})
