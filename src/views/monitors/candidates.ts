import { z } from 'zod'
import { concernedByIds, withOrigins } from '../clusters/as-of.ts'
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
  max_articles: z.int(),
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
 * The articles in the window that meet the conditions on articles, newest first, each with its story. `texts` limits them
 * to those whose text meets the query.
 */
const hitsSql = (texts: string): string => `
    ${MEETING}
    places AS (
      SELECT article_id, argMax(cluster_id, _offset) AS story
      FROM placements FINAL
      PREWHERE article_id IN
      (
        SELECT article_id FROM members
        WHERE namespace = {namespace: String}
          AND occurred_at > {from: DateTime64(3, 'UTC')} AND occurred_at <= {as_of: DateTime64(3, 'UTC')}
      )
      WHERE namespace = {namespace: String} AND valid_from <= {as_of: DateTime64(3, 'UTC')}
      GROUP BY article_id
    )
    SELECT places.article_id AS article_id, places.story AS cluster_id
    FROM meeting INNER JOIN places ON meeting.article_id = places.article_id${texts}
    ORDER BY meeting.occurred_at DESC, article_id
    LIMIT {max_articles: UInt32}`

const hitRow = z.object({ article_id: z.string(), cluster_id: z.string() })

export const articleHits = query({
  name: 'monitors.hits',
  sql: hitsSql(''),
  params: z.object(conditionsOnArticles),
  row: hitRow,
})

/** The same with a query; only this one reads the texts. */
export const articleHitsByText = query({
  name: 'monitors.hits_by_text',
  sql: hitsSql(`
    WHERE (meeting.article_id, meeting.content_hash) IN
    (
      SELECT article_id, content_hash FROM articles
      WHERE namespace = {namespace: String}
        AND occurred_at > {from: DateTime64(3, 'UTC')} AND occurred_at <= {as_of: DateTime64(3, 'UTC')}
        AND arrayAll(
          (pattern, excluded) -> match(normalizeUTF8NFC(concat(ifNull(title, ''), '\\n', text)), pattern) != excluded,
          {patterns: Array(String)}, {excluded: Array(Bool)}
        )
    )`),
  params: z.object({ ...conditionsOnArticles, patterns: z.array(z.string()), excluded: z.array(z.boolean()) }),
  row: hitRow,
})

/** The articles of some stories, one row each, with their independent sources. */
export const storyArticles = query({
  name: 'monitors.articles',
  sql: `
    WITH ${concernedByIds()},
    ${withOrigins('title, url, source, sentiment_score')},
    known AS (
      SELECT * EXCEPT from_origin, max(looked.from_origin) OVER (PARTITION BY cluster_id, article_id) AS from_origin
      FROM looked
      WHERE cluster_id IN {ids: Array(String)}
    )
    SELECT
      cluster_id, article_id, toUnixTimestamp64Milli(occurred_at) AS occurred_ms, title, url, source, sentiment_score,
      origin, from_origin
    FROM known
    WHERE own`,
  params: z.object({ ids: z.array(z.string()), as_of: moment }),
  row: z.object({
    cluster_id: z.string(),
    article_id: z.string(),
    occurred_ms: z.number(),
    title: z.string().nullable(),
    url: z.string().nullable(),
    source: z.string().nullable(),
    sentiment_score: z.number(),
    origin: z.string(),
    from_origin: z.string(),
  }),
})
