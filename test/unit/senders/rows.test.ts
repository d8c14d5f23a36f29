import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { providers } from '../../../functions/providers/catalogue.ts'
import { senderApis } from '../../../functions/senders/find-api.ts'
import { listsPart } from '../../../lib/catalogue/lists-part.ts'

const PAGE = join(import.meta.dirname, '../../../docs/reconcile.md')

describe("the rows of senders' own APIs", () => {
  it.each(Object.entries(senderApis))(
    'the row of %s belongs to a provider, is reached over https and says where it is from',
    (name, api) => {
      expect(providers).toHaveProperty(name.split(' ')[0] ?? '')
      expect(new URL(api.origin.replace('{account}', 'acme')).protocol).toBe('https:')
      expect(api.docs.every(url => url.startsWith('https://'))).toBe(true)
      expect(api.docs.length).toBeGreaterThan(0)
      if (api.account) expect(api.account.example).toMatch(new RegExp(api.account.pattern))
      if (api.ledger) expect(api.rights.list).toMatch(/\w/)
      if (api.registration) expect(api.rights.connect).toMatch(/\w/)
    },
  )

  it('at least ten providers have a list', () => {
    const listing = Object.entries(senderApis).filter(([, { ledger }]) => ledger)
    expect(new Set(listing.map(([name]) => name.split(' ')[0])).size).toBeGreaterThanOrEqual(10)
  })

  it('docs/reconcile.md has what `npm run docs` makes of the rows, and names each provider', () => {
    const page = readFileSync(PAGE, 'utf8')
    expect(page).toContain(listsPart(providers))
    for (const { name } of Object.values(providers)) expect(page).toContain(name)
  })
})
