import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { endLocals, hooklatch, until } from '../support/local-rig.ts'
import { chromiumHere, launch, NO_CHROMIUM, type Visit, visit } from './chromium.ts'
import { deliver, openBrowserRig, STRIPE_SECRET } from './rig.ts'

if (chromiumHere === undefined) process.stderr.write(`${NO_CHROMIUM}\n`)

describe.skipIf(chromiumHere === undefined)('the console in a browser', () => {
  let browser: Browser
  let rig: Awaited<ReturnType<typeof openBrowserRig>>
  let seen: Visit
  let page: Page

  beforeAll(async () => {
    ;[browser, rig] = await Promise.all([launch(), openBrowserRig()])
    seen = await visit(browser, rig.consoleUrl)
    page = seen.page
  })
  afterAll(async () => {
    await browser?.close()
    endLocals()
  })

  const at = (path: string): string => new URL(path, rig.consoleUrl).href
  const row = (eventId: string) => page.locator('a.row', { hasText: eventId })

  it('the console takes the token out of the address bar, and says how to make a first event', async () => {
    await page.getByText('No events yet').waitFor()
    await page.getByText('npx hooklatch send stripe', { exact: true }).waitFor()
    expect(page.url()).not.toContain('token')
  })

  it('the console shows an event the moment it comes, and its status as it changes', async () => {
    const sent = await hooklatch(rig.directory, 'send', 'stripe', '--id', 'evt_live', '--times', '3')
    expect(sent.code).toBe(0)
    await row('evt_live').getByText('done').waitFor()
    expect(await page.locator('a.row').count()).toBe(1)
  })

  it('filters and searches are kept in the address bar, so a reload and a colleague see the same', async () => {
    expect(await deliver(rig.local, { id: 'evt_other', type: 'invoice.paid' })).toBe(202)
    expect((await hooklatch(rig.directory, 'send', 'github', '--id', 'from-github')).code).toBe(0)
    await row('from-github').waitFor()
    await page.getByLabel('Source').selectOption('stripe')
    await row('from-github').waitFor({ state: 'detached' })
    await page.getByRole('searchbox').fill('OTHER')
    await row('evt_live').waitFor({ state: 'detached' })
    expect(new URL(page.url()).search).toBe('?source=stripe&q=OTHER')
    await page.reload()
    await row('evt_other').waitFor()
    expect(await page.locator('a.row').count()).toBe(1)
    await page.goto(at('/events?status=failed'))
    await page.getByText('No event matches').waitFor()
    await page.getByText('Clear the filters').click()
    await row('evt_live').waitFor()
  })

  it('an opened event shows its timeline, every duplicate, its headers and its body', async () => {
    await row('evt_live').click()
    const timeline = page.getByRole('region', { name: 'Timeline' })
    await timeline.getByText('done', { exact: true }).waitFor()
    const steps = await timeline.locator('.what').allTextContents()
    expect(steps).toEqual(expect.arrayContaining(['received', 'claimed', 'queued', 'working', 'done']))
    expect(steps.filter(step => step === 'duplicate')).toHaveLength(2)
    expect(await page.getByRole('region', { name: 'Body' }).textContent()).toContain('"id": "evt_live"')
    expect(await page.getByRole('region', { name: 'Headers' }).textContent()).toContain('content-type')
    expect(await page.getByRole('region', { name: 'Deliveries' }).locator('tbody tr').count()).toBe(3)
  })

  it('a replay asks for a reason, records it, and is shown when it is done', async () => {
    await page.getByRole('button', { name: 'Replay' }).click()
    const dialog = page.getByRole('dialog')
    const confirm = dialog.getByRole('button', { name: 'Replay' })
    expect(await confirm.isDisabled()).toBe(true)
    await dialog.getByLabel('Reason').fill('the ledger was down')
    await confirm.click()
    await page.getByText('Replayed as generation 1.').waitFor()
    const timeline = page.getByRole('region', { name: 'Timeline' })
    await timeline.getByText('the ledger was down').waitFor()
    await timeline.locator('li.done', { hasText: 'gen 1' }).waitFor()
    await row('evt_live').getByText('↻1').waitFor()
  })

  it('dead letters can be redriven after the handler is fixed', async () => {
    for (const id of ['evt_dead_1', 'evt_dead_2']) {
      expect(await deliver(rig.local, { id, type: 'charge.dispute.created' })).toBe(202)
    }
    await page.goto(at('/dead-letters'))
    await row('evt_dead_1').waitFor()
    await row('evt_dead_2').click()
    await page.getByText('account 4711 is closed').first().waitFor()
    rig.fix()
    await page.getByRole('button', { name: 'Redrive all' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('2 failed').waitFor()
    await dialog.getByLabel('Reason').fill('account opened again')
    await dialog.getByRole('button', { name: 'Replay 2 events' }).click()
    await page.getByText('Nothing has failed').waitFor()
    await page.goto(at('/events?status=done&q=evt_dead'))
    await row('evt_dead_1').waitFor()
    await row('evt_dead_2').waitFor()
  })

  it('the console draws a card for each source, and warns of one that repeats itself', async () => {
    await page.goto(at('/sources'))
    const card = page.getByRole('article', { name: 'stripe' })
    await card.waitFor()
    expect(await card.locator('.accepted dd').textContent()).toBe('4')
    expect(await card.locator('.duplicates dd').textContent()).toBe('2')
    expect(await page.locator('.warning').count(), 'two repeats are no alarm').toBe(0)
    const label = await card.getByText('Answered in').boundingBox()
    expect(label?.height, 'it stands on one line').toBeLessThan(25)
    expect(await card.locator('.bars rect.accepted').count()).toBeGreaterThan(0)
    for (let times = 0; times < 16; times += 1) await deliver(rig.local, { id: 'evt_repeated', type: 'payout.paid' })
    await page.goto(at('/sources'))
    await card.getByText('77 % duplicates').waitFor()
    expect(await page.getByRole('article', { name: 'github' }).locator('.warning').count()).toBe(0)
  })

  it('a delivery refused for a wrong secret is accepted when the secret is fixed, and not before', async () => {
    rig.setStripeSecret('whsec_not_the_one_of_stripe_01234')
    expect(await deliver(rig.local, { id: 'evt_refused', type: 'payout.paid' })).toBe(401)
    await page.goto(at('/quarantine'))
    const kept = page.locator('.row.kept')
    await kept.getByText('signature-mismatch').waitFor()
    await kept.getByRole('button', { name: 'Verify again' }).click()
    await page.getByText('Still not genuine').waitFor()
    rig.setStripeSecret(STRIPE_SECRET)
    await kept.getByRole('button', { name: 'Accept' }).click()
    await page.getByRole('dialog').getByLabel('Reason').fill('the secret was rotated by mistake')
    await page.getByRole('dialog').getByRole('button', { name: 'Accept' }).click()
    await page.getByText('Accepted.').waitFor()
    await page.goto(at('/events?q=evt_refused'))
    await row('evt_refused').getByText('done').waitFor()
  })

  it('a source is captured from the console, and two of its deliveries are compared', async () => {
    await page.goto(at('/captures'))
    await page.getByText('Nothing is captured').waitFor()
    await page.getByRole('button', { name: 'Start a capture' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Source').selectOption('stripe')
    await dialog.getByLabel('For').selectOption('30 minutes')
    await dialog.getByRole('button', { name: 'Start' }).click()
    const running = page.getByRole('list', { name: 'Captured now' })
    await running.getByText('stripe').waitFor()
    await deliver(rig.local, { id: 'evt_captured', type: 'payout.paid', pending: 1 })
    await deliver(rig.local, { id: 'evt_captured', type: 'payout.paid', pending: 2 })
    const captured = page.locator('.row.captured', { hasText: 'evt_captured' })
    await captured.nth(1).waitFor()
    expect(await page.getByRole('button', { name: 'Compare' }).isDisabled()).toBe(true)
    await captured.nth(0).getByRole('checkbox').check()
    await captured.nth(1).getByRole('checkbox').check()
    await page.getByRole('button', { name: 'Compare' }).click()
    await dialog.getByText('The same event id').waitFor()
    await dialog.getByRole('row', { name: '$.pending 1 2' }).waitFor()
    await page.keyboard.press('Escape')
    await captured.nth(0).getByRole('button', { name: 'Show' }).click()
    await dialog.getByText('[REDACTED]').first().waitFor()
    await page.keyboard.press('Escape')
    await running.getByRole('button', { name: 'Stop' }).click()
    await running.waitFor({ state: 'detached' })
    expect(seen.complaints).toEqual([])
  })

  it('the console can be used by keyboard alone', async () => {
    await page.goto(at('/events'))
    await row('evt_live').waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('evt_live')
    await row('evt_other').waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.getByRole('region', { name: 'Timeline' }).waitFor()
    await page.keyboard.press('r')
    await page.getByRole('dialog').waitFor()
    expect(await page.evaluate('document.activeElement.name')).toBe('reason')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    await page.getByRole('region', { name: 'Timeline' }).waitFor({ state: 'detached' })
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard' }).waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('g')
    await page.keyboard.press('s')
    await page.getByRole('heading', { name: 'Sources' }).waitFor()
  })

  it('the console shows what a hostile sender wrote as text, and runs none of it', async () => {
    const evil = '<img src=x onerror="document.title=\'owned\'">'
    const event = { id: `evt_${evil}`, type: `"><script>document.title='owned'</script>`, data: { [evil]: evil } }
    expect(await deliver(rig.local, event)).toBe(202)
    await page.goto(at('/events?q=onerror'))
    await page.locator('a.row').first().click()
    await page.getByRole('region', { name: 'Body' }).waitFor()
    expect(await page.getByRole('region', { name: 'Body' }).textContent()).toContain('<img src=x onerror=')
    expect(await page.locator('.panel-title').textContent()).toContain(`evt_${evil}`)
    expect(await page.locator('img[src="x"], #app script').count()).toBe(0)
    expect(await page.title()).toBe('Hooklatch')
  })

  it('the console never breaks its own content security policy', () => {
    expect(seen.complaints).toEqual([])
  })

  it('the console lets nobody in with a wrong token, and says where the right one is', async () => {
    const { page: stranger } = await visit(browser, at('/?token=wrong'))
    await stranger.getByText('This page needs its token').waitFor()
    expect(await stranger.locator('a.row').count()).toBe(0)
    await stranger.context().close()
  })

  it.each(['dark', 'light'] as const)(
    'the console is %s when the system is, and when it is told to be',
    async colorScheme => {
      const { page: other } = await visit(browser, rig.consoleUrl, { colorScheme })
      await other.locator('a.row').first().waitFor()
      const light = async () =>
        Number(/\d+/.exec(await other.evaluate('getComputedStyle(document.body).backgroundColor'))?.[0])
      expect((await light()) > 128).toBe(colorScheme === 'light')
      await other.getByRole('button', { name: 'Theme: system' }).click()
      expect((await light()) > 128).toBe(true)
      await other.getByRole('button', { name: 'Theme: light' }).click()
      expect((await light()) > 128).toBe(false)
      await other.reload()
      await other.locator('a.row').first().waitFor()
      expect((await light()) > 128).toBe(false)
      await other.context().close()
    },
  )

  it('the console can be read at the width of a phone without scrolling sideways', async () => {
    const { page: phone } = await visit(browser, rig.consoleUrl, { viewport: { width: 360, height: 740 } })
    const sideways = () => phone.evaluate('document.documentElement.scrollWidth - innerWidth')
    await phone.locator('a.row').first().waitFor()
    expect(await sideways()).toBeLessThanOrEqual(0)
    await phone.locator('a.row', { hasText: 'evt_live' }).click()
    await phone.getByRole('region', { name: 'Timeline' }).waitFor()
    expect(await sideways()).toBeLessThanOrEqual(0)
    await phone.getByRole('link', { name: 'Back' }).click()
    for (const view of ['Dead letters', 'Quarantine', 'Captures', 'Sources']) {
      await phone.getByRole('link', { name: view }).click()
      await phone.getByRole('heading', { name: view }).waitFor()
      expect(await sideways()).toBeLessThanOrEqual(0)
    }
    await phone.context().close()
  })

  it('the page says so when the console is gone', async () => {
    await page.goto(at('/events'))
    await row('evt_live').waitFor()
    rig.local.signal('SIGTERM')
    await rig.local.finished
    await page.getByText('This page reconnects by itself.').waitFor()
    await until(
      'the sidebar',
      async () => (await page.locator('.line').textContent())?.includes('Reconnecting') ?? false,
    )
  })
})
