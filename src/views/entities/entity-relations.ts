import { z } from 'zod'
import { groupBy } from '../../domain/group-by.ts'
import { rounded } from '../../domain/rounding.ts'
import type { Store } from '../../ports/store.ts'
import { commonOffsets, type EntityIndex, type EntityPair } from './entity-index.ts'
import { overCurrentAnalyses } from './current-analyses.ts'
import { moment } from '../instant.ts'
import { query, type AsOf, type RowOf } from '../query.ts'

export const RELATION_TYPES = ['co_mention', 'causal', 'adversarial', 'collaborative'] as const
const places = z.array(z.number())
/** Pairs of entities: `ones[i]` and `others[i]`, in either order. */
const pairParameters = { places, ones: z.array(z.string()), others: z.array(z.string()) }

/** CTE: the sentences in the analyses of a window that mention both entities of a pair. */
const SENTENCES = `
    sentences AS (
      SELECT
        least(source_id, target_id) AS one, greatest(source_id, target_id) AS other, source_id, article_id,
        content_hash, direct, sentence, type, sentiment_score, occurred_at
      FROM sentence_relations FINAL
      PREWHERE (source_id, target_id) IN
        arrayConcat(
          arrayZip({ones: Array(String)}, {others: Array(String)}),
          arrayZip({others: Array(String)}, {ones: Array(String)})
        )
      WHERE namespace = {namespace: String} AND _offset IN {places: Array(UInt64)}
    )`

const KINDS = `
      one, other, type, uniqExact(article_id) AS articles, count() AS sentence_count, countIf(source_id = one) AS from_one,
      round(avg(sentiment_score), 6) AS sentiment`

const kind = z.object({
  /** The smaller id of the two. */
  one: z.string(),
  other: z.string(),
  type: z.enum(RELATION_TYPES),
  articles: z.number(),
  /** The number of sentences, and of those in which `one` acts. */
  sentence_count: z.number(),
  from_one: z.number(),
  /** -1 to +1: mean over the sentences. */
  sentiment: z.number(),
})

/** Per pair and type of relation in its sentences: the number of articles and the sentiment, most frequent first. */
const typesOfPairs = query({
  name: 'graph.types_of_pairs',
  sql: `
    WITH ${SENTENCES}
    SELECT ${KINDS}
    FROM sentences
    GROUP BY one, other, type
    ORDER BY one, other, articles DESC, sentence_count DESC, type`,
  params: z.object(pairParameters),
  row: kind,
})

/** `typesOfPairs` for all pairs among some entities, without sentences that only mention both. */
export const typesAmong = overCurrentAnalyses({
  name: 'graph.types_among',
  sql: (ctes, condition) => `
    WITH ${ctes}
    sentences AS (
      SELECT
        least(source_id, target_id) AS one, greatest(source_id, target_id) AS other, source_id, article_id, type,
        sentiment_score
      FROM sentence_relations FINAL
      PREWHERE source_id IN {ids: Array(String)} AND target_id IN {ids: Array(String)}
      WHERE namespace = {namespace: String} AND type != 'co_mention' AND ${condition}
    )
    SELECT ${KINDS}
    FROM sentences
    GROUP BY one, other, type
    ORDER BY one, other, articles DESC, sentence_count DESC, type`,
  params: z.object({ ids: z.array(z.string()) }),
  row: kind,
})

/** Sentences read per pair. More than are returned, because several of the newest may be reprints of one text. */
const QUOTES_READ = 8

/**
 * Per pair, the newest sentences with the relation type `types[i]`, each once even if reprints repeat it; `ones[i]` is
 * the smaller id.
 */
const quotesOfPairs = query({
  name: 'graph.quotes_of_pairs',
  sql: `
    WITH ${SENTENCES},
    wanted AS (
      SELECT * FROM sentences
      WHERE (one, other, type) IN
        arrayZip({ones: Array(String)}, {others: Array(String)}, {types: Array(String)})
      ORDER BY occurred_at DESC, article_id, sentence
      LIMIT ${QUOTES_READ} BY one, other
    ),
    quotes AS (
      SELECT article_id, content_hash, direct, sentence, any(quote) AS quote
      FROM relation_sentences
      PREWHERE article_id IN (SELECT article_id FROM wanted)
      WHERE namespace = {namespace: String}
      GROUP BY article_id, content_hash, direct, sentence
    ),
    quoted AS (
      SELECT one, other, article_id, occurred_at, sentence, quote
      FROM wanted INNER JOIN quotes USING (article_id, content_hash, direct, sentence)
      ORDER BY occurred_at DESC, article_id, sentence
      LIMIT 1 BY one, other, quote
    )
    SELECT one, other, article_id, quote
    FROM quoted
    ORDER BY occurred_at DESC, article_id, sentence
    LIMIT {limit: UInt8} BY one, other`,
  params: z.object({ ...pairParameters, types: z.array(z.string()), limit: z.int() }),
  row: z.object({ one: z.string(), other: z.string(), article_id: z.string(), quote: z.string() }),
})

/**
 * One row of parallel arrays: log offsets of analyses, their articles, and the articles' sentiment, -1 to +1. May
 * contain repeats.
 */
const textsAt = query({
  name: 'graph.texts_at',
  sql: `
    SELECT groupArray(_offset) AS at, groupArray(article_id) AS article_ids, groupArray(sentiment_score) AS feelings
    FROM analyzed_articles
    PREWHERE _offset IN {places: Array(UInt64)}
    WHERE namespace = {namespace: String}`,
  params: z.object({ places }),
  row: z.object({ at: z.array(z.number()), article_ids: z.array(z.string()), feelings: z.array(z.number()) }),
})

/**
 * One row of parallel arrays: articles and their syndication groups. Articles that were never clustered are missing.
 */
const reprintsAt = query({
  name: 'graph.reprints_at',
  sql: `
    WITH texts AS (
      SELECT article_id FROM analyzed_articles
      PREWHERE _offset IN {places: Array(UInt64)}
      WHERE namespace = {namespace: String}
    ),
    newest AS (
      SELECT article_id, argMax(syndication_group, _offset) AS origin
      FROM origins FINAL
      PREWHERE article_id IN (SELECT article_id FROM texts)
      WHERE namespace = {namespace: String} AND occurred_at <= {as_of: DateTime64(3, 'UTC')}
      GROUP BY article_id
    )
    SELECT groupArray(article_id) AS article_ids, groupArray(origin) AS origins FROM newest`,
  params: z.object({ places, as_of: moment }),
  row: z.object({ article_ids: z.array(z.string()), origins: z.array(z.string()) }),
})

/** Two entities, in either order. */
type Pair = Pick<EntityPair, 'one' | 'other'>

export type RelationType = (typeof RELATION_TYPES)[number]

/** Maximum number of quotes per relationship. */
export const MOST_CONTEXTS = 3

interface RelationsQuery extends AsOf {
  readonly pairs: readonly Pair[]
  /** `null` for the leading type of each pair. */
  readonly relation: RelationType | null
}

/**
 * How each pair is related in the articles that mention both, in the order of `pairs`. `origins` counts reprints of one
 * text once. `sentiment` is the mean over the sentences of the type, or over the articles if no sentence mentions both.
 */
export async function relationsOf(store: Store, index: EntityIndex, params: RelationsQuery) {
  const { namespace, as_of, pairs, relation } = params
  const offsetsOfPairs = pairs.map((pair) => commonOffsets(index, pair))
  const places = [...new Set(offsetsOfPairs.flat())]
  const ends = { ones: pairs.map(({ one }) => one), others: pairs.map(({ other }) => other) }
  const [kinds, texts] = await Promise.all([
    kindsAndQuotes(store, { namespace, places, ...ends }, { pairs, relation }),
    textsByOffset(store, { namespace, places }, as_of),
  ])
  return kinds.map(({ pair, type, kind, quoted }, i) => {
    const own = (offsetsOfPairs[i] ?? []).flatMap((place) => texts.get(place) ?? [])
    return {
      type,
      direction: kind === undefined ? null : directionOf(pair, kind),
      origins: new Set(own.map(({ origin }) => origin)).size,
      contexts: quoted.map(({ quote }) => quote),
      context_article_ids: quoted.map(({ article_id }) => article_id),
      sentiment: kind?.sentiment ?? mean(own.map(({ feeling }) => feeling)),
    }
  })
}

/** Some analyses, by log offset. */
interface SomeAnalyses {
  readonly namespace: string
  readonly places: number[]
}

/**
 * The source text and sentiment of the articles, by log offset: `origin` is equal for reprints of one text, `feeling`
 * is -1 to +1.
 */
async function textsByOffset(store: Store, window: SomeAnalyses, as_of: number) {
  const [[texts], [reprints]] = await Promise.all([textsAt(store)(window), reprintsAt(store)({ ...window, as_of })])
  const origins = new Map(reprints?.article_ids.map((id, i) => [id, reprints.origins[i] ?? id]))
  return new Map(
    texts?.at.map((place, i) => {
      const article_id = texts.article_ids[i] ?? ''
      return [place, { origin: origins.get(article_id) ?? article_id, feeling: texts.feelings[i] ?? 0 }]
    }),
  )
}

const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : rounded(values.reduce((sum, value) => sum + value, 0) / values.length)

interface PairsQuery extends SomeAnalyses {
  readonly ones: string[]
  readonly others: string[]
}

async function kindsAndQuotes(
  store: Store,
  params: PairsQuery,
  { pairs, relation }: Pick<RelationsQuery, 'pairs' | 'relation'>,
) {
  const kinds = kindsOf(pairs, await typesOfPairs(store)(params), relation)
  const quotes = groupBy(await quotesOf(store, params, kinds), keyOf)
  return kinds.map((of) => ({ ...of, quoted: quotes.get(keyOf(of.pair)) ?? [] }))
}

type Kind = RowOf<typeof typesOfPairs>

/** The same for both orders of a pair. */
export const keyOf = ({ one, other }: Pair): string => (one < other ? `${one} ${other}` : `${other} ${one}`)

/** The requested or leading type of each pair, with its row of `types`, which are ordered by descending articles. */
function kindsOf(pairs: readonly Pair[], types: readonly Kind[], relation: RelationType | null) {
  const byPair = groupBy(types, keyOf)
  return pairs.map((pair) => {
    const kinds = byPair.get(keyOf(pair)) ?? []
    const leading = relation ?? leadingType(kinds)
    return { pair, type: leading, kind: kinds.find(({ type }) => type === leading) }
  })
}

/** The type other than `co_mention` that most articles have; `co_mention` if there is none. */
export const leadingType = (kinds: readonly Pick<Kind, 'type'>[]): RelationType =>
  kinds.find(({ type }) => type !== 'co_mention')?.type ?? 'co_mention'

/** Which entity acts in most of the sentences; `null` if neither does, or both equally often. */
function directionOf({ one, other }: Pair, { type, sentence_count, from_one }: Kind): 'outbound' | 'inbound' | null {
  if (type === 'co_mention' || from_one * 2 === sentence_count) return null
  const isOfSmaller = from_one * 2 > sentence_count
  return isOfSmaller === one < other ? 'outbound' : 'inbound'
}

async function quotesOf(store: Store, { namespace, places }: SomeAnalyses, kinds: ReturnType<typeof kindsOf>) {
  const withKind = kinds.filter(({ kind }) => kind !== undefined)
  if (withKind.length === 0) return []
  return quotesOfPairs(store)({
    namespace,
    places,
    ones: withKind.map(({ kind }) => kind?.one ?? ''),
    others: withKind.map(({ kind }) => kind?.other ?? ''),
    types: withKind.map(({ type }) => type),
    limit: MOST_CONTEXTS,
  })
}
