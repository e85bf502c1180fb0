-- CTEs shared by members and clusters: `accounts` has one row per article with `own` set, with its independent source.
-- Same definition as in REST (src/views/clusters/as-of.ts): the origin of a member is its syndication group, or the publisher
-- family if all members of that group in this story belong to one family. If the origin quotes a member that arrived earlier,
-- the origin of that member stands for it. A member that quotes has a second row, without `own`.
words AS
  (
    SELECT article_id, argMax((cluster_id, toString(action), event_id, assignment_confidence), _offset) AS word, max(_offset) AS placed
    FROM {{facts}}.placements FINAL
    GROUP BY article_id
  ),
  newest AS
  (
    SELECT article_id, min(_offset) AS arrived, max(_offset) AS revised FROM {{facts}}.members FINAL GROUP BY article_id
  ),
  belonging AS
  (
    SELECT
      words.word.1 AS cluster_id, words.word.2 AS action, words.word.3 AS decision_id,
      words.word.4 AS placed_confidence, words.placed AS placed, facts.article_id AS article_id,
      facts.title AS title, facts.url AS url, facts.source AS source,
      coalesce(lower(facts.source), domainWithoutWWW(facts.url)) AS outlet,
      coalesce(facts.publisher_family, nullIf(facts.publisher, ''), outlet) AS publisher,
      facts.publisher_family AS publisher_family, facts.occurred_at AS occurred_at,
      facts.published_date AS published_at, newest.arrived AS arrival, facts.sentiment_score AS sentiment_score,
      facts.sentiment_label AS sentiment_label, facts.quality_score AS quality_score, facts.genre AS genre, facts.language AS language, facts.categories AS categories,
      arrayDistinct(arrayFilter(
        (country, type) -> country != '' AND type IN ('GPE', 'LOC'), facts.entity_countries, facts.entity_types
      )) AS countries,
      if(texts.found.1 = '', facts.semantic_hash, texts.found.1) AS text_of, texts.found.2 AS source_article,
      texts.found.3 AS containment, ifNull(facts.publisher_family, '') AS family
    FROM {{facts}}.members AS facts FINAL
    INNER JOIN newest ON facts.article_id = newest.article_id AND facts._offset = newest.revised
    INNER JOIN words ON facts.article_id = words.article_id
    LEFT JOIN
    (
      SELECT
        article_id, argMax((syndication_group, ifNull(derived_from, ''), containment), _offset) AS found
      FROM {{facts}}.origins FINAL
      GROUP BY article_id
    ) AS texts ON facts.article_id = texts.article_id
  ),
  of_texts AS
  (
    SELECT
      *, min(family) OVER (PARTITION BY cluster_id, text_of) AS first_family,
      max(family) OVER (PARTITION BY cluster_id, text_of) AS last_family,
      if(first_family != '' AND first_family = last_family, concat('family ', first_family), text_of) AS origin
    FROM belonging
  ),
  of_origins AS
  (
    SELECT *, min(arrival) OVER (PARTITION BY cluster_id, origin) AS origin_arrived FROM of_texts
  ),
  looked AS
  (
    SELECT
      * EXCEPT looks_at, looks_at = article_id AS own,
      maxIf(origin, own) OVER (PARTITION BY cluster_id, looks_at) AS found_origin,
      minIf(origin_arrived, own) OVER (PARTITION BY cluster_id, looks_at) AS found_arrived,
      if(NOT own AND found_origin != '' AND found_arrived < origin_arrived, found_origin, '') AS from_origin
    FROM of_origins
    ARRAY JOIN arrayDistinct(if(source_article = '', [article_id], [article_id, source_article])) AS looks_at
  ),
  accounts AS
  (
    SELECT *, max(from_origin) OVER (PARTITION BY cluster_id, origin) AS stands_for_it FROM looked
  )
