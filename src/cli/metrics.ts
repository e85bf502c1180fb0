import type { Command } from 'commander'
import { counters, gauges, histograms, type MetricText } from '../runtime/metrics.ts'
import type { Wiring } from '../ports/wiring.ts'

export const metricsCommand = (program: Command, { out }: Wiring): void => {
  program
    .command('metrics')
    .description('print every metric of /metrics with its meaning and what to do when it rises')
    .option('--json', 'print one JSON object')
    .action(({ json }: { readonly json?: true }) => {
      const metrics = all()
      if (json) out.json({ metrics })
      else metrics.flatMap(lines).forEach((line) => out.line(line))
    })
}

const all = () =>
  Object.entries({ counter: counters, gauge: gauges, histogram: histograms }).flatMap(([kind, described]) =>
    Object.entries<MetricText>(described).map(([name, { labels, means, ifItRises: if_it_rises }]) => {
      return { name, kind, labels, means, if_it_rises }
    }),
  )

const lines = ({ name, kind, labels, means, if_it_rises }: ReturnType<typeof all>[number]): readonly string[] => [
  `${name}${labels.length === 0 ? '' : `{${labels.join(', ')}}`}  ${kind}`,
  `    ${means}`,
  `    if it rises: ${if_it_rises}`,
]
