import { setTimeout } from 'node:timers/promises'
import { existsSync } from 'node:fs'
import { z } from 'zod'
import type { Browser } from 'playwright-core'
import type { BenchPart, BenchSetting } from './part.ts'
import type { OwnService } from './own-service.ts'
import { quantile } from './rounds.ts'
import { benchWhole } from './whole.ts'

export const dashboard: BenchPart = {
  about: 'the dashboard in Chromium during an import: long tasks and time until a new story is shown',
  inService: async (setting, service) => {
    const figures = await measure(setting, service)
    return { figures, lines: table(figures) }
  },
}

const POLL_MS = 250
/** Views lag behind the log, and the page reads them with a further delay. */
const LAG_MS = 5_000

const Clusters = z.object({ clusters: z.array(z.object({ id: z.string() })) })

/**
 * Imports articles while the dashboard is open. Measures whether it stays responsive and how soon it shows each new
 * story.
 */
async function measure({ articles }: BenchSetting, service: OwnService) {
  const end = new AbortController()
  const listed = new Map<string, number>()
  let speed = 0
  const seen = await watchedPage(service, async () => {
    const listing = list(service, listed, end.signal)
    speed = (await benchWhole(service, articles)).articles_per_s
    await setTimeout(LAG_MS)
    end.abort()
    await listing
  })
  return { articles: articles.length, articles_a_second: speed, ...figuresOf(listed, seen) }
}

/** Records when each story first appears in the list that the page also shows. */
async function list({ url, key }: OwnService, listed: Map<string, number>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const page = `${url}/v1/clusters?sort=recency&time_range=30d&limit=20`
    const response = await fetch(page, { headers: { authorization: `Bearer ${key}` } }).catch(() => null) // retried
    const at = performance.timeOrigin + performance.now()
    if (response?.ok === true) {
      for (const { id } of Clusters.parse(await response.json()).clusters) if (!listed.has(id)) listed.set(id, at)
    }
    await setTimeout(POLL_MS)
  }
}

function figuresOf(listed: ReadonlyMap<string, number>, { shown, longTasks }: SeenPage) {
  const delays = [...listed].flatMap(([id, at]) => (shown[id] === undefined ? [] : [Math.max(0, shown[id] - at)]))
  return {
    /** Stories that `/v1/clusters` listed during the import, and the number of them that the page showed. */
    ...{ stories: listed.size, shown: delays.length },
    // from the first response that lists a story until its row appears in the page
    delay_p50_ms: quantile(delays, 0.5) ?? 0,
    delay_p95_ms: quantile(delays, 0.95) ?? 0,
    delay_max_ms: Math.max(0, ...delays),
    /** Number of tasks of the page that took more than 50 ms, and the longest one. */
    ...{ long_tasks: longTasks.length, longest_task_ms: Math.max(0, ...longTasks) },
  }
}

/** Where systems install the browser. The bench never downloads one. */
const CHROMIUM_PATHS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** What the page recorded about itself. Points in time are in milliseconds since 1970. */
interface SeenPage {
  /** Durations of tasks of more than 50 ms, in milliseconds. */
  readonly longTasks: readonly number[]
  /** When each story first appeared in the list, by story id. */
  readonly shown: Readonly<Record<string, number>>
}

/** The time that the page needs to settle after its first rendering. */
const RENDERING_MS = 2_000

/** Recorded by the page itself, before any of its scripts run. */
const WATCH = `
  globalThis.seen = { longTasks: [], shown: {} }
  new PerformanceObserver((list) => seen.longTasks.push(...list.getEntries().map(({ duration }) => duration)))
    .observe({ type: 'longtask', buffered: true })
  const recordShown = () => {
    for (const link of document.querySelectorAll('.stories a')) {
      const id = link.getAttribute('href').split(/[/?]/)[2]
      seen.shown[id] ??= performance.timeOrigin + performance.now()
    }
  }
  addEventListener('DOMContentLoaded', () => {
    new MutationObserver(recordShown).observe(document.documentElement, { childList: true, subtree: true, attributes: true })
  })`

/** Opens the dashboard in a real browser, runs `meanwhile`, and returns what the page recorded during that time. */
async function watchedPage({ url, key }: OwnService, meanwhile: () => Promise<void>): Promise<SeenPage> {
  const browser = await launched()
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
    await page.addInitScript(`sessionStorage.setItem('story-key', ${JSON.stringify(key)}); ${WATCH}`)
    await page.goto(`${url}/#/stories?sort=recency&window=30d`)
    await page.waitForSelector('main h1')
    await page.waitForTimeout(RENDERING_MS)
    await page.evaluate('void (seen.longTasks = [])') // discards the tasks of loading the page
    await meanwhile()
    return await page.evaluate<SeenPage>('seen')
  } finally {
    await browser.close()
  }
}

async function launched(): Promise<Browser> {
  const executablePath = CHROMIUM_PATHS.find((path) => existsSync(path))
  if (executablePath === undefined) throw new Error('Chromium is not installed: sh test/browser/install.sh')
  const { chromium } = await import('playwright-core') // a development dependency that is needed only here
  const isRoot = process.getuid?.() === 0
  return chromium.launch({ executablePath, args: isRoot ? ['--no-sandbox'] : [] })
}

const table = (figure: Awaited<ReturnType<typeof measure>>): readonly string[] => [
  `  articles             ${figure.articles}, ${figure.articles_a_second.toFixed(1)} a second`,
  `  stories listed       ${figure.stories}, shown ${figure.shown}`,
  `  shown after          ${figure.delay_p50_ms.toFixed(0)} ms (p50), ${figure.delay_p95_ms.toFixed(0)} ms (p95), ${figure.delay_max_ms.toFixed(0)} ms at most`,
  `  tasks above 50 ms    ${figure.long_tasks}, the longest ${figure.longest_task_ms.toFixed(0)} ms`,
]
