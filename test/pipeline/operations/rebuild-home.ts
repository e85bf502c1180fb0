import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { inject } from 'vitest'
import { z } from 'zod'
import { systemClock } from '../../../src/adapters/clock.ts'
import { clickhouseStore } from '../../../src/adapters/clickhouse/store.ts'
import { MemoryLog } from '../../../src/adapters/memory-log.ts'
import type { RebuildParts } from '../../../src/operations/rebuild/rebuilding.ts'
import { articlesAnalyzed, articlesIngested, articlesScored } from '../../../src/events/articles.ts'
import { storiesEnriched } from '../../../src/events/discourse.ts'
import { storiesLinked } from '../../../src/events/graph.ts'
import { articlesClustered } from '../../../src/events/ledger.ts'
import { pipeline } from '../../../src/pipeline.ts'
import type { Consumer, Log } from '../../../src/ports/log.ts'
import type { Store } from '../../../src/ports/store.ts'
import { onlyStore, runView } from '../../../src/runtime/run-view.ts'
import { hashView, TABLES, type ViewName } from '../../../src/views/hash.ts'
import { migrate } from '../../../src/views/migrate.ts'
import { shadowOf } from '../../../src/operations/rebuild/rebuilt-tables.ts'
import { anIngestedArticle, aScoredArticle, A_DAY } from '../../builders/articles.ts'
import { aStoryArticle } from '../../builders/discourse.ts'
import { append, codec, untilRead } from '../../builders/plain-log.ts'
import { aRunning } from '../../builders/running.ts'
import { aClusteredArticle, aLink, anAnalyzedArticle, anEnrichedStory, anEntity } from '../../builders/views.ts'

export const STORY = 'sto_harbour'

/** An in-memory log, a separate database on the real engine, and all views running on both. */
export interface RebuildHome {
  readonly log: MemoryLog
  readonly live: Store
  readonly database: string
  /** Publishes more articles of one story to every topic, in `namespace`. */
  publish(count: number, namespace?: string): Promise<void>
  /** Resolves when the live views have read everything. */
  untilShown(): Promise<void>
  /** A process that rebuilds; `said` holds its progress messages. Once it has `died`, its stores answer no new call. */
  rebuilding(over?: {
    readonly log?: Log
    readonly pid?: number
    readonly died?: Promise<void>
  }): RebuildParts & { readonly said: readonly string[] }
  /** The content hash of every view, by view. */
  hashes(): Promise<Readonly<Record<string, string>>>
  number(sql: string): Promise<number>
  stopViews(): Promise<void>
  startViews(): Promise<void>
  close(): Promise<void>
}

export async function aRebuildHome(): Promise<RebuildHome> {
  const database = `rebuilt_${randomBytes(6).toString('hex')}`
  const connection = { ...inject('engines').clickhouse, database }
  const live = clickhouseStore(connection)
  const shadows: Store[] = []
  await migrate(live, { replicated: false })
  const log = new MemoryLog({ batchRecords: 25, now: () => Date.now() })
  const running = { ...aRunning({ memoryLog: log, clock: systemClock }), codec }
  let views: readonly Consumer[] = []
  let published = 0

  const home: RebuildHome = {
    ...{ log, live, database },
    publish: async (count, namespace = 'shared') => {
      const from = published
      published += count
      for (let i = from; i < from + count; i++) await publishArticle(log, i, namespace)
    },
    untilShown: async () => {
      for (const { name, projections } of pipeline.views) {
        await untilRead(
          log,
          `view:${name}`,
          projections.filter(({ dead }) => !dead).map(({ reads }) => reads),
        )
      }
    },
    rebuilding: (over = {}) => {
      const said: string[] = []
      const shadow = clickhouseStore({ ...connection, database: shadowOf(database) })
      shadows.push(shadow)
      const crashes: Error[] = []
      return {
        ...{
          live: storeUntil(over.died, live),
          shadow: storeUntil(over.died, shadow),
          said,
          replicated: false,
          scope: onlyStore(live),
          sides: { live: database, shadow: shadowOf(database) },
        },
        running: { ...running, log: over.log ?? log, onCrash: (cause) => crashes.push(cause) },
        holder: { id: randomBytes(12).toString('hex'), host: hostname(), pid: over.pid ?? process.pid },
        progress: { update: () => undefined, print: (text) => said.push(text), end: () => undefined },
        check: () => {
          if (crashes[0] !== undefined) throw crashes[0]
        },
        close: () => shadow.close(),
      }
    },
    hashes: async () => {
      const names = Object.keys(TABLES) as ViewName[]
      const hashes = names.map(async (name) => [name, (await hashView(live, name)).hash] as const)
      return Object.fromEntries(await Promise.all(hashes))
    },
    number: async (sql) => {
      const parse = (row: unknown) => z.object({ n: z.number() }).parse(row)
      const [found] = await live.query({ name: 'test.number', sql, params: {}, parse })
      return found?.n ?? NaN
    },
    startViews: async () => {
      views = await Promise.all(pipeline.views.map((view) => runView(view, running, onlyStore(live))))
    },
    stopViews: async () => {
      await Promise.all(views.map((view) => view.stop()))
      views = []
    },
    close: async () => {
      await home.stopViews()
      for (const name of [shadowOf(database), database]) await live.command(`DROP DATABASE IF EXISTS ${name} SYNC`)
      await Promise.all([live, ...shadows].map((store) => store.close()))
    },
  }
  await home.startViews()
  return home
}

/** The store of a process that dies: queries started afterwards are not answered; running ones may be. */
function storeUntil(died: Promise<void> | undefined, store: Store): Store {
  let dead = false
  died?.then(
    () => (dead = true),
    () => undefined,
  )
  const alive = async <Answer>(ask: () => Promise<Answer>): Promise<Answer> => {
    if (dead) await new Promise<never>(() => undefined)
    return ask()
  }
  return {
    insert: (table, rows) => alive(() => store.insert(table, rows)),
    query: (query) => alive(() => store.query(query)),
    command: (sql) => alive(() => store.command(sql)),
    ping: () => store.ping(),
    close: () => store.close(),
  }
}

/** Publishes the article of that number, of one story, to every topic. */
export async function publishArticle(log: Log, i: number, namespace: string): Promise<void> {
  const url = `https://www.example.com/harbour/${i}`
  const scored = aScoredArticle({ url, namespace, job_id: `job-${namespace}-${i}` })
  const { article_id, content_hash } = scored
  const occurred_at = A_DAY - 1_000 * i
  await append(log, articlesIngested, [anIngestedArticle({ url, namespace, job_id: `job-${namespace}-${i}` })])
  await append(log, articlesScored, [scored])
  await append(log, articlesAnalyzed, [
    anAnalyzedArticle({ url, namespace, entities: [anEntity('Ada Quill', 'PERSON', [0, 20]), anEntity(`Bo ${i}`)] }),
  ])
  await append(log, articlesClustered, [
    aClusteredArticle({
      ...{ namespace, article_id, content_hash, cluster_id: STORY, action: i === 0 ? 'opened' : 'joined', occurred_at },
      member: { ...aStoryArticle().member, source: `source ${i}`, publisher: `source ${i}`, semantic_hash: `h${i}` },
    }),
  ])
  await append(log, storiesEnriched, [anEnrichedStory({ namespace, cluster_id: STORY, occurred_at: A_DAY + i })])
  await append(log, storiesLinked, [aLink({ namespace, source: STORY, target: `sto_${i}` })])
}
