import { z } from 'zod'
import { GENRES } from '../../events/articles.ts'
import { centralHeadline } from '../../language/headlines/central-headline.ts'
import { inOneLanguage } from '../../language/headlines/one-language.ts'
import { withoutLoneSurnames } from '../../language/names/surname-alone.ts'
import type { Store } from '../../ports/store.ts'
import { moment } from '../instant.ts'
import { ASSIGNMENT_CONFIDENCE, concernedByIds, originalsOf, settlementOf, type Grouping } from './as-of.ts'
import { ITEMS, STORED_ITEMS_OF, storedOrFacts } from './derived-rows.ts'
import { IS_SETTLED, SETTLED_DAYS } from './figures.ts'
import { itemsOfFacts, membersAndCentres } from './item-rows.ts'
import { query, type AsOf } from '../query.ts'

const STORED_ITEMS = `
    items AS (
      SELECT * REPLACE (arraySlice(entities, 1, {max_entities: UInt32}) AS entities) FROM story_items FINAL
      ${STORED_ITEMS_OF}
    )`

const SELECT_ITEMS = `
    ${SETTLED_DAYS}
    SELECT
      cluster_id, headlines, length(members) AS article_count, source_count, publisher_count,
      arrayMap(member -> (member.3, member.4, member.5), members) AS texts,
      ${IS_SETTLED} AS is_settled,
      languages, members[1].1 AS created_at, updated_at, first_published, last_published, positive, neutral, negative,
      arrayMap(member -> member.2, members) AS articles, entities, geographic_spread, categories
    FROM items`

const ItemRow = z.object({
  cluster_id: z.string(),
  /** The members nearest to the centre, those in English preferred; oldest first. */
  headlines: z.array(
    z.object({
      article_id: z.string(),
      title: z.string().nullable(),
      genre: z.enum(GENRES),
      similarity: z.number(),
      language: z.string(),
    }),
  ),
  article_count: z.number(),
  source_count: z.number(),
  publisher_count: z.number(),
  /** Per member: its origin, the origin that it derives from (or an empty string), and its cosine to the centre. */
  texts: z.array(z.tuple([z.string(), z.string(), z.number()])),
  /** 1 if every member arrived, and was last revised, before the last recluster of its day. */
  is_settled: z.number(),
  /** Of the members: ISO 639-1, or `und`. */
  languages: z.array(z.string()),
  created_at: z.string(),
  updated_at: z.string(),
  first_published: z.string().nullable(),
  last_published: z.string().nullable(),
  positive: z.number(),
  neutral: z.number(),
  negative: z.number(),
  articles: z.array(z.string()),
  entities: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      type: z.string(),
      mention_count: z.number(),
      article_count: z.number(),
    }),
  ),
  /** ISO 3166-1 alpha-2, most articles first. */
  geographic_spread: z.array(z.string()),
  /** Categories of at least a third of the members, most frequent first. */
  categories: z.array(z.string()),
})

interface ItemsQuery extends AsOf {
  readonly ids: string[]
  readonly max_entities: number
}

/**
 * Extra entities that are read but not returned: a top entity may be a surname whose full name ranks below the page.
 */
const MORE_ENTITIES = 50
/** Entities of a row of `story_items`: enough for each list, and for the chapters of a thread. */
export const STORED_ENTITIES = 20 + MORE_ENTITIES

const itemRows = (name: string, items: string) =>
  query({
    name,
    sql: `WITH ${items},\n${SELECT_ITEMS}`,
    params: z.object({ ids: z.array(z.string()), as_of: moment, max_entities: z.int() }),
    row: ItemRow,
  })

const rowsOfFacts = (name: string, from: Grouping) =>
  itemRows(name, `${concernedByIds(from)},${itemsOfFacts('{ids: Array(String)}', from)}`)

type ReadItems = (store: Store) => (request: ItemsQuery) => Promise<readonly z.output<typeof ItemRow>[]>

/**
 * Some clusters as of a point in time, one row each, unordered. `title` is the title of the representative article;
 * `null` if no member has a title. `entities` are ordered by articles, then by mentions; a lone surname is merged with
 * the person whose full name the story mentions (`withoutLoneSurnames`).
 */
const itemsOf =
  (ask: ReadItems) =>
  (store: Store) =>
  async ({ max_entities, ...params }: ItemsQuery) => {
    const rows = await ask(store)({ ...params, max_entities: max_entities + MORE_ENTITIES })
    const withArticles = rows.filter(({ article_count }) => article_count > 0)
    return withArticles.map((row) => {
      const central = centralHeadline(inOneLanguage(row.headlines))
      return {
        ...row,
        entities: withoutLoneSurnames(row.entities, row.article_count).slice(0, max_entities),
        title: central?.title ?? null,
        representative_article_id: central?.article_id ?? '',
      }
    })
  }

const storyRows = rowsOfFacts('clusters.items', 'placements')
const listedRows = storedOrFacts(ITEMS, { stored: itemRows('clusters.items_stored', STORED_ITEMS), facts: storyRows })

/** Stories with few entities are read from stored rows, as far as these hold. */
export const clusterItems = itemsOf((store) => (request) => {
  const areStored = request.max_entities <= STORED_ENTITIES
  return areStored ? listedRows(store)(request) : storyRows(store)(request)
})
export const subjectItems = itemsOf(rowsOfFacts('subjects.items', 'subject_listings'))

const translation = z
  .object({ length_distance: z.number(), sentences: z.number(), shared_numerals: z.number(), numerals: z.number() })
  .nullable()
/** As stored: a map, empty for `null`. */
const storedTranslation = z
  .record(z.string(), z.number())
  .transform((found) => translation.parse(Object.keys(found).length === 0 ? null : found))

/** A member as responses show it, in its newest revision as of the point in time. */
export const shownMember = z.object({
  article_id: z.string(),
  title: z.string().nullable(),
  source: z.string().nullable(),
  url: z.string().nullable(),
  published_date: z.string().nullable(),
  genre: z.enum(GENRES),
  language: z.string(),
  similarity: z.number(),
  assignment_confidence: z.number().nullable(),
  is_duplicate_of: z.string().nullable(),
  derived_from: z.string().nullable(),
  translation,
  publisher_family: z.string().nullable(),
  origin: z.string(),
})

/**
 * Members of some clusters as of a point in time, oldest first. `is_duplicate_of` is the original of the syndication
 * group, determined as in `articleOrigin`, even if it is in another cluster; without a group, it is the first member
 * with the same body.
 */
const membersOf = (name: string, from: Grouping) =>
  query({
    name,
    sql: `
    WITH ${concernedByIds(from)},
    ${membersAndCentres('{ids: Array(String)}', from)},
    ${settlementOf('cluster_id IN {ids: Array(String)}')},
    ${originalsOf('texts')}
    SELECT
      article_id, ${ASSIGNMENT_CONFIDENCE} AS assignment_confidence, content_hash, title, source, url, published_date, genre, language, similarity, origin, from_origin,
      nullIf(source_article, '') AS derived_from, translation, nullIf(family, '') AS publisher_family,
      nullIf(
        if(
          original = '', first_value(article_id) OVER (PARTITION BY text_of ORDER BY occurred_at, article_id), original
        ),
        article_id
      ) AS is_duplicate_of
    FROM inside LEFT JOIN originals ON inside.text_of = originals.syndication_group
    LEFT JOIN settlement ON inside.cluster_id = settlement.story
    ORDER BY occurred_at, article_id`,
    params: z.object({ ids: z.array(z.string()), as_of: moment }),
    row: z.object({
      ...shownMember.shape,
      translation: storedTranslation,
      content_hash: z.string(),
      from_origin: z.string(),
    }),
  })

export const clusterMembers = membersOf('clusters.members', 'placements')
export const subjectMembers = membersOf('subjects.members', 'subject_listings')
