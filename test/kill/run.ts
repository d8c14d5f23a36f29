import { writeFileSync } from 'node:fs'
import { allOf, readNumber } from '../../lib/cli/flags.ts'
import { isRefusal } from '../../lib/connect/refusal.ts'
import { print, tool } from '../tools/tool.ts'
import { kill } from './kill.ts'

export const killing = tool({
  summary: 'Kills bundled handlers and their engines with -9 at random while senders post, and compares the ledger.',
  teaches: [
    'The handlers run in processes of their own, behind a small Lambda, with a lossy network between them and engines on disk.',
    'Real processes do not repeat themselves exactly. Exit code 1 if the ledger does not balance.',
  ].join('\n'),
  flags: {
    kills: { value: 'N', help: 'how many (default 40)' },
    seed: { value: 'S', help: 'of who is killed when, and of the network (default 1)' },
    json: { value: 'FILE', help: 'write the ledger' },
  },
  async run({ flags }) {
    const asked = allOf(
      readNumber(flags.kills, 'kills', { min: 1, max: 1_000_000, otherwise: 40 }),
      readNumber(flags.seed, 'seed', { min: 1, max: Number.MAX_SAFE_INTEGER, otherwise: 1 }),
    )
    if (isRefusal(asked)) return asked
    const [kills, seed] = asked
    const ledger = await kill({ kills, seed, say: print })
    show(ledger)
    if (flags.json !== undefined) writeFileSync(flags.json, `${JSON.stringify(ledger, null, 2)}\n`)
    return ledger.imbalances.length === 0 ? 0 : 1
  },
})

const show = (ledger: Awaited<ReturnType<typeof kill>>): void => {
  const { kills, killed, losses, events, received, answers, accepted, done, failed, recovered, effects, seconds } =
    ledger
  print(`${kills} kills      ${list(killed)}; network: ${list(losses)}`)
  print(`${received} received = ${list(answers)}`)
  print(
    `${accepted} accepted = ${done} done + ${failed} failed, of ${events} events; ${recovered} needed more than one try`,
  )
  print(`${effects} effects`)
  for (const sentence of ledger.imbalances.slice(0, 20)) print(`! ${sentence}`)
  const { length } = ledger.imbalances
  print(length === 0 ? `The ledger balances, ${seconds} s.` : `${length} imbalances.`)
}

const list = (counts: object): string =>
  Object.entries(counts)
    .map(([name, count]) => `${count} ${name}`)
    .join(' + ')
