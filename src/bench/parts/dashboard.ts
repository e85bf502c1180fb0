import { benchDashboard, type DashboardFigure } from '../dashboard/dashboard-bench.ts'
import type { BenchResult, BenchPart } from './part.ts'

export const dashboard: BenchPart = {
  says: 'the dashboard in Chromium during an import: long tasks and time until a new story is shown',
  inService: async ({ articles }, service): Promise<BenchResult> => {
    const figures = await benchDashboard(service, articles)
    return { figures, lines: table(figures) }
  },
}

const table = (figure: DashboardFigure): readonly string[] => [
  `  articles             ${figure.articles}, ${figure.articles_a_second.toFixed(1)} a second`,
  `  stories listed       ${figure.stories}, shown ${figure.shown}`,
  `  shown after          ${figure.delay_p50_ms.toFixed(0)} ms (p50), ${figure.delay_p95_ms.toFixed(0)} ms (p95), ${figure.delay_max_ms.toFixed(0)} ms at most`,
  `  tasks above 50 ms    ${figure.long_tasks}, the longest ${figure.longest_task_ms.toFixed(0)} ms`,
]
