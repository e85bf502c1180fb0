import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { projectPath } from '../../src/config/project-path.ts'
import { counters, gauges, histograms } from '../../src/runtime/metrics.ts'
import { documents } from '../builders/deployment.ts'

const METRICS = [...Object.keys(counters), ...Object.keys(gauges), ...Object.keys(histograms)]
const DESCRIBED = { ...counters, ...gauges, ...histograms }

const text = (path: string): string => readFileSync(projectPath(path), 'utf8')

const Rules = z.object({
  groups: z.array(
    z.object({
      rules: z.array(
        z.union([
          z.strictObject({ record: z.string(), expr: z.string() }),
          z.strictObject({
            alert: z.string().regex(/^Story[A-Za-z]+$/),
            expr: z.string(),
            for: z.string().optional(),
            labels: z.strictObject({ severity: z.enum(['page', 'ticket']) }),
            annotations: z.strictObject({ summary: z.string(), runbook_url: z.string() }),
          }),
        ]),
      ),
    }),
  ),
})
const rules = Rules.parse(documents('docker/prometheus/rules.yaml')[0]).groups.flatMap((group) => group.rules)
const alerts = rules.flatMap((rule) => ('alert' in rule ? [rule] : []))
const recorded = rules.flatMap((rule) => ('record' in rule ? [rule.record] : []))

/** Anchors of the headings of the runbook. */
const headings = [...text('docs/runbook.md').matchAll(/^###? (.+)$/gm)].map(([, heading = '']) => heading)
const anchors = headings.map((heading) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\w -]/g, '')
    .replaceAll(' ', '-'),
)

/** Metrics in an expression, without the suffixes of histograms. */
const metricsIn = (expression: string): readonly string[] =>
  [...expression.matchAll(/(?<![:\w])story_\w+/g)].map(([name]) => name.replace(/_(bucket|sum|count)$/, ''))

/** Labels that an expression groups or selects by, except those that Prometheus adds. */
const labelsIn = (expression: string): readonly string[] =>
  [
    ...[...expression.matchAll(/\b(?:by|on) \(([^)]*)\)/g)].flatMap(([, names = '']) => names.split(/,\s*/)),
    ...[...expression.matchAll(/\{(\w+)/g)].map(([, name = '']) => name),
  ].filter((name) => !['le', 'job', 'component'].includes(name))

describe('docker/prometheus/rules.yaml', () => {
  it.each(rules.map((rule) => ['alert' in rule ? rule.alert : rule.record, rule.expr] as const))(
    '%s queries existing metrics by existing labels',
    (_, expr) => {
      const names = metricsIn(expr)
      const known = new Set<string>(
        [...names, ...recorded.filter((one) => expr.includes(one)).map((one) => METRIC_OF[one] ?? '')].flatMap(
          (name) => (name in DESCRIBED ? [...DESCRIBED[name as keyof typeof DESCRIBED].labels] : []),
        ),
      )
      expect(names.filter((name) => !METRICS.includes(name))).toEqual([])
      expect(labelsIn(expr).filter((label) => !known.has(label))).toEqual([])
    },
  )

  it.each(alerts.map(({ alert, annotations }) => [alert, annotations.runbook_url] as const))(
    '%s links to its section of the runbook',
    (alert, url) => {
      expect(url).toBe(`docs/runbook.md#${alert.toLowerCase()}`)
      expect(headings).toContain(alert)
    },
  )

  it('uses every metric in a rule', () => {
    const watched = new Set(rules.flatMap(({ expr }) => metricsIn(expr)))
    expect(METRICS.filter((name) => !watched.has(name))).toEqual([])
  })
})

/** The metric of each recorded series. */
const METRIC_OF: Readonly<Record<string, string>> = {
  'story:lag_records:sum': 'story_lag_records',
  'story:inputs:rate5m': 'story_inputs_total',
}

describe('docs/runbook.md', () => {
  it('has a heading for every metric and alert, and no obsolete ones', () => {
    const named = headings.filter((heading) => /^(story_\w+|Story\w+)$/.test(heading))
    expect(named.sort()).toEqual([...METRICS, ...alerts.map(({ alert }) => alert)].sort())
  })

  it('links only to its own existing headings', () => {
    const links = [...text('docs/runbook.md').matchAll(/\]\(#([\w-]+)\)/g)].map(([, anchor = '']) => anchor)
    expect(links.length).toBeGreaterThan(0)
    expect(links.filter((anchor) => !anchors.includes(anchor))).toEqual([])
  })
})

describe('docker/grafana', () => {
  const Dashboard = z.object({
    uid: z.literal('story'),
    panels: z.array(
      z.object({
        title: z.string(),
        datasource: z.object({ uid: z.string() }).optional(),
        targets: z.array(z.object({ expr: z.string(), legendFormat: z.string() })).default([]),
      }),
    ),
  })
  const { panels } = Dashboard.parse(JSON.parse(text('docker/grafana/dashboards/story.json')))
  const [sources] = documents('docker/grafana/provisioning/datasources/prometheus.yaml')

  it.each(panels.filter(({ targets }) => targets.length > 0).map((panel) => [panel.title, panel] as const))(
    '%s queries existing metrics from the provisioned data source',
    (_, { targets, datasource }) => {
      expect(
        z.object({ datasources: z.array(z.object({ uid: z.string() })) }).parse(sources).datasources,
      ).toContainEqual(expect.objectContaining({ uid: datasource?.uid }))
      for (const { expr, legendFormat } of targets) {
        expect(metricsIn(expr).filter((name) => !METRICS.includes(name))).toEqual([])
        const shown = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = '']) => label)
        const has = metricsIn(expr).flatMap(
          (name): readonly string[] => DESCRIBED[name as keyof typeof DESCRIBED].labels,
        )
        expect([...shown, ...labelsIn(expr)].filter((label) => !has.includes(label))).toEqual([])
      }
    },
  )

  it('shows every metric in a panel', () => {
    const shown = new Set(panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => metricsIn(expr))))
    expect(METRICS.filter((name) => !shown.has(name))).toEqual([])
  })

  it('loads its dashboards from the path that compose mounts', () => {
    const [provider] = documents('docker/grafana/provisioning/dashboards/story.yaml')
    const { providers } = z
      .object({ providers: z.array(z.object({ options: z.object({ path: z.string() }) })) })
      .parse(provider)
    expect(text('docker/compose.yaml')).toContain(`./grafana/dashboards:${providers[0]?.options.path ?? ''}:ro`)
    expect(readdirSync(projectPath('docker/grafana/dashboards'))).toEqual(['story.json'])
  })
})

describe('docker/prometheus/prometheus.yaml', () => {
  it('scrapes every process of both compose files', () => {
    const Scraped = z.object({
      scrape_configs: z.array(
        z.object({ dns_sd_configs: z.array(z.object({ names: z.array(z.string()), port: z.literal(9464) })) }),
      ),
    })
    const scraped = Scraped.parse(documents('docker/prometheus/prometheus.yaml')[0]).scrape_configs.flatMap((config) =>
      config.dns_sd_configs.flatMap(({ names }) => names),
    )
    const Composed = z.object({ services: z.record(z.string(), z.unknown()) })
    const apart = Composed.parse(documents('docker/compose.apart.yaml')[0]).services
    expect(scraped.sort()).toEqual(Object.keys(apart).sort())
  })
})
