import type { Row, Store } from '../../ports/store.ts'
import { instant } from '../../views/instant.ts'
import { entityName, storyName, typeOf } from './zipf-stories.ts'

/** Stories per insert: as many as a view writes at once when it lags behind. */
const PART = 2_000
const DIM = 384
const MINUTE_MS = 60_000
const BEGINS = Date.UTC(2026, 0)
/** One in this many stories has a second article. */
const SECOND_EVERY = 2

/**
 * Writes stories into the tables of the views. Each begins a minute after the previous one. Returns the number of
 * articles.
 */
export async function fillStories(
  store: Store,
  namespace: string,
  sets: readonly (readonly number[])[],
): Promise<number> {
  let offset = 0
  for (let from = 0; from < sets.length; from += PART) {
    const articles = sets.slice(from, from + PART).flatMap((set, i) => {
      const story = from + i
      const count = story % SECOND_EVERY === 0 ? 2 : 1
      return Array.from({ length: count }, (_, nth): FillArticle => ({ namespace, story, nth, set, offset: offset++ }))
    })
    await store.insert('members', articles.map(memberRow))
    await store.insert('placements', articles.map(placementRow))
    await store.insert('entity_articles', articles.flatMap(entityRows))
  }
  return offset
}

interface FillArticle {
  readonly namespace: string
  readonly story: number
  /** The index of the article in its story, from 0. */
  readonly nth: number
  readonly set: readonly number[]
  readonly offset: number
}

const idOf = ({ story, nth }: FillArticle): string => `art_bench${story}x${nth}`
const commonColumns = (article: FillArticle) => ({
  ...{ namespace: article.namespace, article_id: idOf(article), dated: true },
  ...{ _log_at: instant(BEGINS), _partition: 0, _offset: article.offset },
})
const timeOf = ({ story, nth }: FillArticle): string => instant(BEGINS + (story + nth * 30) * MINUTE_MS)

const memberRow = (article: FillArticle): Row => ({
  ...commonColumns(article),
  event_id: `evt_${idOf(article)}`,
  ...{ content_hash: '', occurred_at: timeOf(article), title: null, url: null, source: null, publisher: '' },
  ...{ publisher_family: null, published_date: timeOf(article), semantic_hash: '', quality_score: 0.8 },
  genre: 'report' as const,
  ...{ sentiment_score: 0, sentiment_label: 'neutral', categories: [] },
  entity_ids: article.set.map(entityName),
  entity_names: article.set.map(entityName),
  entity_types: article.set.map(typeOf),
  entity_mentions: article.set.map(() => 1),
  entity_countries: article.set.map(() => ''),
  vector: direction(article),
})

const placementRow = (article: FillArticle): Row => ({
  ...commonColumns(article),
  event_id: `evt_${idOf(article)}`,
  ...{ cluster_id: storyName(article.story), action: article.nth === 0 ? 'opened' : 'joined' },
  valid_from: timeOf(article),
})

const entityRows = (article: FillArticle): readonly Row[] =>
  article.set.map((entity) => ({
    ...commonColumns(article),
    ...{ entity_id: entityName(entity), name: entityName(entity), type: typeOf(entity) },
    ...{ content_hash: '', direct: false },
    ...{ occurred_at: timeOf(article), mention_count: 1, sentiment_score: 0 },
    ...{ surfaces: [entityName(entity)], surface_counts: [1], within: [] },
  }))

/**
 * Half of the stories with the same first entity have the same direction: two pairs in five are chapters, as in news.
 */
function direction({ set, story }: FillArticle): Float32Array {
  const vector = new Float32Array(DIM)
  vector[((set[0] ?? 0) * 2 + (story % 2)) % DIM] = 1
  return vector
}
