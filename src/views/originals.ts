/**
 * CTEs on the syndication groups that the CTE `of` names, as of a moment: `originals` has one row a group, with how many
 * `articles` are in it by their newest revision, and its `original`: the article whose earliest revision in the group is
 * the earliest by event time, of two at one time the first to arrive; so an original which is corrected later stays one.
 */
export const originalsOf = (of: 'wanted' | 'texts'): string => `
    alike AS (
      SELECT article_id FROM origins
      WHERE namespace = {namespace: String} AND syndication_group IN (SELECT syndication_group FROM ${of})
    ),
    revisions AS (
      SELECT article_id, syndication_group, occurred_at, _offset
      FROM origins FINAL
      PREWHERE article_id IN (SELECT article_id FROM alike)
      WHERE namespace = {namespace: String} AND occurred_at <= {as_of: DateTime64(3, 'UTC')}
    ),
    newest AS (
      SELECT article_id, argMax(syndication_group, _offset) AS syndication_group FROM revisions GROUP BY article_id
    ),
    originals AS (
      SELECT syndication_group, uniqExact(article_id) AS articles, argMin(article_id, (occurred_at, _offset)) AS original
      FROM revisions
      WHERE (article_id, syndication_group) IN (SELECT article_id, syndication_group FROM newest)
      GROUP BY syndication_group
    )`
