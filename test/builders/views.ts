import { articlesAnalyzed, articlesIngested, articlesScored } from '../../src/events/articles.ts'
import { articlesClustered } from '../../src/events/ledger.ts'
import { NO_MEMBER } from '../../src/events/ledger.ts'
import type { ArticleAnalyzed, ArticleScored, Entity, EntityType } from '../../src/events/articles.ts'
import type { ArticleClustered, StoryChangeAction, StoryChange } from '../../src/events/ledger.ts'
import { discoursePolled, storiesEnriched } from '../../src/events/discourse.ts'
import type { PlatformPolled, StoryEnriched } from '../../src/events/discourse.ts'
import { storiesLinked, type StoryLinked } from '../../src/events/graph.ts'
import { derivedId, entityId } from '../../src/events/ids.ts'
import type { Topic } from '../../src/events/topic.ts'
import { f32, i8 } from '../../src/events/vector.ts'
import type { Store } from '../../src/ports/store.ts'
import type { Row } from '../../src/ports/store.ts'
import type { DeadLetter, Input, Projection, View } from '../../src/runtime/shapes.ts'
import { articles } from '../../src/views/articles/project.ts'
import { clusters } from '../../src/views/clusters/project.ts'
import { entities } from '../../src/views/entities/project.ts'
import { graph } from '../../src/views/graph/project.ts'
import { jobs } from '../../src/views/jobs/project.ts'
import { changes, corrections, echo, monitors, stories, trends } from '../../src/views/row-per-event.ts'
import { A_DAY, aScoredArticle, axisVector } from './articles.ts'
import { aPoll, aStoryArticle } from './discourse.ts'

const VIEWS: readonly View[] = [
  jobs,
  articles,
  entities,
  clusters,
  echo,
  stories,
  corrections,
  graph,
  trends,
  changes,
  monitors,
]

/** Writes events to every view that reads their topic, one offset after the other, as the views' process would. */
export class ViewWriter {
  readonly #store: Store
  #offset = 0

  constructor(store: Store) {
    this.#store = store
  }

  scored = (...events: Parameters<typeof aScoredArticle>[0][]) => this.write(articlesScored, events.map(aScoredArticle))
  analyzed = (...events: Partial<ArticleAnalyzed>[]) => this.write(articlesAnalyzed, events.map(anAnalyzedArticle))
  clustered = (...events: Partial<ArticleClustered>[]) => this.write(articlesClustered, events.map(aClusteredArticle))
  enriched = (...events: Partial<StoryEnriched>[]) => this.write(storiesEnriched, events.map(anEnrichedStory))
  polled = (...events: Partial<PlatformPolled>[]) => this.write(discoursePolled, events.map(aPoll))
  linked = (...events: Partial<StoryLinked>[]) => this.write(storiesLinked, events.map(aLink))

  /** At the next offsets, or again at an earlier one. */
  async write<Event>(topic: Topic<Event>, events: readonly Event[], at?: number): Promise<void> {
    await this.#insert(topic, false, events, at)
  }

  async dead(letters: readonly DeadLetter<unknown>[]): Promise<void> {
    await this.#insert(articlesIngested, true, letters)
  }

  async #insert(topic: Topic<never>, dead: boolean, events: readonly unknown[], at?: number): Promise<void> {
    const first = at ?? this.#offset
    this.#offset = Math.max(this.#offset, first + events.length)
    const projections = VIEWS.flatMap((view) => view.projections).filter(
      (projection) => projection.reads.name === topic.name && projection.dead === dead,
    )
    const tables = new Map<string, Row[]>()
    for (const projection of projections) {
      for (const [i, event] of events.entries()) {
        for (const { table, row } of rowsOf(projection, input(topic.name, event, first + i))) {
          const rows = tables.get(table) ?? []
          rows.push(row)
          tables.set(table, rows)
        }
      }
    }
    for (const [table, rows] of tables) await this.#store.insert(table, rows)
  }
}

const rowsOf = (projection: Projection<never>, of: Input<unknown>) =>
  (projection.letters ?? projection.project)(of as Input<never>)

const input = (topic: string, event: unknown, offset: number): Input<unknown> => ({
  event,
  topic,
  place: { topic, partition: 0, offset },
  loggedAt: A_DAY + offset,
})

/** An entity with one mention for each start. */
export const anEntity = (name: string, type: EntityType = 'PERSON', starts: readonly number[] = [0]): Entity => ({
  entity_id: entityId(type, name),
  name,
  type,
  ...{ wikidata_id: null, place: null, time: null, money: null },
  mentions: starts.map((start) => ({
    surface: name,
    start,
    end: start + name.length,
    sentence: 0,
    sentiment_score: 0,
  })),
})

/** What an analysed article repeats of the scored one, and nothing more: the same keys as on the wire. */
const FACTS = [
  'namespace',
  'occurred_at',
  'caused_by',
  'produced_by',
  'article_id',
  'content_hash',
  'url',
  'title',
  'source',
  'author',
  'published_date',
  'dated',
  'text',
  'language',
  'quality_score',
  'genre',
  'semantic_hash',
  'title_vector',
  'lead_vector',
  'cross_title_vector',
  'cross_vector',
] as const satisfies readonly (keyof ArticleScored & keyof ArticleAnalyzed)[]

export function anAnalyzedArticle(over: Partial<ArticleAnalyzed> = {}): ArticleAnalyzed {
  const scored = aScoredArticle(over)
  const facts = Object.fromEntries(FACTS.map((name) => [name, scored[name]])) as Pick<
    ArticleScored,
    (typeof FACTS)[number]
  >
  return {
    ...facts,
    event_id: derivedId({ stage: 'analyzed', version: 'test' }, scored.event_id),
    direct: false,
    sentences: [{ start: 0, end: 60, sentiment_score: 0.1 }],
    sentence_vectors: i8('test:sentence', 384, [axisVector(0)]),
    entities: [anEntity('Ada Quill')],
    locations: [],
    sentiment_score: 0.1,
    sentiment_label: 'neutral',
    article_embedding: f32('test:article', axisVector(0)),
    truncated: false,
    analyzed_chars: scored.text.length,
    models: { sentiment: 'test' },
    ...over,
  }
}

/** A decision on an article; its event id follows from article, revision, cluster and action. */
export function aClusteredArticle(over: Partial<ArticleClustered> = {}): ArticleClustered {
  const event = aStoryArticle(over)
  const id = [event.article_id, event.content_hash, event.cluster_id, event.action].join('\n')
  return { ...event, event_id: derivedId({ stage: 'clustered', version: 'test' }, id), ...over }
}

interface StoryChangeOptions extends Partial<StoryChange> {
  readonly assignment_confidence?: number | null
  readonly namespace: string
  readonly action: StoryChangeAction
  /** The story that has the articles then. */
  readonly to: string
  readonly occurred_at: number
  readonly decision?: ArticleClustered['decision']
}

/** A change of stories; its event id follows from all it says. */
export function aStoryChange({
  namespace,
  action,
  to,
  occurred_at,
  decision,
  assignment_confidence = null,
  ...change
}: StoryChangeOptions): ArticleClustered {
  const id = JSON.stringify([action, to, occurred_at, change])
  return {
    ...aStoryArticle({ namespace, action, occurred_at, cluster_id: to, article_id: '', content_hash: '' }),
    ...(decision === undefined ? {} : { decision }),
    event_id: derivedId({ stage: 'clustered', version: 'test' }, id),
    member: NO_MEMBER,
    assignment_confidence,
    change: {
      from_cluster_id: null,
      article_ids: [],
      rebuild_day: null,
      rebuilt_from: null,
      subjects: [],
      correction: null,
      ...change,
    },
  }
}

export const anEnrichedStory = (over: Partial<StoryEnriched> = {}): StoryEnriched => ({
  event_id: `evt_enriched_${over.occurred_at ?? A_DAY}_${over.platform ?? 'reddit'}`,
  namespace: 'shared',
  occurred_at: A_DAY,
  caused_by: null,
  produced_by: { stage: 'enriched', version: 'test' },
  cluster_id: 'sto_bridge',
  platform: 'reddit',
  story_title: 'Harbour bridge to close',
  thread_urls: ['https://reddit.example/1'],
  fetched_at: A_DAY,
  comment_count_analyzed: 12,
  sentiment_score: -0.2,
  sentiment_label: 'negative',
  controversy_score: 0.4,
  dominant_themes: ['repairs'],
  editorial_entities: ['Ada Quill'],
  public_entities: ['Ada Quill', 'Bo Reed'],
  novel_entities: ['Bo Reed'],
  counter_narrative_detected: false,
  counter_narrative_summary: null,
  counter_narrative_confidence: 0,
  evidence: { novel_entities: { 'Bo Reed': ['https://reddit.example/1'] }, counter_narrative: [] },
  sample: { posts: 12, authors: 9, window_start: A_DAY - 1_000, window_end: A_DAY },
  source_status: 'live',
  ...over,
})

/** A word on the relationship of two stories; its event id follows from all it says. */
export const aLink = (over: Partial<StoryLinked> = {}): StoryLinked => ({
  event_id: derivedId({ stage: 'linked', version: 'test' }, JSON.stringify(over)),
  namespace: 'shared',
  occurred_at: A_DAY,
  caused_by: { topic: articlesClustered.name, partition: 0, offset: 0 },
  produced_by: { stage: 'linked', version: 'test' },
  kind: 'relationship',
  action: 'added',
  source: 'sto_a',
  target: 'sto_b',
  type: 'shared_entities',
  directed: false,
  confidence: 0.75,
  shared_entities: ['ent_a', 'ent_b', 'ent_c'],
  thread_id: null,
  thread_title: null,
  built: null,
  ...over,
})

/** A word on the thread a story is in. */
export const aThreadPlace = (over: Pick<StoryLinked, 'source' | 'thread_id'> & Partial<StoryLinked>): StoryLinked =>
  aLink({ kind: 'thread', type: 'thread', target: null, confidence: 0, shared_entities: [], ...over })
