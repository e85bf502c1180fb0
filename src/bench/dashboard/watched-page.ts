import { existsSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'

/** Where systems put it; no browser is ever fetched. */
const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** What the page saw of itself; milliseconds since 1970 but for the lengths. */
export interface SeenPage {
  /** Lengths of tasks above 50 ms, in milliseconds. */
  readonly longTasks: readonly number[]
  /** When each story first stood in the list, by its id. */
  readonly shown: Readonly<Record<string, number>>
}

/** After its first answer is drawn. */
const SETTLED_MS = 2_000

/** Noted by the page itself, from its first line on. */
const WATCH = `
  globalThis.seen = { longTasks: [], shown: {} }
  new PerformanceObserver((list) => seen.longTasks.push(...list.getEntries().map(({ duration }) => duration)))
    .observe({ type: 'longtask', buffered: true })
  const look = () => {
    for (const link of document.querySelectorAll('.stories a')) {
      const id = link.getAttribute('href').split(/[/?]/)[2]
      seen.shown[id] ??= performance.timeOrigin + performance.now()
    }
  }
  addEventListener('DOMContentLoaded', () => {
    new MutationObserver(look).observe(document.documentElement, { childList: true, subtree: true, attributes: true })
  })`

/** Opens the dashboard in a real browser, lets something happen, and reports what the page saw meanwhile. */
export async function watchedPage(
  { url, key }: { readonly url: string; readonly key: string },
  meanwhile: (page: Page) => Promise<void>,
): Promise<SeenPage> {
  const browser = await launched()
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
    await page.addInitScript(`sessionStorage.setItem('story-key', ${JSON.stringify(key)}); ${WATCH}`)
    await page.goto(`${url}/#/stories?sort=recency&window=30d`)
    await page.waitForSelector('main h1')
    await page.waitForTimeout(SETTLED_MS)
    await page.evaluate('void (seen.longTasks = [])') // those of its start are none of reading
    await meanwhile(page)
    return await page.evaluate<SeenPage>('seen')
  } finally {
    await browser.close()
  }
}

async function launched(): Promise<Browser> {
  const executablePath = PLACES.find((place) => existsSync(place))
  if (executablePath === undefined) throw new Error('Chromium is not installed: sh test/browser/install.sh')
  const { chromium } = await import('playwright-core') // of the development alone: nothing else here needs it
  const isRoot = process.getuid?.() === 0
  return chromium.launch({ executablePath, args: isRoot ? ['--no-sandbox'] : [] })
}
