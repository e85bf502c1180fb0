/**
 * SQL that writes generated articles into the tables of the views: copies of the rows of base articles under other ids,
 * at other times, with other vectors. ClickHouse makes them by itself, so that a million articles take minutes.
 */

/** The namespace of the base articles, which went through the pipeline. */
export const BASE = 'bench-base'
/** The namespace of the generated articles. */
export const FILLED = 'shared'

const ARTICLES_PER_STORY = 4
/** Event times cover a month, each day of which has as many articles. */
const SPAN_MS = 30 * 86_400_000
/** The articles of a story are published within this time. */
const STORY_MS = 36 * 3_600_000
/** The log takes an article this long after its event time. */
const LATE_SECONDS = 60

/** An entity of at most this many base articles is rare. A rare entity is shared by few copies: most names are rare. */
const RARE = 2
const COPIES_OF_RARE = 4

/** The parts of base vectors in a vector, as in `bench/state/vectors.ts`: those of its story, and its own. */
const STORY_PARTS = [0.65, 0.5, 0.42, 0.38]
const OWN_PARTS = [0.58, 0.58, 0.58]

export interface Generated {
  readonly baseArticles: number
  /** The copies of each base article. */
  readonly copies: number
  /** The end of the event times, milliseconds since 1970. */
  readonly endsAt: number
}

/** Ids have the lower-case base32 alphabet, which lacks 0, 1, 8 and 9. */
const id = (prefix: string, length: number, ...of: readonly string[]): string =>
  `concat('${prefix}', substring(translate(lower(hex(sipHash128(${of.join(', ')}))), '0189', 'wxyz'), 1, ${length}))`

const articleId = (of: string): string => id('art_', 26, of, 'k')
const isRare = (entity: string): string => `joinGet('bench_entities', 'articles', ${entity}) <= ${RARE}`
const group = `intDiv(k, ${COPIES_OF_RARE})`
const entityId = (entity: string): string => `if(${isRare(entity)}, ${id('ent_', 16, entity, group)}, ${entity})`
const entityName = (entity: string, name: string): string =>
  `if(${isRare(entity)}, concat(${name}, ' ', toString(${group})), ${name})`

/** Small tables that find the number, the story and the vector of a base article. They are created again at each start. */
export const lookups = (): readonly string[] => [
  ...['bench_articles', 'bench_entities', 'bench_vectors'].map((table) => `DROP TABLE IF EXISTS ${table} SYNC`),
  `CREATE TABLE bench_articles (article_id String, nth UInt32, story UInt32, later UInt32) ENGINE = Join(ANY, LEFT, article_id)`,
  // stories that follow each other are put together, so that a story has four articles on average
  `INSERT INTO bench_articles
    WITH placed AS (
      SELECT article_id, cluster_id, min(occurred_at) OVER (PARTITION BY cluster_id) AS first
      FROM current_members WHERE namespace = '${BASE}'
    )
    SELECT
      article_id, row_number() OVER (ORDER BY first, cluster_id, article_id) - 1 AS nth,
      intDiv((dense_rank() OVER (ORDER BY first, cluster_id) - 1) * ceil(count() OVER () / ${ARTICLES_PER_STORY}), (SELECT uniqExact(cluster_id) FROM placed)) AS story,
      sipHash64(article_id) % ${STORY_MS} AS later
    FROM placed`,
  `CREATE TABLE bench_entities (entity_id String, articles UInt32) ENGINE = Join(ANY, LEFT, entity_id)`,
  `INSERT INTO bench_entities
    SELECT entity_id, uniqExact(article_id) FROM entity_articles WHERE namespace = '${BASE}' GROUP BY entity_id`,
  `CREATE TABLE bench_vectors (nth UInt32, rest Array(Float32)) ENGINE = Join(ANY, LEFT, nth)`,
  `INSERT INTO bench_vectors
    WITH (SELECT avgForEach(embedding) FROM articles WHERE namespace = '${BASE}') AS mean
    SELECT joinGet('bench_articles', 'nth', article_id), arrayMap((one, other) -> one - other, embedding, mean)
    FROM articles FINAL
    WHERE namespace = '${BASE}' AND article_id IN (SELECT article_id FROM bench_articles)
    ORDER BY _offset DESC
    LIMIT 1 BY article_id`,
]

const OTHER_EVENT = { event_id: id('evt_', 26, 'base.event_id', 'k') }
const OTHER_URL = { url: "concat(base.url, '?copy=', toString(k))" }
const OTHER_TEXT = { semantic_hash: 'lower(hex(sipHash64(base.semantic_hash, k)))' }

/** The columns of each table that a copy does not share with its base row, in terms of `base` and `helpersOf`. */
const replacedIn = (baseArticles: number): Readonly<Record<string, Readonly<Record<string, string>>>> => ({
  articles: {
    ...{ ...timed('occurred_at'), ...OTHER_URL, ...OTHER_TEXT, ...OTHER_EVENT },
    embedding_id: id('emb_', 26, 'base.embedding_id', 'k'),
  },
  article_vectors: { ...timed('occurred_at'), ...OTHER_URL, vector: mixtureOf(baseArticles) },
  analyzed_articles: { ...timed('occurred_at'), ...OTHER_URL, ...OTHER_TEXT },
  mentions: { occurred_at: 'at', ...ofEntity() },
  entity_articles: { occurred_at: 'at', ...ofEntity() },
  members: {
    ...{ ...timed('occurred_at'), ...OTHER_EVENT, ...OTHER_URL, ...OTHER_TEXT },
    entity_names: `arrayMap((id, name) -> ${entityName('id', 'name')}, base.entity_ids, base.entity_names)`,
    entity_ids: `arrayMap(id -> ${entityId('id')}, base.entity_ids)`,
  },
  placements: { ...OTHER_EVENT, cluster_id: 'other_story', valid_from: 'at' },
  subject_listings: { ...OTHER_EVENT, cluster_id: id('sto_', 26, 'base.cluster_id', 'k'), valid_from: 'at' },
  origins: {
    ...{ ...OTHER_EVENT, occurred_at: 'at' },
    syndication_group: id('syn_', 26, 'base.syndication_group', 'k'),
    duplicate_of: `if(isNull(base.duplicate_of), NULL, ${articleId('assumeNotNull(base.duplicate_of)')})`,
    derived_from: `if(isNull(base.derived_from), NULL, ${articleId('assumeNotNull(base.derived_from)')})`,
  },
  cluster_decisions: { ...OTHER_EVENT, cluster_id: 'other_story', occurred_at: 'at' },
  sentence_relations: {
    ...{ occurred_at: 'at', source_id: entityId('base.source_id'), target_id: entityId('base.target_id') },
  },
  relation_sentences: {},
  tokens: {},
})

function timed(column: string): Readonly<Record<string, string>> {
  return { [column]: 'at', published_date: 'if(isNull(base.published_date), NULL, at)' }
}

function ofEntity(): Readonly<Record<string, string>> {
  return { name: entityName('base.entity_id', 'base.name'), entity_id: entityId('base.entity_id') }
}

/** The tables that are copied row by row. */
export const COPIED = Object.keys(replacedIn(0))

/** Writes the copies `from` to `to` (exclusive) of the rows of a table. */
export function copies(table: string, { from, to }: { readonly from: number; readonly to: number }, of: Generated) {
  const replaced = {
    ...replacedIn(of.baseArticles)[table],
    article_id: 'other_article',
    _log_at: `at + INTERVAL ${LATE_SECONDS} SECOND`,
    _partition: '0',
    _offset: 'place',
    namespace: `'${FILLED}'`,
  }
  const helpers = Object.entries(helpersOf(of))
  return `
    INSERT INTO ${table}
    SELECT * EXCEPT (k, ${helpers.map(([name]) => name).join(', ')})
      REPLACE (${Object.entries(replaced)
        .map(([column, expression]) => `${expression} AS ${column}`)
        .join(', ')})
    FROM
    (
      SELECT *, arrayJoin(range(${from}, ${to})) AS k, ${helpers.map(([name, sql]) => `${sql} AS ${name}`).join(', ')}
      FROM ${table} FINAL
      WHERE namespace = '${BASE}' AND article_id IN (SELECT article_id FROM bench_articles)
    ) AS base`
}

/** What the expressions above are made of, by name: columns of the inner query. */
function helpersOf({ copies, endsAt }: Generated): Readonly<Record<string, string>> {
  const beginsAt = endsAt - SPAN_MS
  return {
    nth: "joinGet('bench_articles', 'nth', article_id)",
    story: "joinGet('bench_articles', 'story', article_id)",
    // the story begins at the time of the copy, and the article follows within the time of a story
    elapsed: `intDiv(toUInt64(k) * ${SPAN_MS - STORY_MS}, ${copies}) + joinGet('bench_articles', 'later', article_id)`,
    at: `fromUnixTimestamp64Milli(toInt64(${beginsAt} + elapsed), 'UTC')`,
    place: `elapsed * 10000 + nth`,
    other_article: articleId('article_id'),
    other_story: id('sto_', 26, 'story', 'k'),
  }
}

/**
 * The vector of a copy: that of its base article, mixed with vectors of others, of which some are the same within its
 * story. So a query has neighbours at all distances, and random articles are as similar as random base articles.
 */
function mixtureOf(articles: number): string {
  const rest = (nth: string): string => `joinGet('bench_vectors', 'rest', toUInt32(${nth} % ${articles}))`
  const fraction = (...seed: readonly string[]): string => `toFloat32(sipHash64(${seed.join(', ')}) % 1000 / 1000)`
  const shared = `(0.28 + 0.55 * sqrt(${fraction('story', 'k')}))`
  const own = `(0.3 + 0.6 * ${fraction('nth', 'k')})`
  const parts = [
    { weight: own, vector: rest('nth') },
    ...STORY_PARTS.map((part, i) => ({
      weight: `${part} * sqrt((1 - ${own} * ${own}) * ${shared})`,
      vector: rest(`sipHash64(story, k, ${i})`),
    })),
    ...OWN_PARTS.map((part, i) => ({
      weight: `${part} * sqrt((1 - ${own} * ${own}) * (1 - ${shared}))`,
      vector: rest(`sipHash64(nth, k, ${i})`),
    })),
  ]
  const mean = `(SELECT avgForEach(embedding) FROM articles WHERE namespace = '${BASE}')`
  const sum = parts.map(({ weight, vector }) => `${vector} * toFloat32(${weight})`).join(' + ')
  return `CAST(${mean} + ${sum}, 'Array(BFloat16)')` // not of unit length, which cosines do not need
}

/** Rows of stories as a whole, which no base row has: their states, settlements, and the days that were reclustered. */
export const wholeStories = ({ copies, endsAt }: Generated): readonly string[] => {
  const beginsAt = endsAt - SPAN_MS
  const stories = `
    (
      SELECT DISTINCT story, arrayJoin(range(0, ${copies})) AS k FROM bench_articles
    )`
  const elapsed = `(intDiv(toUInt64(k) * ${SPAN_MS - STORY_MS}, ${copies}) + ${STORY_MS})`
  const at = `fromUnixTimestamp64Milli(toInt64(${beginsAt} + ${elapsed}), 'UTC')`
  const place = `'${FILLED}' AS namespace, ${at} AS _log_at, 0 AS _partition, ${elapsed} * 10000 AS _offset`
  return [
    `INSERT INTO settlements (cluster_id, event_id, article_count, assignment_confidence, occurred_at, dated, namespace, _log_at, _partition, _offset)
      SELECT ${id('sto_', 26, 'story', 'k')}, ${id('evt_', 26, "'settled'", 'story', 'k')}, ${ARTICLES_PER_STORY}, 0.9, ${at}, false, ${place} FROM ${stories}`,
    `INSERT INTO transitions (cluster_id, event_id, lifecycle_state, previous_state, rule, facts, evaluated_at, decided_by, namespace, _log_at, _partition, _offset)
      SELECT ${id('sto_', 26, 'story', 'k')}, ${id('evt_', 26, "'state'", 'story', 'k')}, 'mature', 'developing', 'mature', map(), ${at}, 'transitioned', ${place} FROM ${stories}`,
    `INSERT INTO story_changes (event_id, action, cluster_id, from_cluster_id, article_ids, occurred_at, dated, rebuild_day, rebuilt_from, rule, threshold, namespace, _log_at, _partition, _offset)
      SELECT
        concat('evt_rebuilt', toString(number)), 'rebuilt', '', NULL, [], at, false, toString(toDate(at)),
        toString(toDate(at)), 'linkage', 0, '${FILLED}', at, 0, (number + 1) * 864000000000
      FROM (SELECT number, fromUnixTimestamp64Milli(toInt64(${beginsAt} + (number + 1) * 86400000), 'UTC') AS at FROM numbers(29))`,
  ]
}
