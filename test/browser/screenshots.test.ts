import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { emfLine } from '../../functions/log/emf-line.ts'
import { endLocals, hooklatch } from '../support/local-rig.ts'
import { chromiumHere, launch, visit } from './chromium.ts'
import { deliver, openBrowserRig } from './rig.ts'

const IMAGES = join(import.meta.dirname, '../../docs/images')

const opened = async (page: Page, eventId: string): Promise<void> => {
  await page.locator('a.row', { hasText: eventId }).click()
  await page.getByRole('region', { name: 'Timeline' }).waitFor()
}

/** The pictures of docs/console.md, and what each of them shows. */
const SHOTS: readonly {
  readonly name: string
  readonly options: BrowserContextOptions
  readonly path: string
  readonly until: (page: Page) => Promise<void>
}[] = [
  {
    name: 'console-event-dark',
    options: { colorScheme: 'dark' },
    path: '/events',
    until: page => opened(page, 'charge.dispute.created'),
  },
  {
    name: 'console-events-light',
    options: { colorScheme: 'light' },
    path: '/events',
    until: page => page.locator('a.row', { hasText: 'failed' }).first().waitFor(),
  },
  {
    name: 'console-sources-dark',
    options: { colorScheme: 'dark' },
    path: '/sources',
    until: page => page.getByRole('article', { name: 'stripe' }).waitFor(),
  },
  {
    name: 'console-phone-light',
    options: { colorScheme: 'light', viewport: { width: 390, height: 800 } },
    path: '/events',
    until: page => opened(page, 'customer.subscription.updated'),
  },
]

const TYPES = ['invoice.paid', 'charge.succeeded', 'customer.subscription.updated', 'payout.paid', 'invoice.finalized']
const SENDERS = ['github', 'shopify', 'slack', 'paddle', 'svix', 'gitlab', 'twilio']

describe.skipIf(chromiumHere === undefined)('the pictures of the console in the docs', () => {
  let browser: Browser
  let rig: Awaited<ReturnType<typeof openBrowserRig>>

  beforeAll(async () => {
    ;[browser, rig] = await Promise.all([launch(), openBrowserRig()])
    for (const type of TYPES) await deliver(rig.local, { id: `evt_1Qm${type.length}vHk`, type, data: DATA })
    for (const name of SENDERS) await hooklatch(rig.directory, 'send', name)
    const dispute = { id: 'evt_1QmX7dLatch', type: 'charge.dispute.created', data: DATA, pending_webhooks: 1 }
    await deliver(rig.local, dispute)
    await hooklatch(rig.directory, 'send', 'github', '--times', '4')
    appendFileSync(rig.local.deliveries, anHour().join(''))
  })
  afterAll(async () => {
    await browser?.close()
    endLocals()
  })

  it.each(SHOTS)(
    'the picture $name in the docs is taken from the real console',
    async ({ name, options, path, until }) => {
      const { page, complaints } = await visit(browser, rig.consoleUrl, options)
      await page.locator('a.row').first().waitFor()
      await page.locator('.line.live').waitFor()
      if (path !== '/events') await page.getByRole('link', { name: 'Sources' }).click()
      await until(page)
      const picture = await page.screenshot({ animations: 'disabled' })
      expect(picture.length).toBeGreaterThan(10_000)
      expect(complaints).toEqual([])
      if (process.env.UPDATE_SCREENSHOTS) {
        mkdirSync(IMAGES, { recursive: true })
        writeFileSync(join(IMAGES, `${name}.png`), picture)
      }
      await page.context().close()
    },
  )
})

const DATA = {
  object: {
    id: 'ch_3QmX2m',
    amount: 4200,
    currency: 'eur',
    paid: true,
    metadata: { order: '1042', customer: 'cus_9x' },
    refunded: false,
    receipt_url: null,
  },
}

/** The lines of a busy hour, since nobody waits an hour for a picture: waves, a bad ten minutes, and always the same. */
const anHour = (): string[] =>
  Array.from({ length: 1_400 }, (_, index) => {
    const at = Date.now() - 3_500_000 + index * 2_480
    const wave = Math.sin(index / 90) + Math.sin(index / 23)
    const source = wave > 0.4 ? 'stripe' : (['github', 'shopify', 'stripe', 'slack'][index % 4] ?? 'stripe')
    const refused = source === 'stripe' && index > 700 && index < 900 && index % 5 === 0
    const [name, outcome, status] = refused
      ? (['Rejected', 'rejected', 401] as const)
      : index % (source === 'github' ? 5 : 41) === 0
        ? (['Duplicate', 'duplicate', 200] as const)
        : (['Accepted', 'accepted', 202] as const)
    return emfLine({
      at,
      environment: 'local',
      source,
      reason: refused ? 'signature-mismatch' : undefined,
      counts: [name],
      values: { Latency: Math.round(14 + 9 * Math.abs(wave) + (index % 17)) },
      fields: { outcome, status, correlationId: `line-${index}`, waits: {} },
    })
  })
