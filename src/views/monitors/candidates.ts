import { z } from 'zod'
import { withOrigins } from '../clusters/as-of.ts'
import { moment } from '../instant.ts'
import { query } from '../query.ts'

const conditionsOnArticles = {
  from: moment,
  as_of: moment,
  entity_ids: z.array(z.string()),
  entity_names: z.array(z.string()),
  places: z.array(z.string()),
  categories: z.array(z.string()),
  languages: z.array(z.string()),
  sources: z.array(z.string()),
  max_stories: z.int(),
}

/** `meeting`: the newest revision of each article in the window that meets the conditions, except the query. */
const MEETING = `WITH newest AS (
      SELECT
        article_id, content_hash, occurred_at, language, categories, entity_ids, entity_names, entity_countries, source,
        url, publisher, publisher_family
      FROM members FINAL
      PREWHERE article_id IN
      (
        SELECT article_id FROM members
        WHERE namespace = {namespace: String}
          AND occurred_at > {from: DateTime64(3, 'UTC')} AND occurred_at <= {as_of: DateTime64(3, 'UTC')}
      )
      WHERE namespace = {namespace: String} AND occurred_at <= {as_of: DateTime64(3, 'UTC')}
      ORDER BY _offset DESC
      LIMIT 1 BY article_id
    ),
    meeting AS (
      SELECT article_id, content_hash, occurred_at
      FROM newest
      WHERE occurred_at > {from: DateTime64(3, 'UTC')}
        AND (empty({languages: Array(String)}) OR has({languages: Array(String)}, toString(language)))
        AND (empty({categories: Array(String)}) OR hasAny(arrayMap(one -> toString(one), categories), {categories: Array(String)}))
        AND (empty({places: Array(String)}) OR hasAny(arrayMap(one -> toString(one), entity_countries), {places: Array(String)}))
        AND (
          (empty({entity_ids: Array(String)}) AND empty({entity_names: Array(String)}))
          OR hasAny(entity_ids, {entity_ids: Array(String)})
          OR hasAny(arrayMap(name -> lowerUTF8(name), entity_names), {entity_names: Array(String)})
        )
        AND (
          empty({sources: Array(String)})
          OR hasAny(
            [lowerUTF8(ifNull(source, '')), domainWithoutWWW(ifNull(url, '')), toString(publisher), lowerUTF8(ifNull(toString(publisher_family), ''))],
            {sources: Array(String)}
          )
        )
    ),`

/**
 * The members of the stories that have an article in the window that meets the conditions on articles, one row each; the
 * stories with the newest such articles. `texts` limits the articles to those whose text meets the query.
 */
const candidatesSql = (texts: string): string => `
    ${MEETING}
    hits AS (SELECT article_id, occurred_at FROM meeting${texts}),
    hit_places AS (
      SELECT article_id, argMax(cluster_id, _offset) AS story
      FROM placements FINAL
      PREWHERE article_id IN (SELECT article_id FROM hits)
      WHERE namespace = {namespace: String} AND valid_from <= {as_of: DateTime64(3, 'UTC')}
      GROUP BY article_id
    ),
    stories AS (
      SELECT story, max(occurred_at) AS newest_hit, count() OVER () AS total
      FROM hit_places INNER JOIN hits ON hit_places.article_id = hits.article_id
      GROUP BY story
      ORDER BY newest_hit DESC, story
      LIMIT {max_stories: UInt32}
    ),
    concerned AS (
      SELECT article_id FROM placements
      WHERE namespace = {namespace: String} AND cluster_id IN (SELECT story FROM stories)
    ),
    ${withOrigins('title, url, source, sentiment_score')},
    known AS (
      SELECT * EXCEPT from_origin, max(looked.from_origin) OVER (PARTITION BY cluster_id, article_id) AS from_origin
      FROM looked
    )
    SELECT
      cluster_id, article_id, toUnixTimestamp64Milli(known.occurred_at) AS occurred_ms, title, url, source,
      sentiment_score, origin, from_origin, article_id IN (SELECT article_id FROM hits) AS is_hit,
      (SELECT any(total) FROM stories) AS candidates
    FROM known
    WHERE own AND cluster_id IN (SELECT story FROM stories)`

const candidateRow = z.object({
  cluster_id: z.string(),
  article_id: z.string(),
  occurred_ms: z.number(),
  title: z.string().nullable(),
  url: z.string().nullable(),
  source: z.string().nullable(),
  sentiment_score: z.number(),
  origin: z.string(),
  from_origin: z.string(),
  is_hit: z.number(),
  /** Stories before the limit; `null` if there are none. */
  candidates: z.number().nullable(),
})

export const candidates = query({
  name: 'monitors.candidates',
  sql: candidatesSql(''),
  params: z.object(conditionsOnArticles),
  row: candidateRow,
})

/** The same with a query; only this one reads the texts. */
export const candidatesByText = query({
  name: 'monitors.candidates_by_text',
  sql: candidatesSql(`
      WHERE (article_id, content_hash) IN
      (
        SELECT article_id, content_hash FROM articles
        PREWHERE article_id IN (SELECT article_id FROM meeting)
        WHERE namespace = {namespace: String} AND arrayAll(
          (pattern, excluded) -> match(concat(ifNull(title, ''), '\\n', text), pattern) != excluded,
          {patterns: Array(String)}, {excluded: Array(Bool)}
        )
      )`),
  params: z.object({ ...conditionsOnArticles, patterns: z.array(z.string()), excluded: z.array(z.boolean()) }),
  row: candidateRow,
})
