import { createHmac } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type RunningDesk, startDesk, workplace } from '../flow/desk.ts'

const EVENT = join(import.meta.dirname, '../../functions/domain/event.ts')
const STRIPE_SECRET = 'whsec_local_stripe_0123456789abcdef'

/** A desk whose worker refuses disputes until it is mended. */
export const openWorkshop = async (flags: string[] = []) => {
  const directory = workplace()
  const broken = join(directory, 'broken')
  const worker = join(directory, 'worker.ts')
  writeFileSync(broken, '')
  writeFileSync(
    worker,
    `import { existsSync } from 'node:fs'
import { Unprocessable } from ${JSON.stringify(EVENT)}
export const work = async (event: { type: string | null }) => {
  if (event.type === 'charge.dispute.created' && existsSync(${JSON.stringify(broken)}))
    throw new Unprocessable('the ledger refused: account 4711 is closed')
}
`,
  )
  const desk = await startDesk(directory, ['--worker', worker, ...flags])
  return { desk, directory, mend: () => rmSync(broken), consoleUrl: desk.console ?? '' }
}

/** As Stripe would send it, whatever is in it. */
export const deliver = async (desk: RunningDesk, event: Readonly<Record<string, unknown>>): Promise<number> => {
  const body = JSON.stringify({ object: 'event', ...event })
  const t = Math.floor(Date.now() / 1000)
  const v1 = createHmac('sha256', STRIPE_SECRET).update(`${t}.${body}`).digest('hex')
  const headers = { 'content-type': 'application/json', 'stripe-signature': `t=${t},v1=${v1}` }
  const answer = await fetch(`${desk.url}/webhooks/stripe`, { method: 'POST', headers, body })
  await answer.arrayBuffer()
  return answer.status
}
