/**
 * CTEs on the articles of a window of event time, `from` (exclusive) to `as_of`: `counted` has one row an article, with
 * the place in the log of the analysis that counts: the newest as of that moment, the pipeline's own before a direct one.
 * What an analysis names, and what its sentences say, stands at the same place.
 */
export const COUNTED = `
    touched AS (
      SELECT article_id FROM analyzed_articles
      WHERE namespace = {namespace: String}
        AND occurred_at > {from: DateTime64(3, 'UTC')} AND occurred_at <= {as_of: DateTime64(3, 'UTC')}
    ),
    counted AS (
      SELECT article_id, max((NOT direct, _offset, occurred_at, sentiment_score)) AS analysis, analysis.2 AS place
      FROM analyzed_articles FINAL
      PREWHERE article_id IN (SELECT article_id FROM touched)
      WHERE namespace = {namespace: String} AND occurred_at <= {as_of: DateTime64(3, 'UTC')}
      GROUP BY article_id
      HAVING analysis.3 > {from: DateTime64(3, 'UTC')}
    )`
