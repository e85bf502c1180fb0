/**
 * CTEs on the entities `ids`: `facts` has one row an entity and article that names it in the window of event time
 * `from` (exclusive) to `as_of`. Of an article only the newest analysis as of that moment counts, the pipeline's own
 * before a direct one; a row is of it when both stand at one place in the log.
 */
export const FACTS = `
    concerned AS (
      SELECT article_id FROM entity_articles
      WHERE namespace = {namespace: String} AND entity_id IN {ids: Array(String)}
        AND occurred_at > {from: DateTime64(3, 'UTC')} AND occurred_at <= {as_of: DateTime64(3, 'UTC')}
    ),
    analyses AS (
      SELECT argMax(_offset, (NOT direct, _offset)) AS place
      FROM analyzed_articles FINAL
      PREWHERE article_id IN (SELECT article_id FROM concerned)
      WHERE namespace = {namespace: String} AND occurred_at <= {as_of: DateTime64(3, 'UTC')}
      GROUP BY article_id
    ),
    facts AS (
      SELECT * FROM entity_articles FINAL
      PREWHERE entity_id IN {ids: Array(String)}
      WHERE namespace = {namespace: String} AND _offset IN (SELECT place FROM analyses)
        AND occurred_at > {from: DateTime64(3, 'UTC')} AND occurred_at <= {as_of: DateTime64(3, 'UTC')}
    )`
