import { setTimeout } from 'node:timers/promises'
import { z } from 'zod'
import type { ArticleIngested } from '../../events/articles.ts'
import type { OwnService } from '../own-service.ts'
import { benchWhole } from '../whole-bench.ts'
import { watchedPage, type SeenPage } from './watched-page.ts'

export interface DashboardFigure {
  readonly articles: number
  readonly articles_a_second: number
  /** Stories that `/v1/clusters` listed while articles came, and how many of them the page showed. */
  readonly stories: number
  readonly shown: number
  /** Milliseconds from the first answer that lists a story to its row in the page. */
  readonly delay_p50_ms: number
  readonly delay_p95_ms: number
  readonly delay_max_ms: number
  /** Tasks of the page above 50 ms, and the longest. */
  readonly long_tasks: number
  readonly longest_task_ms: number
}

const EVERY_MS = 250
/** Views lag behind the log, and the page reads a moment later. */
const AFTERWARDS_MS = 5_000

const Clusters = z.object({ clusters: z.array(z.object({ id: z.string() })) })

/** Imports articles while the dashboard is open: whether it stays responsive, and how soon it shows each new story. */
export async function benchDashboard(
  service: OwnService,
  articles: readonly ArticleIngested[],
): Promise<DashboardFigure> {
  const end = new AbortController()
  const listed = new Map<string, number>()
  let speed = 0
  const seen = await watchedPage(service, async () => {
    const listing = list(service, { listed, signal: end.signal })
    speed = (await benchWhole(service, articles)).articles_a_second
    await setTimeout(AFTERWARDS_MS)
    end.abort()
    await listing
  })
  return { articles: articles.length, articles_a_second: speed, ...figures(listed, seen) }
}

interface DashboardBenchListing {
  readonly listed: Map<string, number>
  readonly signal: AbortSignal
}

/** Notes when each story first stands in the list that the page shows, too. */
async function list({ url, key }: OwnService, { listed, signal }: DashboardBenchListing): Promise<void> {
  while (!signal.aborted) {
    const page = `${url}/v1/clusters?sort=recency&time_range=30d&limit=20`
    const response = await fetch(page, { headers: { authorization: `Bearer ${key}` } }).catch(() => null) // asked again
    const at = performance.timeOrigin + performance.now()
    if (response?.ok === true) {
      for (const { id } of Clusters.parse(await response.json()).clusters) if (!listed.has(id)) listed.set(id, at)
    }
    await setTimeout(EVERY_MS)
  }
}

function figures(listed: ReadonlyMap<string, number>, { shown, longTasks }: SeenPage) {
  const delays = [...listed]
    .flatMap(([id, at]) => (shown[id] === undefined ? [] : [Math.max(0, shown[id] - at)]))
    .sort((a, b) => a - b)
  const at = (share: number): number => delays[Math.min(delays.length - 1, Math.floor(share * delays.length))] ?? 0
  return {
    ...{ stories: listed.size, shown: delays.length },
    ...{ delay_p50_ms: at(0.5), delay_p95_ms: at(0.95), delay_max_ms: at(1) },
    ...{ long_tasks: longTasks.length, longest_task_ms: Math.max(0, ...longTasks) },
  }
}
