import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { kill } from './kill.ts'

const HELP = `Bundled handlers in processes of their own, behind a small Lambda, engines on disk, a lossy network between them:
killed with -9 at random while senders post. Afterwards the ledger must balance.

npm run kill -- [--kills N] [--seed S] [--json FILE]

  --kills N    how many (default 40)
  --seed S     of who is killed when, and of the network (default 1); real processes do not repeat themselves exactly
  --json FILE  write the ledger

Exit code 1 when the ledger does not balance.`

const refuse = (sentence: string): never => {
  process.stderr.write(`${sentence}\n`)
  process.exit(2)
}

const flags = () => {
  try {
    const text = { type: 'string' } as const
    const options = {
      kills: { ...text, default: '40' },
      seed: { ...text, default: '1' },
      json: text,
      help: { type: 'boolean' },
    } as const
    return parseArgs({ options }).values
  } catch (error) {
    return refuse(`${(error as Error).message}\n\n${HELP}`)
  }
}

const whole = (name: string, text: string): number =>
  /^[1-9]\d*$/.test(text)
    ? Number(text)
    : refuse(`--${name} is ${JSON.stringify(text)}: expected a whole number above 0`)

const say = (line: string): void => void process.stdout.write(`${line}\n`)

const given = flags()
if (given.help) say(HELP)
else {
  const ledger = await kill({ kills: whole('kills', given.kills), seed: whole('seed', given.seed), say })
  const { kills, killed, losses, events, received, answers, accepted, done, failed, recovered, effects, seconds } =
    ledger
  const list = (counts: object): string =>
    Object.entries(counts)
      .map(([name, count]) => `${count} ${name}`)
      .join(' + ')
  say(`${kills} kills      ${list(killed)}; network: ${list(losses)}`)
  say(`${received} received = ${list(answers)}`)
  say(
    `${accepted} accepted = ${done} done + ${failed} failed, of ${events} events; ${recovered} needed more than one try`,
  )
  say(`${effects} effects`)
  for (const sentence of ledger.imbalances.slice(0, 20)) say(`! ${sentence}`)
  say(ledger.imbalances.length === 0 ? `The ledger balances, ${seconds} s.` : `${ledger.imbalances.length} imbalances.`)
  if (given.json !== undefined) writeFileSync(given.json, `${JSON.stringify(ledger, null, 2)}\n`)
  process.exitCode = ledger.imbalances.length === 0 ? 0 : 1
}
