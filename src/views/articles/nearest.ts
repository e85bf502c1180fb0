import { z } from 'zod'
import type { Store } from '../../ports/store.ts'
import { moment } from '../instant.ts'
import { query, type AsOf, type RowOf } from '../query.ts'
import { tokenId } from '../../events/ids.ts'

/**
 * The story of each article as of a point in time; articles without one have no row. As in `belonging`
 * (`clusters/as-of.ts`), an article exists from its first clustered revision on and belongs to the story of its newest
 * ledger entry.
 */
export const storyOf = query({
  name: 'articles.story_of',
  sql: `
    SELECT article_id, argMax(placements.cluster_id, _offset) AS cluster_id
    FROM placements FINAL
    PREWHERE article_id IN {article_ids: Array(String)}
    WHERE namespace = {namespace: String} AND valid_from <= {as_of: DateTime64(3, 'UTC')} AND article_id IN
    (
      SELECT article_id FROM members
      WHERE namespace = {namespace: String} AND article_id IN {article_ids: Array(String)}
        AND occurred_at <= {as_of: DateTime64(3, 'UTC')}
    )
    GROUP BY article_id`,
  params: z.object({ article_ids: z.array(z.string()), as_of: moment }),
  row: z.object({ article_id: z.string(), cluster_id: z.string() }),
})

/** A vector as a query's parameter: base64 of its float32 bytes. */
export const vectorParameter = z
  .custom<Float32Array>((given) => given instanceof Float32Array)
  .transform(({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength).toString('base64'))

const GIVEN = "reinterpret(base64Decode({vector: String}), 'Array(Float32)')"

/** A column of `article_vectors`: the vector of the English encoder, or the one that all languages share. */
type VectorColumn = 'vector' | 'cross_vector'

/** The rows that a ranking by a column has: together, each row once (see `Ranking`). */
const RANKED: Readonly<Record<VectorColumn, string>> = {
  vector: '({ranks_all: Bool} OR empty(cross_vector) OR language IN {english: Array(String)})',
  cross_vector: '(notEmpty(cross_vector) AND language NOT IN {english: Array(String)})',
}

const NearestParams = z.object({
  vector: vectorParameter,
  as_of: moment,
  min_quality: z.number(),
  /** An empty list stands for all languages. */
  languages: z.array(z.string()),
  english: z.array(z.string()),
  candidates: z.int(),
  reach: z.int(),
})

/** The columns with the signs of vectors: one bit for each of the first 384 components. */
const SIGNS: Readonly<Record<VectorColumn, string>> = { vector: '_signs', cross_vector: '_cross_signs' }
const GIVEN_SIGNS = `toFixedString(unbin(substring(arrayStringConcat(arrayMap(component -> if(component < 0, '0', '1'), ${GIVEN})), 1, 384)), 48)`

/**
 * The rows nearest to a vector, nearest first. They may include superseded revisions and repeated rows. The signs of all
 * vectors are compared, and the distances of the `candidates` with the most equal signs. Reads only narrow columns and
 * omits `FINAL`, which costs several times the comparison itself; the vectors are read of the candidates only.
 */
const nearestBy = (column: VectorColumn) => `
    SELECT
      article_id, _offset AS offset, cosineDistance(${column}, CAST(${GIVEN}, 'Array(BFloat16)')) AS distance
    FROM
    (
      SELECT article_id, _offset, ${column}
      FROM article_vectors
      WHERE namespace = {namespace: String} AND ({min_quality: Float64} = 0 OR quality_score >= {min_quality: Float64})
        AND occurred_at <= {as_of: DateTime64(3, 'UTC')}
        AND (empty({languages: Array(String)}) OR language IN {languages: Array(String)}) AND ${RANKED[column]}
      ORDER BY bitHammingDistance(${SIGNS[column]}, ${GIVEN_SIGNS})
      LIMIT {candidates: UInt32}
    )
    ORDER BY distance, article_id
    LIMIT {reach: UInt32}
    SETTINGS query_plan_max_limit_for_lazy_materialization = 100000`

const NearestRow = z.object({ article_id: z.string(), offset: z.number(), distance: z.number() })

const nearestRows = query({
  name: 'articles.nearest',
  sql: nearestBy('vector'),
  params: NearestParams.extend({ ranks_all: z.boolean() }),
  row: NearestRow,
})

const nearestRowsAcross = query({
  name: 'articles.nearest_across',
  sql: nearestBy('cross_vector'),
  params: NearestParams,
  row: NearestRow,
})

const OfArticles = z.object({ article_ids: z.array(z.string()), as_of: moment })

/** The fields that a search returns, from each article's current revision as of a point in time. */
const ShownArticle = z.object({
  article_id: z.string(),
  title: z.string().nullable(),
  url: z.string().nullable(),
  source: z.string().nullable(),
  published_date: z.string().nullable(),
  quality_score: z.number(),
  language: z.string(),
})
type ShownArticle = z.output<typeof ShownArticle>

/**
 * The current revision of each article as of a point in time, and its log offset. A text that is sent again keeps its
 * first offset: the same result as `FINAL`, at lower cost.
 */
const standing = query({
  name: 'articles.standing',
  sql: `
    SELECT
      article_id, argMax(content_hash, first) AS content_hash, max(first) AS offset, argMax(fields, first) AS shown,
      shown.1 AS title, shown.2 AS url, shown.3 AS source, shown.4 AS published_date, shown.5 AS quality_score,
      shown.6 AS language
    FROM
    (
      SELECT
        article_id, content_hash, min(_offset) AS first, argMin(occurred_at, _offset) AS at,
        argMin((title, url, source, published_date, quality_score, toString(language)), _offset) AS fields
      FROM article_vectors
      WHERE namespace = {namespace: String} AND article_id IN {article_ids: Array(String)}
      GROUP BY article_id, content_hash
    )
    WHERE at <= {as_of: DateTime64(3, 'UTC')}
    GROUP BY article_id`,
  params: OfArticles,
  row: ShownArticle.extend({
    content_hash: z.string(),
    /** Identifies the row that counts among repeated ones. */
    offset: z.number(),
  }),
})

/** A revision of an article and its distance. */
type NearRevision = RowOf<typeof standing> & {
  /** Cosine distance, 0 to 2. */
  readonly distance: number
}

export type NearArticle = NearRevision & {
  /** The article's story; `null` if it is in none. */
  readonly cluster_id: string | null
}

interface NearestArticlesQuery extends AsOf {
  readonly min_quality: number
  /** ISO 639-1, or `und`. Default: all. */
  readonly languages?: readonly string[] | undefined
  readonly limit: number
}

/** How a search ranks a part of the articles. Distances of two columns are never compared. */
export interface Ranking {
  readonly by: VectorColumn
  /** The query, float32[384], encoded as the column is. Called only if the ranking is needed. */
  readonly encode: () => Promise<Float32Array>
  /**
   * Articles in these languages are ranked by `vector`; others by `cross_vector` if they have one, otherwise by
   * `vector`. `null`: all articles are ranked by `vector`.
   */
  readonly english: readonly string[] | null
}

/** Ranks all articles by the vector of the English encoder. */
export const byVector = (vector: Float32Array): Ranking => ({
  ...{ by: 'vector', english: null },
  encode: () => Promise.resolve(vector),
})

/** Rows read in addition to the limit, because some are superseded revisions or repeats. */
const SPARE = 20
/** Rows whose distances are computed: with them, a million articles have the same ten nearest as with all (decision 075). */
const candidatesFor = (reach: number): number => 400 + 5 * reach

/** The rows that are nearest by a ranking, at most `reach`. */
async function nearest(store: Store, params: NearestArticlesQuery, { by, encode, english }: Ranking) {
  const { namespace, as_of, min_quality, languages = [] } = params
  const given = { namespace, as_of, min_quality, languages: [...languages], english: [...(english ?? [])] }
  const vector = await encode()
  return (reach: number) => {
    const bound = { ...given, vector, reach, candidates: candidatesFor(reach) }
    return by === 'vector'
      ? nearestRows(store)({ ...bound, ranks_all: english === null })
      : nearestRowsAcross(store)(bound)
  }
}

/**
 * The articles nearest by a ranking, nearest first, each once and in its current revision. The search reads more rows if
 * too few are current.
 */
async function nearestRevisions(
  store: Store,
  params: NearestArticlesQuery,
  ranking: Ranking,
): Promise<readonly NearRevision[]> {
  const { namespace, as_of, limit } = params
  const rowsWithin = await nearest(store, params, ranking)
  for (let reach = limit + SPARE; ; reach *= 4) {
    const rows = await rowsWithin(reach)
    if (rows.length === 0) return []

    const article_ids = [...new Set(rows.map(({ article_id }) => article_id))]
    const revisions = byArticle(await standing(store)({ namespace, article_ids, as_of }))
    const found = rows.flatMap(({ article_id, offset, distance }) => {
      const revision = revisions.get(article_id)
      if (revision?.offset !== offset) return []
      revisions.delete(article_id)
      return [{ ...revision, distance }]
    })
    if (found.length >= limit || rows.length < reach) return found.slice(0, limit)
  }
}

/** The articles of the first ranking, then those of the next until there are enough. */
async function rankedRevisions(
  store: Store,
  params: NearestArticlesQuery,
  rankings: readonly Ranking[],
): Promise<readonly NearRevision[]> {
  const found = new Map<string, NearRevision>()
  for (const ranking of rankings) {
    const limit = params.limit - found.size
    if (limit === 0) break
    for (const revision of await nearestRevisions(store, { ...params, limit }, ranking)) {
      // a row of before migration 034 that was written again is in both rankings
      if (!found.has(revision.article_id)) found.set(revision.article_id, revision)
    }
  }
  return [...found.values()]
}

/** `rankedRevisions` with the story of each article. */
export async function nearestArticles(
  store: Store,
  params: NearestArticlesQuery,
  rankings: readonly Ranking[],
): Promise<readonly NearArticle[]> {
  const revisions = await rankedRevisions(store, params, rankings)
  if (revisions.length === 0) return []

  const { namespace, as_of } = params
  const article_ids = revisions.map(({ article_id }) => article_id)
  const inside = byArticle(await storyOf(store)({ namespace, article_ids, as_of }))
  return revisions.map((revision) => ({ ...revision, cluster_id: inside.get(revision.article_id)?.cluster_id ?? null }))
}

const byArticle = <Row extends { readonly article_id: string }>(rows: readonly Row[]): Map<string, Row> =>
  new Map(rows.map((row) => [row.article_id, row]))

/**
 * Tokens of certain revisions, nearest to a vector first. The log offset identifies a revision; repeated rows are
 * returned once.
 */
const tokensOf = query({
  name: 'articles.tokens',
  sql: `
    SELECT
      article_id, content_hash, ordinal, text, pos_tag, entity_type, importance, context_sentiment,
      cosineDistance(components, ${GIVEN}) AS distance
    FROM tokens
    WHERE namespace = {namespace: String} AND article_id IN {article_ids: Array(String)}
      AND _offset IN {offsets: Array(UInt64)}
      AND notEmpty(components) -- a view of a version before writes none
    ORDER BY distance, article_id, ordinal
    LIMIT 1 BY article_id, ordinal
    LIMIT {limit: UInt32}`,
  params: z.object({
    vector: vectorParameter,
    article_ids: z.array(z.string()),
    offsets: z.array(z.number()),
    limit: z.int(),
  }),
  row: z.object({
    article_id: z.string(),
    content_hash: z.string(),
    ordinal: z.int(),
    text: z.string(),
    pos_tag: z.string(),
    entity_type: z.enum(['PERSON', 'ORG', 'GPE', 'LOC', 'O']),
    importance: z.number(),
    context_sentiment: z.number(),
    distance: z.number(),
  }),
})

export type NearToken = RowOf<typeof tokensOf> & {
  readonly token_id: string
  /** The article that contains the token. */
  readonly article: ShownArticle
}

/** Only tokens of this many articles, the nearest ones, are compared. */
const ARTICLES = 200

/**
 * The tokens nearest to a vector of the English encoder among those of the nearest articles. An article may appear
 * several times.
 */
export async function nearestTokens(
  store: Store,
  params: NearestArticlesQuery,
  vector: Float32Array,
): Promise<readonly NearToken[]> {
  const { namespace, limit } = params
  const revisions = await nearestRevisions(store, { ...params, limit: ARTICLES }, byVector(vector))
  if (revisions.length === 0) return []

  const tokens = await tokensOf(store)({
    namespace,
    vector,
    limit,
    article_ids: revisions.map(({ article_id }) => article_id),
    offsets: revisions.map(({ offset }) => offset),
  })
  const articles = byArticle(revisions)
  return tokens.flatMap((token) => {
    const { article_id, content_hash, ordinal } = token
    const article = articles.get(article_id)
    if (article === undefined) return []
    return [{ ...token, article, token_id: tokenId(article_id, content_hash, ordinal) }]
  })
}
