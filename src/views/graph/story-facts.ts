import { z } from 'zod'
import { ENTITY_TYPES, type EntityType } from '../../events/articles.ts'
import { pasts, type Pasts, type StoryPast } from '../../domain/graph/past.ts'
import type { GraphRules } from '../../domain/graph/rules.ts'
import { significant, type GraphStory, type LedgerLink, type NamedCount } from '../../domain/graph/story.ts'
import { countWords, titleWords } from '../../domain/graph/title-words.ts'
import type { Store } from '../../ports/store.ts'
import { query, type RowOf } from '../query.ts'

/** Ledger entries up to an offset (exclusive), and the story of each article by its last entry. */
const BELONGING = `
    placed AS (
      SELECT article_id, cluster_id, _offset FROM placements FINAL
      WHERE namespace = {namespace: String} AND _offset < {position: UInt64}
    ),
    assignments AS (SELECT article_id, argMax(cluster_id, _offset) AS cluster_id FROM placed GROUP BY article_id)`

/** These queries read a whole namespace and may run longer than the queries of the API. */
const MAX_SECONDS = 60

/** The number of stories that ever had an article, and the newest offset of them; no row if there are none. */
export const storyCount = query({
  name: 'graph.story_count',
  sql: `
    SELECT uniqExact(cluster_id) AS stories, max(_offset) AS newest
    FROM placements
    WHERE namespace = {namespace: String}
    HAVING stories > 0`,
  params: z.object({}),
  row: z.object({ stories: z.number(), newest: z.number() }),
  maxSeconds: MAX_SECONDS,
})

/**
 * One row per story with articles: their times and entities. `ids`, `types` and `mentions` have one string per article,
 * with the values of its entities in the same order, separated by spaces: one string is read faster than a nested
 * array.
 */
export const storyArticles = query({
  name: 'graph.story_articles',
  sql: `
    WITH ${BELONGING},
    opened AS (SELECT cluster_id, min(_offset) AS opened FROM placed GROUP BY cluster_id),
    facts AS (
      SELECT article_id, occurred_at, entity_ids, entity_types, entity_mentions, title, _offset FROM members FINAL
      WHERE namespace = {namespace: String} AND _offset < {position: UInt64}
      ORDER BY _offset DESC
      LIMIT 1 BY article_id
    ),
    articles AS (
      SELECT
        assignments.cluster_id AS cluster_id, toUnixTimestamp64Milli(facts.occurred_at) AS at, facts._offset AS came,
        arrayStringConcat(facts.entity_ids, ' ') AS of_ids, arrayStringConcat(facts.entity_types, ' ') AS of_types,
        arrayStringConcat(facts.entity_mentions, ' ') AS of_mentions, ifNull(facts.title, '') AS of_title
      FROM assignments INNER JOIN facts ON assignments.article_id = facts.article_id
      WHERE cityHash64(assignments.cluster_id) % {parts: UInt32} = {part: UInt32}
    ),
    stories AS (
      SELECT
        cluster_id, min(at) AS first_at, max(at) AS last_at, groupArray(of_ids) AS ids, groupArray(of_types) AS types,
        groupArray(of_mentions) AS mentions, groupArray(of_title) AS titles, max(came) AS newest
      FROM articles
      GROUP BY cluster_id
    )
    SELECT cluster_id, first_at, last_at, ids, types, mentions, titles, newest, opened.opened AS opened
    FROM stories INNER JOIN opened ON stories.cluster_id = opened.cluster_id`,
  params: z.object({ position: z.number(), parts: z.int(), part: z.int() }),
  row: z.object({
    cluster_id: z.string(),
    /** Milliseconds since 1970. */
    first_at: z.number(),
    last_at: z.number(),
    ids: z.array(z.string()),
    types: z.array(z.string()),
    mentions: z.array(z.string()),
    /** Empty if the article has no title. */
    titles: z.array(z.string()),
    /** Ledger offset of its newest article. */
    newest: z.number(),
    /** Ledger offset of the first assignment to the story. */
    opened: z.number(),
  }),
  maxSeconds: MAX_SECONDS,
})

/**
 * One row per story that was split off or merged. `split_from`: the story that the last split took articles from;
 * `merged_into`: the target of the last change that moved articles away, if it was a merge; each an empty string if
 * there is none. `split_at` and `merged_at`: valid from; 0 for a curator's correction, which applies at every point in
 * time.
 */
export const storyPasts = query({
  name: 'graph.story_pasts',
  sql: `
    WITH changes AS (
      SELECT
        cluster_id, ifNull(from_cluster_id, '') AS from_id, action, ifNull(correction_action, '') AS by_hand,
        if(action = 'corrected', 0, toUnixTimestamp64Milli(occurred_at)) AS at, _offset
      FROM story_changes FINAL
      WHERE namespace = {namespace: String} AND _offset < {position: UInt64} AND action != 'rebuilt'
        AND from_cluster_id IS NOT NULL AND from_cluster_id != cluster_id AND refused IS NULL AND notEmpty(article_ids)
    ),
    sides AS (
      SELECT
        if(leaves, from_id, cluster_id) AS story, leaves, if(leaves, cluster_id, from_id) AS other, at, _offset,
        leaves AND (action = 'merged' OR by_hand = 'merge') AS is_merge,
        NOT leaves AND (action = 'split' OR by_hand = 'split') AS is_split
      FROM changes ARRAY JOIN [true, false] AS leaves
      WHERE cityHash64(story) % {parts: UInt32} = {part: UInt32}
    ),
    ways AS (
      SELECT
        story, argMaxIf(other, _offset, is_split) AS split_from, argMaxIf(at, _offset, is_split) AS split_at,
        argMaxIf(if(is_merge, other, ''), _offset, leaves) AS merged_into, argMaxIf(at, _offset, leaves) AS merged_at
      FROM sides
      GROUP BY story
      HAVING split_from != '' OR merged_into != ''
    ),
    opened AS (
      SELECT cluster_id, min(_offset) AS opened FROM placements
      WHERE namespace = {namespace: String} AND cluster_id IN (SELECT story FROM ways)
      GROUP BY cluster_id
    )
    SELECT story AS cluster_id, split_from, split_at, merged_into, merged_at, opened.opened AS opened
    FROM ways INNER JOIN opened ON ways.story = opened.cluster_id`,
  params: z.object({ position: z.number(), parts: z.int(), part: z.int() }),
  row: z.object({
    cluster_id: z.string(),
    split_from: z.string(),
    split_at: z.number(),
    merged_into: z.string(),
    merged_at: z.number(),
    opened: z.number(),
  }),
  maxSeconds: MAX_SECONDS,
})

/**
 * The sum of the lead vectors of each story, in steps of 1/127 as in `quantised`: little-endian int32[384], base64.
 * Stories are identified by the ledger offset that opened them. One more number (-1) is appended, because ClickHouse
 * drops trailing zero bytes in `reinterpret(…, 'String')`.
 */
export const storyCentres = query({
  name: 'graph.story_centres',
  sql: `
    WITH wanted AS (
      SELECT cluster_id FROM placements
      WHERE namespace = {namespace: String} AND _offset IN {opened: Array(UInt64)}
    ),
    concerned AS (
      SELECT article_id FROM placements
      WHERE namespace = {namespace: String} AND cluster_id IN (SELECT cluster_id FROM wanted)
    ),
    assignments AS (
      SELECT article_id, argMax(cluster_id, _offset) AS cluster_id FROM placements FINAL
      PREWHERE article_id IN (SELECT article_id FROM concerned)
      WHERE namespace = {namespace: String} AND _offset < {position: UInt64}
      GROUP BY article_id
      HAVING cluster_id IN (SELECT cluster_id FROM wanted)
    ),
    facts AS (
      SELECT article_id, vector FROM members FINAL
      PREWHERE article_id IN (SELECT article_id FROM concerned)
      WHERE namespace = {namespace: String} AND _offset < {position: UInt64}
      ORDER BY _offset DESC
      LIMIT 1 BY article_id
    )
    SELECT
      assignments.cluster_id AS cluster_id,
      sumForEach(arrayMap(component -> toInt64(floor(127 * toFloat64(component) + 0.5)), facts.vector)) AS centre,
      base64Encode(reinterpret(arrayMap(sum -> toInt32(sum), arrayPushBack(centre, -1)), 'String')) AS packed
    FROM assignments INNER JOIN facts ON assignments.article_id = facts.article_id
    WHERE length(facts.vector) = 384
    GROUP BY assignments.cluster_id`,
  params: z.object({ position: z.number(), opened: z.array(z.number()) }),
  row: z.object({ cluster_id: z.string(), packed: z.string() }),
  maxSeconds: MAX_SECONDS,
})

/** A namespace up to a ledger offset. */
export interface GraphFactsUpTo {
  readonly namespace: string
  /** Offset in `articles.clustered`, exclusive. */
  readonly position: number
}

/** A story whose centre is read on demand, because few links depend on it. */
export interface ReadStory extends GraphStory {
  /** Ledger offset of the first assignment to the story; unique per story. */
  readonly opened: number
  /** Ledger offset of its newest article. */
  readonly newest: number
  readonly articles: number
  centre: Int32Array
}

export interface GraphStoryFacts {
  /** All stories with articles; their centres are not read yet. */
  readonly stories: readonly ReadStory[]
  readonly ledger: readonly LedgerLink[]
  /** Event time of the ledger entry that a link is derived from, by the link's source story. */
  readonly linkedAt: ReadonlyMap<string, number>
}

/** Rows per response: a namespace may have a million stories. */
export const ROWS_A_PART = 100_000

interface Part {
  readonly parts: number
  readonly part: number
}

/** Reads all rows of a query in parts. `count`: the number of rows, or an upper bound near it. */
export async function inParts<Row>(
  count: number,
  read: (part: Part) => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  const rows: Row[] = []
  const parts = Math.max(1, Math.ceil(count / ROWS_A_PART))
  for (let part = 0; part < parts; part++) for (const row of await read({ parts, part })) rows.push(row)
  return rows
}

const DIM = 384
const NO_CENTRE = new Int32Array(DIM)

type ArticlesRow = RowOf<typeof storyArticles>
type PastRow = RowOf<typeof storyPasts>

/** The input of the story graph. `count`: the number of stories, or an upper bound near it. */
export async function storyFacts(
  store: Store,
  { count, ...upTo }: GraphFactsUpTo & { readonly count: number },
  rules: GraphRules,
): Promise<GraphStoryFacts> {
  const pastRows = await inParts(count, (part) => storyPasts(store)({ ...upTo, ...part }))
  const rows = await inParts(count, (part) => storyArticles(store)({ ...upTo, ...part }))
  const pastById = new Map(pastRows.map((way) => [way.cluster_id, way]))

  const living = new Set(rows.map(({ cluster_id }) => cluster_id))
  const known = pasts([
    ...rows.map((row) => pastOf(row, pastById.get(row.cluster_id), true)),
    ...pastRows.filter(({ cluster_id }) => !living.has(cluster_id)).map((way) => pastOf(way, way, false)),
  ])
  return {
    stories: rows.map((row) => storyOf(row, known, rules)),
    ledger: pastRows.flatMap(({ cluster_id }) => known.linksFrom(cluster_id)),
    linkedAt: new Map(
      pastRows.map(({ cluster_id, ...way }) => [cluster_id, living.has(cluster_id) ? way.split_at : way.merged_at]),
    ),
  }
}

const pastOf = (
  { cluster_id, opened }: Pick<ArticlesRow, 'cluster_id' | 'opened'>,
  way: PastRow | undefined,
  living: boolean,
): StoryPast => ({
  cluster_id,
  order: opened,
  living,
  split_from: orNull(way?.split_from),
  merged_into: orNull(way?.merged_into),
})

const orNull = (id: string | undefined): string | null => (id === undefined || id === '' ? null : id)

function storyOf(row: ArticlesRow, known: Pasts, rules: GraphRules): ReadStory {
  const { cluster_id, first_at, last_at, opened, newest } = row
  return {
    cluster_id,
    first_at,
    last_at,
    opened,
    newest,
    articles: row.ids.length,
    entities: significant(namedIn(row), row.ids.length, rules),
    founded: known.foundingOf(cluster_id) ?? { cluster_id, order: opened },
    centre: NO_CENTRE,
    words: titleWords(countWords(row.titles), row.ids.length),
  }
}

/** Entity counts over all articles of a story. An article counts once per entity, however often it mentions it. */
function namedIn({ ids, types, mentions }: Pick<ArticlesRow, 'ids' | 'types' | 'mentions'>): Iterable<NamedCount> {
  const story = new Map<string, NamedCount>()
  for (const [i, named] of ids.entries()) {
    const [typesOfArticle, counts] = [words(types[i]), words(mentions[i])]
    const seen = new Set<string>()
    for (const [j, entity_id] of words(named).entries()) {
      const before = story.get(entity_id) ?? { entity_id, type: typeOf(typesOfArticle[j]), articles: 0, mentions: 0 }
      const articles = before.articles + (seen.has(entity_id) ? 0 : 1)
      story.set(entity_id, { ...before, articles, mentions: before.mentions + Number(counts[j]) })
      seen.add(entity_id)
    }
  }
  return story.values()
}

const words = (text: string | undefined): string[] => (text === undefined || text === '' ? [] : text.split(' '))
const TYPES = new Map<string, EntityType>(ENTITY_TYPES.map((type) => [type, type]))

function typeOf(text: string | undefined): EntityType {
  const type = TYPES.get(text ?? '')
  if (type === undefined) throw new Error(`unknown entity type: ${text ?? ''}`)
  return type
}

/** Offsets per query: a query parameter in the store's URL holds at most 128 KiB. */
const AT_ONCE = 8_000

/** Reads the centres of some stories and sets them. */
export async function readCentres(store: Store, upTo: GraphFactsUpTo, stories: ReadonlySet<ReadStory>): Promise<void> {
  const byId = new Map([...stories].map((story) => [story.cluster_id, story]))
  const opened = [...stories].map((story) => story.opened)
  for (let from = 0; from < opened.length; from += AT_ONCE) {
    const rows = await storyCentres(store)({ ...upTo, opened: opened.slice(from, from + AT_ONCE) })
    for (const { cluster_id, packed } of rows) {
      const story = byId.get(cluster_id)
      if (story !== undefined) story.centre = int32s(Buffer.from(packed, 'base64'))
    }
  }
}

/** The store and this machine both use little-endian numbers. */
const int32s = (bytes: Buffer): Int32Array =>
  new Int32Array(Uint8Array.prototype.slice.call(bytes, 0, DIM * Int32Array.BYTES_PER_ELEMENT).buffer)
