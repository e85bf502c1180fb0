import { describe, expect, it } from 'vitest'
import { codec, append, untilRead } from '../../test/builders/plain-log.ts'
import { aRunning } from '../../test/builders/running.ts'
import { scored } from '../../test/builders/changed.ts'
import { anArticle } from '../../test/builders/detected.ts'
import { MemoryLog } from '../adapters/memory-log.ts'
import { loadConfig } from '../config/config.ts'
import { stateBudgets } from '../config/state-budgets.ts'
import { LIFECYCLE } from '../domain/lifecycle/lifecycle.ts'
import { articlesClustered } from '../events/ledger.ts'
import type { Topic } from '../events/topic.ts'
import { runMemoryStage } from '../runtime/run-memory-stage.ts'
import type { MemoryStage } from '../runtime/shapes.ts'
import { clusteringModel } from '../adapters/model-files.ts'
import { articlesAnalyzed, articlesScored } from '../events/articles.ts'
import { cueStance, testReader } from '../../test/builders/enriched.ts'
import { madeUpReport } from '../../test/builders/clustered.ts'
import { clustered } from '../stages/clustered/stage.ts'
import { enriched } from '../stages/enriched/stage.ts'
import { changed } from '../stages/changed/stage.ts'
import { detected } from '../stages/detected/stage.ts'
import { linked } from '../stages/linked/stage.ts'
import { matched } from '../stages/matched/stage.ts'
import { transitioned } from '../stages/transitioned/stage.ts'

const PARTITIONS = 12
const PROCESS_BUDGET = 240
const ARTICLES = 900

const budgets = stateBudgets(
  loadConfig({
    STORY_HOME: '/nowhere',
    TOPIC_PARTITIONS: 'production',
    CLUSTER_MEMBERS_IN_MEMORY: String(PROCESS_BUDGET),
    DETECTED_ARTICLES_IN_MEMORY: String(PROCESS_BUDGET),
  }),
)

const ids = Array.from({ length: ARTICLES }, (_, i) => String(i))
/** Many namespaces, so that each partition has some. */
const placed = ids.map((id, i) => anArticle(id, i / 60, { namespace: `tenant${i % 150}` }))

/** Each opens a story of its own: the clusterer evicts whole stories. */
const analyzed = ids.map((id, i) => ({
  ...madeUpReport({ event: i % 8, outlet: i, day: Math.floor(i / 150) * 20 }),
  namespace: `tenant${i % 150}`,
  article_id: `art_${id}`,
  event_id: `evt_${id}`,
}))

const filledBy = {
  clustered: {
    stage: clustered({ ...clusteringModel(), budget: budgets.clustered, texts: budgets.texts }),
    reads: articlesAnalyzed,
    events: analyzed,
  },
  enriched: {
    stage: enriched({ read: testReader, stance: cueStance, budget: budgets.enriched, textMs: 1 }),
    reads: articlesClustered,
    events: placed,
  },
  changed: { stage: changed({ budget: budgets.changed }), reads: articlesScored, events: ids.map((id) => scored(id)) },
  detected: { stage: detected({ budget: budgets.detected }), reads: articlesClustered, events: placed },
  linked: { stage: linked({ budget: budgets.linked }), reads: articlesClustered, events: placed },
  matched: { stage: matched({ budget: budgets.matched }), reads: articlesClustered, events: placed },
  transitioned: {
    stage: transitioned({ numbers: LIFECYCLE, budget: budgets.transitioned }),
    reads: articlesClustered,
    events: placed,
  },
} as const

describe('twelve partitions in one process, filled to the budget', () => {
  it.each(Object.keys(filledBy) as (keyof typeof filledBy)[])(
    'keep fewer articles of %s than a process may',
    async (name) => {
      const { stage, reads, events } = filledBy[name]
      const kept = await keptArticles(stage as MemoryStage<unknown, never, unknown, unknown>, {
        reads: reads,
        events,
      })

      expect(kept).toHaveLength(PARTITIONS)
      expect(Math.max(...kept)).toBe(PROCESS_BUDGET / PARTITIONS)
      const all = kept.reduce((sum, one) => sum + one, 0)
      expect(all).toBeLessThanOrEqual(PROCESS_BUDGET)
      expect(all).toBeGreaterThan(PROCESS_BUDGET / 2)
    },
  )
})

/** Runs a stage on all partitions in one process. Returns the articles that its changelog then has, by partition. */
async function keptArticles<State, Out, Remembered>(
  stage: MemoryStage<State, never, Out, Remembered>,
  { reads, events }: { readonly reads: Topic<unknown>; readonly events: readonly unknown[] },
): Promise<readonly number[]> {
  const memoryLog = new MemoryLog({ partitions: () => PARTITIONS })
  const running = { ...aRunning({ memoryLog }), codec }
  await append(memoryLog, reads, events)
  const consumer = await runMemoryStage(stage, running)
  await untilRead(memoryLog, stage.name, [reads])
  await consumer.stop()
  return Promise.all(
    Array.from({ length: PARTITIONS }, (_, p) => articlesIn(memoryLog, stage.memory.changelog.name, p)),
  )
}

async function articlesIn(log: MemoryLog, changelog: string, partition: number): Promise<number> {
  const kept = new Set<string | null>()
  for await (const records of log.read(changelog, partition, 0)) {
    for (const { key, value } of records) {
      if (value === null) kept.delete(key)
      else kept.add(key)
    }
  }
  return [...kept].filter((key) => key !== null && /^[^:]+:(article:|member:|art_)/.test(key)).length
}
