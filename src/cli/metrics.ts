import type { Command } from 'commander'
import { counters, gauges, histograms, type MetricText } from '../runtime/metrics.ts'
import type { Wiring } from '../ports/wiring.ts'

interface Metric {
  readonly name: string
  readonly kind: 'counter' | 'gauge' | 'histogram'
  readonly labels: readonly string[]
  readonly means: string
  readonly if_it_rises: string
}

export const metricsCommand = (program: Command, { out }: Wiring): void => {
  program
    .command('metrics')
    .description('print every metric of /metrics with its meaning and what to do when it rises')
    .option('--json', 'print one JSON object')
    .action(({ json }: { readonly json?: true }) => {
      if (json) out.json({ metrics: all() })
      else
        all()
          .flatMap(lines)
          .forEach((line) => out.line(line))
    })
}

function all(): readonly Metric[] {
  const kinds: readonly (readonly [Metric['kind'], Readonly<Record<string, MetricText>>])[] = [
    ['counter', counters],
    ['gauge', gauges],
    ['histogram', histograms],
  ]
  return kinds.flatMap(([kind, described]) =>
    Object.entries(described).map(([name, { means, ifItRises, labels }]): Metric => {
      return { name, kind, labels, means, if_it_rises: ifItRises }
    }),
  )
}

const lines = ({ name, kind, labels, means, if_it_rises }: Metric): readonly string[] => [
  `${name}${labels.length === 0 ? '' : `{${labels.join(', ')}}`}  ${kind}`,
  `    ${means}`,
  `    if it rises: ${if_it_rises}`,
]
