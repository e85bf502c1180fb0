import { setTimeout } from 'node:timers/promises'
import { PlainCodec } from '../adapters/plain-codec.ts'
import { readStanceModel } from '../adapters/model-files.ts'
import { LIFECYCLE } from '../domain/lifecycle/lifecycle.ts'
import { articlesClustered, type ArticleClustered } from '../events/ledger.ts'
import type { Topic } from '../events/topic.ts'
import { f32, NO_VECTOR } from '../events/vector.ts'
import { seeded } from '../quality/seeded-random.ts'
import type { MemoryStage } from '../runtime/shapes.ts'
import { articleEntry, storyEntry, type Entry } from '../state/entry.ts'
import { entry as enrichedEntry, type EnrichedUpdate } from '../stages/enriched/changelog.ts'
import { textTraces } from '../stages/enriched/observed-posts.ts'
import type { LinkedUpdate } from '../stages/linked/changelog.ts'
import type { ChangedUpdate } from '../stages/changed/changelog.ts'
import { changed } from '../stages/changed/stage.ts'
import { detected } from '../stages/detected/stage.ts'
import { enriched } from '../stages/enriched/stage.ts'
import { matched } from '../stages/matched/stage.ts'
import { linked } from '../stages/linked/stage.ts'
import { transitioned } from '../stages/transitioned/stage.ts'
import { article } from './detections/news-world.ts'
import type { BenchPart, BenchResult, BenchSetting } from './part.ts'
import { bytesInUse } from './processes.ts'

const ARTICLES = 10_000
const NAMES_AN_ARTICLE = 25
/** Distinct names in the world. Some occur in every other article, most in one or two. */
const NAMES = 2_000_000
const ARTICLES_A_STORY = 2.7
const DIM = 384
const WORDS_A_POST = 40
const NAMES_A_POST = 3

export const heap: BenchPart = {
  about: `memory of an article in the state of each stage, restored from its changelog (${ARTICLES.toLocaleString('en')} articles; \`clusters\` measures the clusterer)`,
  alone: measure,
}

async function measure({ wiring }: BenchSetting): Promise<BenchResult> {
  await wiring.close() // no model competes for the cores
  const budget = ARTICLES
  const posts = { read: () => Promise.resolve([]), stance: readStanceModel(), textMs: 7 * 86_400_000 }
  const [feed, lifecycle] = [changed({ budget }), transitioned({ numbers: LIFECYCLE, budget })]
  const alerts = matched({ budget })
  const [trends, graph, echo] = [detected({ budget }), linked({ budget }), enriched({ ...posts, budget })]
  const measures = {
    'changed, articles as scored': () => memoryFigure(feed.memory, scoredArticles()),
    'changed, articles of stories': () => memoryFigure(feed.memory, remembered(feed, placedArticles())),
    matched: () => memoryFigure(alerts.memory, remembered(alerts, placedArticles())),
    transitioned: () => memoryFigure(lifecycle.memory, remembered(lifecycle, placedArticles())),
    detected: () => memoryFigure(trends.memory, remembered(trends, placedArticles())),
    linked: () => memoryFigure(graph.memory, linkedArticles()),
    'enriched, articles': () => memoryFigure(echo.memory, enrichedArticles()),
    'enriched, posts': () => memoryFigure(echo.memory, enrichedPosts()),
  }
  const figures: StateFigure[] = []
  for (const [stage, figure] of Object.entries(measures)) {
    wiring.out.progress(`${stage} ...`)
    figures.push({ stage, ...(await figure()) })
  }
  return { figures, lines: figures.map(stateLine) }
}

interface StateFigure {
  readonly stage: string
  readonly bytes_an_article: number
  readonly changelog_bytes: number
}

/** The state restored from a changelog with these updates, as in a process that takes over a partition. */
async function memoryFigure<State, Remembered>(
  memory: MemoryStage<State, never, unknown, Remembered>['memory'],
  updates: Iterable<Entry<Remembered>>,
) {
  const codec = new PlainCodec()
  const records = await compacted(memory.changelog, updates, codec)
  const before = await settledBytes()
  let restored = memory.empty()
  for (const [key, record] of records) {
    const decoded = await codec.decode(memory.changelog, record)
    if (decoded.kind === 'event') restored = memory.evolve(restored, { key, value: decoded.event })
  }
  const bytes = (await settledBytes()) - before
  if (restored === null) throw new Error('a stage without state') // keeps the state until it is measured
  const changelogBytes = [...records.values()].reduce((sum, { length }) => sum + length, 0)
  return { bytes_an_article: bytes / ARTICLES, changelog_bytes: changelogBytes / ARTICLES }
}

/** Buffers are freed some time after the collection that finds them. */
async function settledBytes(): Promise<number> {
  bytesInUse()
  await setTimeout(500)
  return bytesInUse()
}

/** The newest record of each key. */
async function compacted<Value>(
  changelog: Topic<Value>,
  updates: Iterable<Entry<Value>>,
  codec: PlainCodec,
): Promise<ReadonlyMap<string, Buffer>> {
  const records = new Map<string, Buffer>()
  for (const { key, value } of updates) {
    if (value === null) records.delete(key)
    else records.set(key, await codec.encode(changelog, value))
  }
  return records
}

/** What a stage remembers of these articles. */
function* remembered<State, Remembered>(
  { decide, memory }: Pick<MemoryStage<State, ArticleClustered, unknown, Remembered>, 'decide' | 'memory'>,
  events: Iterable<ArticleClustered>,
): Generator<Entry<Remembered>> {
  const topic = articlesClustered.name
  let [filled, offset] = [memory.empty(), 0]
  for (const event of events) {
    const place = { topic, partition: 0, offset: offset++ }
    for (const entry of decide(filled, { event, topic, place, loggedAt: event.occurred_at }).remember) {
      filled = memory.evolve(filled, entry)
      yield entry
    }
  }
}

const idOf = (kind: string, number: number): string => `${kind}_${Math.floor(number).toString(16).padStart(16, '0')}`

/** Each article has names as frequent as in news and a vector of its own. */
function* placedArticles(): Generator<ArticleClustered> {
  const random = seeded(`${ARTICLES} articles in stories`)
  for (let i = 0; i < ARTICLES; i++) {
    const names = Array.from({ length: NAMES_AN_ARTICLE }, () => ({
      hour: i / 100,
      name: idOf('ent', NAMES ** random()),
    }))
    const { member, ...event } = article(i, names, random)
    const title = `A headline of some sixty characters about the event ${i}`
    const [url, vector] = [
      `https://www.example.com/news/${i}`,
      Float32Array.from({ length: DIM }, () => random() - 0.5),
    ]
    yield {
      ...event,
      ...{ article_id: idOf('art', i), cluster_id: idOf('sto', i / ARTICLES_A_STORY), assignment_confidence: 0.9 },
      member: { ...member, title, url, semantic_hash: idOf('hash', i), vector: f32('bench:lead', vector) },
    }
  }
}

/** Articles as `changed` remembers them in the partition of their id, where they are read as scored. */
function* scoredArticles(): Generator<ChangedUpdate> {
  for (let arrival = 0; arrival < ARTICLES; arrival++) {
    yield articleEntry('bench', {
      ...{ article_id: idOf('art', arrival), arrival, told: [idOf('hash', arrival).repeat(3)], cluster_id: null },
      ...{ entity_ids: [], entity_names: [], member: null, settled: false, assignment_confidence: null },
    })
  }
}

/** Written directly: deciding also updates the graph of stories, which takes minutes. */
function* linkedArticles(): Generator<LinkedUpdate> {
  let log_order = 0
  for (const { article_id, cluster_id, occurred_at, member } of placedArticles()) {
    const { title } = member
    const entities = member.entities.map(({ entity_id, type, mention_count }) => ({ entity_id, type, mention_count }))
    const vector = Buffer.alloc(DIM, log_order)
    const article = { cluster_id, article_id, log_order, occurred_at, entities, vector, title }
    yield articleEntry('bench', article)
    yield storyEntry('bench', { cluster_id, opened: log_order, split_from: null, merged_into: null, thread: null })
    log_order += 1
  }
}

/** Written directly: deciding copies a story for each of its articles. */
function* enrichedArticles(): Generator<EnrichedUpdate> {
  let log_order = 0
  for (const { article_id, cluster_id, occurred_at, member } of placedArticles()) {
    const { title, url, entities, vector, cross_title_vector } = member
    const facts = { cluster_id, article_id, log_order, title, url, occurred_at, entities, vector, cross_title_vector }
    yield enrichedEntry('bench', { member: facts })
    log_order += 1
  }
}

/** Posts about the stories of `placedArticles`, with their texts, which are deleted after a week. */
function* enrichedPosts(): Generator<EnrichedUpdate> {
  const random = seeded(`${ARTICLES} posts`)
  for (let i = 0; i < ARTICLES; i++) {
    const text = Array.from({ length: WORDS_A_POST }, () => `word${Math.floor(20_000 ** random())}`).join(' ')
    const names = Array.from({ length: NAMES_A_POST }, () => idOf('ent', NAMES ** random()))
    const post = {
      platform: 'bluesky',
      ...{ event_id: idOf('evt', i), post_id: idOf('post', i), log_order: i },
      ...{ article_url: null, reply_to: null, url: `https://example.com/post/${i}`, score: 1 },
      ...{ cluster_id: idOf('sto', i / ARTICLES_A_STORY), claimed_cluster_id: null, author_hash: idOf('hash', i) },
      ...{ text, ...textTraces(text), deleted: false, created_at: i, fetched_at: i, sentiment_score: 0 },
      stance: 'comment',
      stance_of: idOf('hash', i),
      probabilities: { support: 0.1, deny: 0.1, query: 0.1, comment: 0.7 },
      entities: names.map((name) => ({ entity_id: name, name: `Name ${name}`, type: 'PERSON' })),
      vector: f32(
        'bench:lead',
        Float32Array.from({ length: DIM }, () => random() - 0.5),
      ),
      cross_vector: NO_VECTOR,
    } as const
    yield enrichedEntry('bench', { post })
  }
}

const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(2).padStart(8)} kB`

const stateLine = ({ stage, bytes_an_article, changelog_bytes }: StateFigure): string =>
  `  ${stage.padEnd(44)}${kilobytes(bytes_an_article)} an article,${kilobytes(changelog_bytes)} in the changelog`
