import { z } from 'zod'
import { GENRES } from '../../events/articles.ts'
import type { Store } from '../../ports/store.ts'
import { countedPage, cursorFields, cursors, type ListQuery } from '../cursor.ts'
import { FACTS } from '../entities/queries.ts'
import { moment } from '../instant.ts'
import { query, type AsOf } from '../query.ts'
import { storyOf } from './nearest.ts'
import { ARTICLE_FACTS } from './queries.ts'

/** Filters of a list of articles; articles that match all of them are listed. */
export interface ArticleListQuery extends ListQuery {
  /** Start of the window of event time, exclusive, in milliseconds since 1970. */
  readonly from: number
  /** End of the window, inclusive. */
  readonly until: number
  /** Ids of one entity; `null` for any article. */
  readonly entity_ids: readonly string[] | null
  /** Current story; `null` for any article. */
  readonly cluster_id: string | null
  /** Words that the title or text contains, all of them. */
  readonly words: readonly string[]
  /** Outlet: the source as given, or the host of the URL, in lower case; `null` for any. */
  readonly outlet: string | null
  readonly languages: readonly string[]
  /** Also list articles whose quality is too low for analysis and stories. */
  readonly below_gate: boolean
}

const { title, url, source, author, language, forwarded, text_source } = ARTICLE_FACTS
/** Columns of the article record that the list returns unchanged. */
export const LISTED_FACTS = { title, url, source, author, language, forwarded, text_source }

const FOUND_WORDS = `
        AND arrayAll(
          at -> at > 0,
          multiSearchAllPositionsCaseInsensitiveUTF8(concat(ifNull(title, ''), '\\n', text), {words: Array(String)})
        )`

const params = {
  from: moment,
  until: moment,
  as_of: moment,
  by_entity: z.boolean(),
  ids: z.array(z.string()),
  /** Empty for any. */
  cluster_id: z.string(),
  /** Empty for any. */
  outlet: z.string(),
  languages: z.array(z.string()),
  below_gate: z.boolean(),
  after: moment,
  after_id: z.string(),
  limit: z.int(),
}

const placedRow = z.object({
  article_id: z.string(),
  content_hash: z.string(),
  occurred_ms: z.number(),
  total: z.number(),
})

/**
 * A page of articles, newest first, as ids and revisions; `total` counts all pages. The newest revision of each article
 * as of a point in time is found by narrow columns; only these revisions are compared with the filters. `matching` is a
 * further condition.
 */
const pageSql = (matching: string): string => `
    WITH ${FACTS},
    in_window AS (
      SELECT article_id FROM articles
      WHERE namespace = {namespace: String}
        AND occurred_at > {from: DateTime64(3, 'UTC')} AND occurred_at <= {until: DateTime64(3, 'UTC')}
    ),
    placed AS (
      SELECT article_id, argMax(cluster_id, _offset) AS story
      FROM placements FINAL
      PREWHERE article_id IN
      (
        SELECT article_id FROM placements
        WHERE namespace = {namespace: String} AND cluster_id = {cluster_id: String}
      )
      WHERE namespace = {namespace: String} AND valid_from <= {as_of: DateTime64(3, 'UTC')}
      GROUP BY article_id
    ),
    newest AS (
      SELECT article_id, content_hash, occurred_at
      FROM articles FINAL
      PREWHERE article_id IN (SELECT article_id FROM in_window)
        AND (NOT {by_entity: Bool} OR article_id IN (SELECT article_id FROM facts))
        AND ({cluster_id: String} = '' OR article_id IN (SELECT article_id FROM placed WHERE story = {cluster_id: String}))
      WHERE namespace = {namespace: String} AND occurred_at <= {as_of: DateTime64(3, 'UTC')}
      ORDER BY _offset DESC
      LIMIT 1 BY article_id
    ),
    matching AS (
      SELECT article_id, content_hash, occurred_at, count() OVER () AS total
      FROM articles FINAL
      PREWHERE (article_id, content_hash) IN
      (
        SELECT article_id, content_hash FROM newest
        WHERE occurred_at > {from: DateTime64(3, 'UTC')} AND occurred_at <= {until: DateTime64(3, 'UTC')}
      )
      WHERE namespace = {namespace: String}
        AND ({outlet: String} = '' OR lowerUTF8(source) = {outlet: String} OR domainWithoutWWW(url) = {outlet: String})
        AND (empty({languages: Array(String)}) OR has({languages: Array(String)}, language))
        AND ({below_gate: Bool} OR forwarded)${matching}
    )
    SELECT article_id, content_hash, toUnixTimestamp64Milli(occurred_at) AS occurred_ms, total
    FROM matching
    WHERE (occurred_at, article_id) < ({after: DateTime64(3, 'UTC')}, {after_id: String})
    ORDER BY occurred_at DESC, article_id DESC
    LIMIT {limit: UInt32}`

const articlePage = query({ name: 'articles.page', sql: pageSql(''), params: z.object(params), row: placedRow })

/** The same for articles that contain words; only this query reads the texts. */
const articlePageByWords = query({
  name: 'articles.page_by_words',
  sql: pageSql(FOUND_WORDS),
  params: z.object({ ...params, words: z.array(z.string()) }),
  row: placedRow,
})

/** The listed columns of revisions, newest article first. */
const listedRevisions = query({
  name: 'articles.listed',
  sql: `
    SELECT article_id, ${Object.keys(LISTED_FACTS).join(', ')}, published_date, occurred_at, genre, quality_score
    FROM articles FINAL
    PREWHERE article_id IN {article_ids: Array(String)}
      AND has(arrayZip({article_ids: Array(String)}, {content_hashes: Array(String)}), (article_id, content_hash))
    WHERE namespace = {namespace: String}
    ORDER BY occurred_at DESC, article_id DESC`,
  params: z.object({ article_ids: z.array(z.string()), content_hashes: z.array(z.string()) }),
  row: z.object({
    article_id: z.string(),
    ...LISTED_FACTS,
    published_date: z.string().nullable(),
    occurred_at: z.string(),
    genre: z.enum(GENRES),
    quality_score: z.number(),
  }),
})

/** One row per analysed article: its sentiment, -1 to 1, in its newest analysis as of a point in time. */
const articleSentiments = query({
  name: 'articles.sentiments',
  sql: `
    SELECT article_id, argMax(sentiment_score, (NOT direct, _offset)) AS sentiment
    FROM analyzed_articles FINAL
    PREWHERE article_id IN {article_ids: Array(String)}
    WHERE namespace = {namespace: String} AND occurred_at <= {as_of: DateTime64(3, 'UTC')}
    GROUP BY article_id`,
  params: z.object({ article_ids: z.array(z.string()), as_of: moment }),
  row: z.object({ article_id: z.string(), sentiment: z.number() }),
})

const ArticlePosition = z.object({
  as_of: cursorFields.moment,
  from: cursorFields.moment,
  until: cursorFields.moment,
  occurred: cursorFields.moment,
  id: z.string(),
  seen: cursorFields.count,
})

const positions = cursors('articles', ArticlePosition)
/** Later than any article. */
const BEFORE_ALL = { occurred: 4_102_444_800_000, id: '' }

/**
 * A page of articles, newest first; `total` counts all pages. The window of a cursor is that of its first page. Throws
 * `InvalidCursor`.
 */
export async function listArticles(store: Store, request: ArticleListQuery) {
  const { namespace, as_of, from, until, cursor } = request
  const start = { ...BEFORE_ALL, as_of, from, until, seen: 0 }
  const { after, nextCursor } = countedPage(positions, { cursor, filters: filtersOf(request), start })
  const rows = await pageOf(store, request, after)
  const total = rows[0]?.total ?? after.seen
  return {
    articles: await itemsOf(store, { namespace, as_of: after.as_of }, rows),
    total,
    next_cursor: nextCursor(rows, total, ({ occurred_ms, article_id }, seen) => ({
      ...{ as_of: after.as_of, from: after.from, until: after.until, occurred: occurred_ms, id: article_id, seen },
    })),
  }
}

async function itemsOf(store: Store, at: AsOf, rows: readonly z.output<typeof placedRow>[]) {
  const article_ids = rows.map(({ article_id }) => article_id)
  const content_hashes = rows.map(({ content_hash }) => content_hash)
  const [revisions, stories, sentiments] = await Promise.all([
    listedRevisions(store)({ namespace: at.namespace, article_ids, content_hashes }),
    storyOf(store)({ ...at, article_ids }),
    articleSentiments(store)({ ...at, article_ids }),
  ])
  const storyById = new Map(stories.map(({ article_id, cluster_id }) => [article_id, cluster_id]))
  const sentimentById = new Map(sentiments.map(({ article_id, sentiment }) => [article_id, sentiment]))
  return revisions.map((revision) => ({
    ...revision,
    sentiment_score: sentimentById.get(revision.article_id) ?? null,
    cluster_id: storyById.get(revision.article_id) ?? null,
  }))
}

/** The parameters that must not change between pages: all but `limit` and the window, which the cursor carries. */
const filtersOf = ({ namespace, entity_ids, cluster_id, words, outlet, languages, below_gate }: ArticleListQuery) => [
  namespace,
  entity_ids,
  cluster_id,
  words,
  outlet,
  languages,
  below_gate,
]

type ArticlePosition = z.output<typeof ArticlePosition>

function pageOf(store: Store, request: ArticleListQuery, after: ArticlePosition) {
  const { namespace, entity_ids, cluster_id, words, outlet, languages, below_gate, limit } = request
  const { as_of, from, until, occurred, id } = after
  const bound = {
    ...{ namespace, as_of, from, until: Math.min(until, as_of), limit, below_gate },
    by_entity: entity_ids !== null,
    ids: [...(entity_ids ?? [])],
    cluster_id: cluster_id ?? '',
    outlet: outlet ?? '',
    languages: [...languages],
    after: occurred,
    after_id: id,
  }
  return words.length === 0 ? articlePage(store)(bound) : articlePageByWords(store)({ ...bound, words: [...words] })
}
