import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { loadConfig } from '../../src/config/config.ts'
import { projectPath } from '../../src/config/project-path.ts'
import { stateBudgets } from '../../src/config/state-budgets.ts'
import { readTopicFiles } from '../../src/config/topics.ts'
import { kubernetesBase, type KubernetesObject } from '../builders/deployment.ts'

/**
 * Whether the pods can hold what their budgets allow, computed from the figures of docs/sizing.md: a changed budget, limit or
 * figure fails here.
 */

const KB = 1_000
const MB = 1_000_000

/** Heap of a process without state. */
const HEAP_WITHOUT_STATE = 128 * MB
/**
 * A process is larger than its state, by what is not collected yet: a million articles of `clustered`, of which 2.9 GB are
 * state, take 4.9 GB in a process that has decided many of them (docs/sizing.md).
 */
const HEAP_PER_STATE = 1.7

const sizing = readFileSync(projectPath('docs/sizing.md'), 'utf8')
const objects = kubernetesBase()
const settings = z
  .object({ data: z.record(z.string(), z.string()) })
  .parse(objects.find(({ kind }) => kind === 'ConfigMap')).data
const config = loadConfig({ ...settings, STORY_HOME: '/nowhere' })
const topics = readTopicFiles(projectPath('topics'))
const budgets = stateBudgets(config)
type BudgetedStage = Exclude<keyof typeof budgets, 'texts'>
const STAGES = Object.keys(budgets).filter((name): name is BudgetedStage => name !== 'texts')

/** The rows of the table of docs/sizing.md with these first two headings, each as its cells. */
function table(headings: string): readonly (readonly string[])[] {
  const [, ...rows] =
    sizing
      .slice(sizing.indexOf(`| ${headings} |`))
      .split('\n\n')[0]
      ?.split('\n') ?? []
  return rows.map((line) => line.split(' | ').map((cell) => cell.replaceAll('|', '').trim()))
}
const PROCESSES = table('process | CPU ms, 6,000 characters')
const STATES = table('stage | kB per article in memory')

function row(rows: ReturnType<typeof table>, first: string): readonly string[] {
  const found = rows.find(([cell = '']) => cell.startsWith(first))
  if (found === undefined) throw new Error(`docs/sizing.md has no row ${first}`)
  return found
}

/** The first number in a cell. */
const numberIn = (cell = ''): number => Number(/\d[\d,]*(?:\.\d+)?/.exec(cell)?.[0].replaceAll(',', ''))

const kilobytesOf = (first: string): number => numberIn(row(STATES, first)[1]) * KB

/** Memory of an article in the state of a stage. */
const ARTICLE: Readonly<Record<BudgetedStage, number>> = {
  clustered: kilobytesOf('`clustered` (without texts)'),
  // as many posts as articles
  enriched: kilobytesOf('`enriched` (articles)') + kilobytesOf('`enriched` (posts'),
  linked: kilobytesOf('`linked`'),
  transitioned: kilobytesOf('`transitioned`'),
  detected: kilobytesOf('`detected`'),
  matched: kilobytesOf('`matched`'),
  changed: kilobytesOf('`changed` (an article of a story'),
}
const TEXT = numberIn(/and ([\d.]+) kB more for each of the newest/.exec(sizing)?.[1]) * KB

/** Peak memory of a process without state, with its models. */
const megabytesOf = (first: string): number => numberIn(row(PROCESSES, first)[4]) * MB
const PROCESS: Readonly<Record<BudgetedStage, number>> = {
  clustered: megabytesOf('`clustered`'),
  enriched: megabytesOf('`enriched`'),
  linked: megabytesOf('`linked`, `transitioned`, `detected`, `matched`'),
  transitioned: megabytesOf('`linked`, `transitioned`, `detected`, `matched`'),
  detected: megabytesOf('`linked`, `transitioned`, `detected`, `matched`'),
  matched: megabytesOf('`linked`, `transitioned`, `detected`, `matched`'),
  changed: megabytesOf('`changed`, `delivered`'),
}

const Scaled = z.object({ spec: z.object({ minReplicaCount: z.number() }) })
const named = (kind: string, name: string): KubernetesObject | undefined =>
  objects.find((object) => object.kind === kind && object.metadata.name === name)

/** The fewest processes that run: one may be replaced or evicted at any time (PodDisruptionBudget). */
const fewestProcesses = (stage: BudgetedStage): number =>
  Scaled.parse(named('ScaledObject', stage)).spec.minReplicaCount - 1

/** The most partitions whose state one process keeps, as owner and as standby. */
function partitionsIn(stage: BudgetedStage): number {
  const partitions = topics.get(`${stage}.memory`)?.['partitions-production'] ?? NaN
  const owned = Math.ceil(partitions / fewestProcesses(stage))
  const standby = Math.ceil((partitions * config.standbyReplicas) / fewestProcesses(stage))
  return Math.min(partitions, owned + standby)
}

/** Memory of the state of a process whose budget is used up. */
function stateBytes(stage: BudgetedStage): number {
  const texts = stage === 'clustered' ? budgets.texts * TEXT : 0
  return partitionsIn(stage) * (budgets[stage] * ARTICLE[stage] + texts)
}

const Container = z.object({
  spec: z.object({
    template: z.object({
      spec: z.object({
        containers: z.tuple([
          z.object({
            env: z.array(z.looseObject({ name: z.string(), value: z.string().optional() })),
            resources: z.object({
              requests: z.object({ memory: z.string() }),
              limits: z.object({ memory: z.string() }),
            }),
          }),
        ]),
      }),
    }),
  }),
})

const UNITS: Readonly<Record<string, number>> = { Mi: 1024 ** 2, Gi: 1024 ** 3 }
function bytesOf(quantity: string): number {
  const [, count, unit = ''] = /^(\d+)(Mi|Gi)$/.exec(quantity) ?? []
  return Number(count) * (UNITS[unit] ?? NaN)
}

function memoryOf(stage: BudgetedStage) {
  const { env, resources } = Container.parse(named('StatefulSet', stage)).spec.template.spec.containers[0]
  const options = env.find(({ name }) => name === 'NODE_OPTIONS')?.value ?? ''
  return {
    request: bytesOf(resources.requests.memory),
    limit: bytesOf(resources.limits.memory),
    heap: Number(/--max-old-space-size=(\d+)/.exec(options)?.[1]) * 1024 ** 2,
  }
}

describe('docker/kubernetes/base/stateful-stages.yaml', () => {
  it.each(STAGES)('%s keeps as many processes as its budget is divided by', (stage) => {
    expect(config.topics.partitions).toBe('production')
    expect(fewestProcesses(stage)).toBeGreaterThanOrEqual(config.stages.processes)
  })

  it.each(STAGES)('%s has memory for the state of a full budget, own and standby', (stage) => {
    const { request, heap, limit } = memoryOf(stage)
    const state = stateBytes(stage)

    expect(state).toBeGreaterThan(0)
    expect(request).toBeGreaterThanOrEqual(PROCESS[stage] + state)
    expect(heap).toBeGreaterThanOrEqual(HEAP_WITHOUT_STATE + HEAP_PER_STATE * state)
    expect(limit).toBeGreaterThanOrEqual(heap + PROCESS[stage])
    expect(limit).toBeGreaterThanOrEqual(request)
  })

  it.each(STAGES)('%s has the limit that docs/sizing.md names', (stage) => {
    const { limit } = memoryOf(stage)
    const documented = row(STATES, `\`${stage}\``)[3]

    expect(numberIn(documented) * 1024 ** 3).toBe(limit)
  })
})
