import { z } from 'zod'
import { GENRES } from '../../events/articles.ts'
import { centralHeadline } from '../../language/headlines/central-headline.ts'
import { inOneLanguage } from '../../language/headlines/one-language.ts'
import { withoutLoneSurnames } from '../../language/names/surname-alone.ts'
import type { Store } from '../../ports/store.ts'
import { moment } from '../instant.ts'
import {
  ASSIGNMENT_CONFIDENCE,
  concernedByIds,
  COUNTRIES,
  FEW,
  originalsOf,
  OUTLET,
  PUBLISHER,
  SETTLED,
  settlementOf,
  withOrigins,
  type Grouping,
} from './as-of.ts'
import { query, type AsOf } from '../query.ts'

/**
 * `inside`: the members of some clusters as of a point in time, one row each, with their `similarity` (cosine to the
 * centre, which is the sum of the members' vectors), `origin` and `from_origin`.
 */
const membersAndCentres = (from: Grouping): string => `
  WITH ${concernedByIds(from)},
  ${withOrigins(
    `content_hash, title, url, source, genre, language, published_date, sentiment_label, categories,
        ${OUTLET} AS outlet, ${PUBLISHER} AS house,
        arrayFilter(
          entity -> entity.3 NOT IN ('DATE', 'MONEY'),
          arrayZip(entity_ids, entity_names, entity_types, entity_mentions)
        ) AS named,
        ${COUNTRIES}`,
    from,
  )},
  known AS (
    SELECT * EXCEPT from_origin, max(looked.from_origin) OVER (PARTITION BY article_id) AS from_origin
    FROM looked
    WHERE cluster_id IN {ids: Array(String)}
  ),
  vectors AS (
    SELECT article_id, event_id, vector FROM members FINAL
    PREWHERE article_id IN (SELECT article_id FROM concerned)
    WHERE namespace = {namespace: String}
  ),
  centred AS (
    SELECT known.*, vectors.vector AS vector, sumForEach(vectors.vector) OVER (PARTITION BY known.cluster_id) AS centre
    FROM known INNER JOIN vectors ON known.article_id = vectors.article_id AND known.event_id = vectors.event_id
    WHERE known.own
  ),
  inside AS (
    SELECT * EXCEPT (vector, centre), round(1 - cosineDistance(vector, centre), 6) AS similarity FROM centred
  )`

/** A story's title is chosen from this many members, those nearest to the centre. */
const HEADLINES = 40

const SELECT_ITEMS = `
    SELECT
      cluster_id,
      arraySort(
        member -> (member.5, member.1),
        arraySlice(
          arraySort(
            member -> (member.6 NOT IN ('en', 'und'), -member.4, member.5, member.1),
            groupArray((article_id, title, toString(genre), similarity, occurred_at, toString(language)))
          ),
          1, ${HEADLINES}
        )
      ) AS near,
      arrayMap(
        member -> CAST(
          (member.1, member.2, member.3, member.4, member.6),
          'Tuple(article_id String, title Nullable(String), genre String, similarity Float64, language String)'
        ),
        near
      ) AS headlines,
      count() AS article_count, greatest(1, uniqExact(outlet)) AS source_count,
      greatest(1, uniqExact(house)) AS publisher_count,
      groupArray((origin, from_origin, similarity)) AS texts,
      min(revised < settled_at) AS is_settled,
      arraySort(groupUniqArray(toString(language))) AS languages,
      min(occurred_at) AS created_at, max(occurred_at) AS updated_at,
      min(published_date) AS first_published, max(published_date) AS last_published,
      countIf(sentiment_label = 'positive') AS positive, countIf(sentiment_label = 'neutral') AS neutral,
      countIf(sentiment_label = 'negative') AS negative,
      arrayMap(member -> member.2, arraySort(groupArray((occurred_at, article_id)))) AS articles,
      sumMap(
        arrayMap(entity -> (entity.1, entity.2, toString(entity.3)), named), arrayMap(entity -> 1, named),
        arrayMap(entity -> entity.4, named)
      ) AS counted,
      arrayMap(
        entity -> CAST(tuple(entity.1.1, entity.1.2, entity.1.3, entity.3, entity.2), 'Tuple(id String, name String, type String, mention_count UInt32, article_count UInt32)'),
        arraySlice(
          arraySort(entity -> (-entity.2, -entity.3, entity.1), arrayZip(counted.1, counted.2, counted.3)),
          1, {max_entities: UInt32}
        )
      ) AS entities,
      sumMap(countries, arrayMap(country -> 1, countries)) AS by_country,
      arrayMap(country -> country.1, arraySort(country -> (-country.2, country.1), arrayFilter(
        country -> country.2 >= if(article_count < ${FEW}, 1, 2), arrayZip(by_country.1, by_country.2)
      ))) AS geographic_spread,
      sumMap(inside.categories, arrayMap(category -> 1, inside.categories)) AS by_category,
      arrayMap(category -> category.1, arraySort(category -> (-category.2, category.1), arrayFilter(
        category -> category.2 * 3 >= article_count, arrayZip(by_category.1, by_category.2)
      ))) AS categories
    FROM inside LEFT JOIN settled ON toDate32(inside.occurred_at) = settled.day
    GROUP BY cluster_id`

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

/**
 * Some clusters as of a point in time, one row each, unordered. `title` is the title of the representative article;
 * `null` if no member has a title. `entities` are ordered by articles, then by mentions; a lone surname is merged with
 * the person whose full name the story mentions (`withoutLoneSurnames`).
 */
const itemsOf = (name: string, from: Grouping) => {
  const ask = query({
    name,
    sql: `${membersAndCentres(from)},\n${SETTLED}\n${SELECT_ITEMS}`,
    params: z.object({ ids: z.array(z.string()), as_of: moment, max_entities: z.int() }),
    row: ItemRow,
  })
  return (store: Store) =>
    async ({ max_entities, ...params }: ItemsQuery) => {
      const rows = await ask(store)({ ...params, max_entities: max_entities + MORE_ENTITIES })
      return rows.map((row) => {
        const central = centralHeadline(inOneLanguage(row.headlines))
        return {
          ...row,
          entities: withoutLoneSurnames(row.entities, row.article_count).slice(0, max_entities),
          title: central?.title ?? null,
          representative_article_id: central?.article_id ?? '',
        }
      })
    }
}

export const clusterItems = itemsOf('clusters.items', 'placements')
export const subjectItems = itemsOf('subjects.items', 'subject_listings')

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
    ${membersAndCentres(from)},
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
