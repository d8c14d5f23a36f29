import { existsSync } from 'node:fs'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'

const PLACES = [
  process.env.CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

/** Where a Chromium is on this machine, if there is one. */
export const chromiumHere = PLACES.find(place => place !== undefined && place !== '' && existsSync(place))

export const NO_CHROMIUM =
  'No Chromium is on this machine, so the console is not tried in a browser: install one, or say where it is in CHROMIUM.'

export const launch = (): Promise<Browser> =>
  chromium.launch({
    executablePath: chromiumHere ?? '',
    // Chromium refuses to be root in its sandbox, and a container's /dev/shm is small.
    args: ['--disable-dev-shm-usage', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
  })

export interface Visit {
  readonly page: Page
  /** Errors of the page and violations of its policy: there must be none. */
  readonly complaints: readonly string[]
}

export const visit = async (browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<Visit> => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', error => complaints.push(String(error)))
  page.on('console', message => message.type() === 'error' && complaints.push(message.text()))
  await page.goto(url)
  return { page, complaints }
}
