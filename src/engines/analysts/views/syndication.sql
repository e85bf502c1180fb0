-- The original is the article with the earliest revision in the group by event time, so it remains the original after a
-- later correction.
CREATE OR REPLACE VIEW {{views}}.syndication
(
  article_id         String            COMMENT 'The article, in its newest clustered revision',
  syndication_group  Nullable(String)  COMMENT 'Group of reprints of one text; null if it has no reprints',
  group_size         UInt64            COMMENT 'Articles with this text, including this one',
  duplicate_of       Nullable(String)  COMMENT 'Original of the group; null if this is the original, or if it has no reprints',
  derived_from       Nullable(String)  COMMENT 'Article that this one quotes or rewrites (containment 0.25 to 0.6), or translates; null if none is known',
  containment        Float64           COMMENT '0 to 1: share of the word 3-shingles of the shorter text that it has in common with the most similar text',
  translation        Map(String, Float64) COMMENT 'Why it is a translation of derived_from: length_distance (of the sentence lengths, 0 to 2), sentences, shared_numerals, numerals; empty if it is none'
)
{{definer}}
AS
WITH
  revisions AS
  (
    SELECT article_id, syndication_group AS text_of, occurred_at, _offset FROM {{facts}}.origins FINAL
  ),
  newest AS
  (
    SELECT
      article_id, argMax((syndication_group, derived_from, containment, translation), _offset) AS found, found.1 AS text_of
    FROM {{facts}}.origins FINAL
    GROUP BY article_id
  ),
  originals AS
  (
    SELECT text_of, uniqExact(article_id) AS articles, argMin(article_id, (occurred_at, _offset)) AS original
    FROM revisions
    WHERE (article_id, text_of) IN (SELECT article_id, text_of FROM newest)
    GROUP BY text_of
  )
SELECT
  newest.article_id AS article_id, if(originals.articles > 1, toNullable(newest.text_of), NULL) AS syndication_group,
  originals.articles AS group_size, if(originals.original = newest.article_id, NULL, toNullable(originals.original)) AS duplicate_of,
  newest.found.2 AS derived_from, newest.found.3 AS containment, newest.found.4 AS translation
FROM newest INNER JOIN originals ON newest.text_of = originals.text_of
COMMENT 'One row per clustered article: the origin of its text. From articles.clustered'
