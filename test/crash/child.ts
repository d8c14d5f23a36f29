import { flushCompileCache } from 'node:module'
import { type Address, crashRig, type KillPoint, type Sender } from './rig.ts'

/** One process that does one thing and dies at its kill point. Says so when it survived. */
interface Errand {
  readonly address: Address
  readonly killAt: KillPoint
  readonly role: 'receive' | 'consume' | 'recover'
  readonly sender: Sender
  readonly eventId: string
}

// Killed, it would not keep what it has compiled for the next one.
flushCompileCache()

const { address, killAt, role, sender, eventId }: Errand = JSON.parse(process.argv[2] ?? '')
const mortal = crashRig(address, killAt)
if (role === 'receive') await mortal.post(sender, eventId)
if (role === 'consume') while (await mortal.work()) {}
if (role === 'recover') await mortal.recover()
process.stdout.write('survived')
