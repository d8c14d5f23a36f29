import { secretsManagerSecrets } from '../../functions/adapters/secrets-manager-secrets.ts'
import { millis } from '../../functions/domain/brands.ts'
import { awaitUntil } from '../../functions/domain/secret-list.ts'
import { setSecret } from '../support/set-secret.ts'
import { farAws } from './far-aws.ts'
import type { Rig } from './rig.ts'
import { NAMES } from './watch-writes.ts'

const DOORS = ['first', 'second'] as const
const HOUR = 3_600_000

/** Two senders bring their secrets by handshakes while an operator stores a third: all three lie in one text. */
export const shakeHands = (rig: Rig): void => {
  const { timeline, luck } = rig
  const door = [awaitUntil(millis(timeline.now + HOUR))]
  change(rig, { first: door, second: door })
  for (const sender of DOORS) timeline.after(luck.between(1_000, 3_000), () => shakeHand(rig, sender))
  timeline.after(luck.between(1_000, 6_000), () => {
    change(rig, { operator: ['of-an-operator'] })
    mustStay(rig, 'of-an-operator')
  })
}

const change = ({ aws }: Rig, lists: Readonly<Record<string, readonly string[]>>): void => {
  const { text = '{}' } = aws.secrets.getSecret(NAMES.signingSecrets) ?? {}
  setSecret(aws.secrets, NAMES.signingSecrets, JSON.stringify({ ...JSON.parse(text), ...lists }))
}

const shakeHand = (rig: Rig, sender: string): void => {
  const process = rig.newProcess('handshake')
  const now = () => millis(rig.timeline.now + process.skew)
  const { accept } = secretsManagerSecrets(farAws(rig, process), NAMES, now)
  void accept(sender, `of-the-${sender}-sender`).then(({ kind }) => {
    rig.ledger.note(process.name, 'is told', kind)
    if (kind === 'stored') mustStay(rig, `of-the-${sender}-sender`)
  })
}

/** A write that is late may still come, and finds another version than it saw. */
const mustStay = (rig: Rig, secret: string): void => {
  rig.pending++
  rig.timeline.after(2 * 60_000, () => {
    rig.pending--
    const { text = '' } = rig.aws.secrets.getSecret(NAMES.signingSecrets) ?? {}
    rig.ledger.check('a secret that was stored stays, whoever stores another', text.includes(secret), () => secret)
  })
}
