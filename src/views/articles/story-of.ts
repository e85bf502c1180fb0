import { z } from 'zod'
import { moment } from '../instant.ts'
import { query } from '../query.ts'

/**
 * Of each of these articles that is in a story as of a moment: which. As `belonging` has it (in `clusters/as-of.ts`): it is
 * there from its first clustered revision on, and where the newest word says; the table is sorted by article.
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
