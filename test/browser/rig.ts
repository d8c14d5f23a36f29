import { createHmac } from 'node:crypto'
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DEFAULT_SECRETS_FILE } from '../../lib/connect/default-files.ts'
import sources from '../../sources.ts'
import { type RunningLocal, startLocal, workplace } from '../support/local-rig.ts'

const EVENT = join(import.meta.dirname, '../../functions/domain/event.ts')
export const STRIPE_SECRET = 'whsec_local_stripe_0123456789abcdef'

/** A local instance that keeps what Stripe is refused, and whose worker refuses disputes until it is fixed. */
export const openBrowserRig = async () => {
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
  const sourceFile = join(directory, 'mine.json')
  writeFileSync(sourceFile, JSON.stringify({ ...sources, stripe: { ...sources.stripe, quarantine: true } }))
  const secretsFile = join(directory, 'secrets.json')
  copyFileSync(DEFAULT_SECRETS_FILE, secretsFile)
  const local = await startLocal(directory, ['--worker', worker, '--source-file', sourceFile, '--secrets', secretsFile])
  return {
    local,
    directory,
    consoleUrl: local.console ?? '',
    fix: () => rmSync(broken),
    setStripeSecret: (secret: string) => {
      const secrets = JSON.parse(readFileSync(secretsFile, 'utf8'))
      writeFileSync(secretsFile, JSON.stringify({ ...secrets, stripe: [secret] }))
    },
  }
}

/** As Stripe would send it, whatever is in it. */
export const deliver = async (local: RunningLocal, event: Readonly<Record<string, unknown>>): Promise<number> => {
  const body = JSON.stringify({ object: 'event', ...event })
  const t = Math.floor(Date.now() / 1000)
  const v1 = createHmac('sha256', STRIPE_SECRET).update(`${t}.${body}`).digest('hex')
  const headers = { 'content-type': 'application/json', 'stripe-signature': `t=${t},v1=${v1}` }
  const answer = await fetch(`${local.url}/webhooks/stripe`, { method: 'POST', headers, body })
  await answer.arrayBuffer()
  return answer.status
}
