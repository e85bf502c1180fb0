CREATE OR REPLACE VIEW {{views}}.subjects
(
  subject_id     String                COMMENT 'The subject page; the same id as in REST',
  title          Nullable(String)      COMMENT 'Names of the three entities mentioned in most of its articles; null if no entity is mentioned. REST adds words from headlines',
  article_count  UInt64                COMMENT 'Articles on the page now. REST counts and lists only the newest 2,000',
  story_count    UInt64                COMMENT 'Distinct stories that these articles belong to',
  first_at       DateTime64(3, 'UTC')  COMMENT 'Event time of its first article; created_at in REST',
  last_at        DateTime64(3, 'UTC')  COMMENT 'Event time of its last article; updated_at in REST',
  article_ids    Array(String)         COMMENT 'Articles, oldest first',
  story_ids      Array(String)         COMMENT 'Stories, those with the most articles on the page first'
)
{{definer}}
AS
WITH
  listed AS
  (
    SELECT article_id, argMax(cluster_id, _offset) AS subject FROM {{facts}}.subject_listings FINAL GROUP BY article_id
  ),
  belonging AS
  (
    SELECT article_id, argMax(cluster_id, _offset) AS story FROM {{facts}}.placements FINAL
    WHERE article_id IN (SELECT article_id FROM listed)
    GROUP BY article_id
  ),
  about AS
  (
    SELECT
      article_id, argMax(occurred_at, _offset) AS at,
      argMax(arrayDistinct(arrayFilter((name, type) -> type NOT IN ('DATE', 'MONEY'), entity_names, entity_types)), _offset) AS names
    FROM {{facts}}.members FINAL
    WHERE article_id IN (SELECT article_id FROM listed)
    GROUP BY article_id
  )
SELECT
  subject AS subject_id,
  nullIf(arrayStringConcat(arraySlice(arraySort((name, articles) -> (-articles, name), named.1, named.2), 1, 3), ', '), '') AS title,
  article_count, length(counted.1) AS story_count, first_at, last_at, article_ids,
  arraySort((story, articles) -> (-articles, story), counted.1, counted.2) AS story_ids
FROM
(
  SELECT
    listed.subject AS subject, count() AS article_count, min(about.at) AS first_at, max(about.at) AS last_at,
    arrayMap(article -> article.2, arraySort(groupArray((about.at, listed.article_id)))) AS article_ids,
    sumMap(about.names, arrayMap(name -> 1, about.names)) AS named, sumMap([belonging.story], [1]) AS counted
  FROM listed
  INNER JOIN belonging ON listed.article_id = belonging.article_id
  INNER JOIN about ON listed.article_id = about.article_id
  GROUP BY subject
)
COMMENT 'One row per subject page: articles that share a subject but not an event. From articles.clustered'
