import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import routed from '../../../docs/samples/routes.ts'
import { run } from '../../../lib/cli/run.ts'
import type { Terminal } from '../../../lib/terminal/terminal.ts'

const directory = mkdtempSync(join(tmpdir(), 'hooklatch-routes-'))
afterAll(() => rmSync(directory, { recursive: true }))

const file = (name: string, content: unknown): string => {
  writeFileSync(join(directory, name), JSON.stringify(content))
  return join(directory, name)
}

file('destinations.json', { billing: { worker: 'billing.ts' }, crm: { queue: 'crm-events' } })
const sources = file('sources.json', routed)

const routes = async (...argv: string[]) => {
  const out: string[] = []
  const terminal: Terminal = {
    out: text => out.push(...[text].flat()),
    err: text => out.push(...[text].flat()),
    interactive: false,
    style: (_style, text) => text,
    closed: new AbortController().signal,
  }
  return { code: await run(['routes', ...argv, '--source-file', sources], terminal), out: out.join('\n') }
}

describe('hooklatch routes', () => {
  it('hooklatch routes lists the routes of a source', async () => {
    const { code, out } = await routes('stripe')
    expect([code, out]).toEqual([0, expect.stringContaining('1\tbilling\ttype is invoice.*')])
  })

  it('hooklatch routes --body reads the type from the body and says which route matches', async () => {
    const body = file('body.json', { id: 'evt_1', type: 'customer.created', livemode: true })
    const { code, out } = await routes('stripe', '--body', body, '--json')
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({
      source: 'stripe',
      destinations: ['crm', 'worker'],
      because: 'route 2 matches',
    })
  })

  it('hooklatch routes --type needs no body', async () => {
    expect((await routes('stripe', '--type', 'invoice.paid')).out).toContain('billing: route 1 matches.')
    expect((await routes('stripe', '--type', 'payout.paid')).out).toContain('ignore: no route matches')
  })

  it('hooklatch routes refuses a source that does not exist, a missing file and flags that contradict each other', async () => {
    expect(await routes('strip')).toMatchObject({ code: 1, out: expect.stringContaining('did you mean "stripe"?') })
    expect(await routes('stripe', '--body', 'nowhere.json')).toMatchObject({ code: 2 })
    expect(await routes('stripe', '--event', 'evt_1', '--type', 'x')).toMatchObject({ code: 2 })
  })
})
