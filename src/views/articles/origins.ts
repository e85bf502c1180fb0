import { z } from 'zod'
import { moment } from '../instant.ts'
import { originalsOf } from '../originals.ts'
import { query } from '../query.ts'

/**
 * At most one row: whose text an article is as of a moment, by the newest revision of each article then. None: it was
 * never clustered. The group is null while the article is alone in it. `is_duplicate_of` is the group's original, null for
 * that one itself.
 */
export const articleOrigin = query({
  name: 'articles.origin',
  sql: `
    WITH wanted AS (
      SELECT article_id, content_hash, syndication_group, derived_from, containment
      FROM origins FINAL
      WHERE namespace = {namespace: String} AND article_id = {article_id: String}
        AND occurred_at <= {as_of: DateTime64(3, 'UTC')}
      ORDER BY _offset DESC
      LIMIT 1
    ),
    ${originalsOf('wanted')},
    known AS (
      SELECT article_id FROM origins
      WHERE namespace = {namespace: String} AND article_id IN (SELECT derived_from FROM wanted)
        AND occurred_at <= {as_of: DateTime64(3, 'UTC')}
    )
    SELECT
      content_hash,
      if(articles > 1, toNullable(wanted.syndication_group), NULL) AS syndication_group,
      if(original = article_id, NULL, toNullable(original)) AS is_duplicate_of,
      if(derived_from IN (SELECT article_id FROM known), derived_from, NULL) AS derived_from,
      containment
    FROM wanted INNER JOIN originals ON wanted.syndication_group = originals.syndication_group`,
  params: z.object({ article_id: z.string(), as_of: moment }),
  row: z.object({
    /** The revision it was found for. */
    content_hash: z.string(),
    syndication_group: z.string().nullable(),
    is_duplicate_of: z.string().nullable(),
    /** The article it quotes or rewrites. */
    derived_from: z.string().nullable(),
    /** Share of the shorter text's word 3-shingles that it has in common with the nearest text, 0 to 1. */
    containment: z.number(),
  }),
})
