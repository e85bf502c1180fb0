import { readFileSync } from 'node:fs'
import { access, constants } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { delimiter, join } from 'node:path'
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome']

/** The browser that `test/browser/install.sh` finds or installs; no other is ever fetched. */
export async function launchBrowser(): Promise<Browser> {
  const isRoot = process.getuid?.() === 0
  // its sandbox refuses to start for root, as which containers run
  return chromium.launch({ executablePath: await installed(), args: isRoot ? ['--no-sandbox'] : [] })
}

async function installed(): Promise<string> {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  for (const file of NAMES.flatMap((name) => folders.map((folder) => join(folder, name)))) {
    if (
      await access(file, constants.X_OK).then(
        () => true,
        () => false,
      )
    )
      return file
  }
  throw new Error('no Chromium on the PATH: sh test/browser/install.sh')
}

export interface OpenedTab {
  readonly page: Page
  /** What the page complained of: errors it threw, and those in its console. */
  readonly complaints: string[]
}

/** A tab of its own, with the key already entered; an empty one is not. */
export async function openTab(browser: Browser, key: string, options: BrowserContextOptions = {}): Promise<OpenedTab> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options })
  if (key !== '') await context.addInitScript(`sessionStorage.setItem('story-key', ${JSON.stringify(key)})`)
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  return { page, complaints }
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Serious and critical faults of accessibility in what the page shows, each with where it is. */
export async function faults(page: Page): Promise<readonly string[]> {
  await page.evaluate(AXE)
  return page.evaluate(async () => {
    const axe = (globalThis as unknown as { axe: { run(options: object): Promise<{ violations: Violation[] }> } }).axe
    interface Violation {
      readonly id: string
      readonly impact: string
      readonly nodes: readonly { readonly html: string }[]
    }
    const { violations } = await axe.run({ resultTypes: ['violations'] })
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`)
  })
}

/** By how many pixels the page is wider than the window. */
export const tooWide = (page: Page): Promise<number> =>
  page.evaluate('Math.max(0, document.documentElement.scrollWidth - innerWidth)')
