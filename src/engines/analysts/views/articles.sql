-- The newest revision is the one with the greatest offset: all revisions of an article are in the same partition.
CREATE OR REPLACE VIEW {{views}}.articles
(
  article_id           String                   COMMENT 'Derived from the canonical URL, or from the text if there is none; join key to the other views',
  url                  Nullable(String)         COMMENT 'Canonical URL; null if none was given',
  title                Nullable(String)         COMMENT 'As given',
  source               Nullable(String)         COMMENT 'Outlet, as given',
  outlet               Nullable(String)         COMMENT 'Normalized outlet: source in lower case, else the host of the URL',
  author               Nullable(String)         COMMENT 'As given',
  language             String                   COMMENT 'ISO 639-1 code; und if unknown',
  published_at         Nullable(DateTime64(3, 'UTC')) COMMENT 'Publication date, as given; null if none was given',
  occurred_at          DateTime64(3, 'UTC')     COMMENT 'Event time, by which everything is counted: publication time, but not after arrival; arrival time if there is no date',
  is_dated             Bool                     COMMENT 'False: occurred_at is the arrival time',
  recorded_at          DateTime64(3, 'UTC')     COMMENT 'When this revision was written to the log; created_at in REST',
  revision             UInt64                   COMMENT 'Revision number of this text, from 1; earlier ones are in revisions',
  text                 String                   COMMENT 'Plain text without mark-up',
  token_count          UInt64                   COMMENT 'Words in the text',
  quality_score        Float64                  COMMENT '0 to 1: overall quality of the article',
  genre                String                   COMMENT 'report, analysis, opinion, explainer, live_blog, roundup or press_digest',
  quality_rating       String                   COMMENT 'Excellent, Good, Medium, Low or Noise',
  quality_depth        Float64                  COMMENT '0 to 1, higher is better: part of quality_score',
  quality_coherence    Float64                  COMMENT '0 to 1, higher is better: part of quality_score',
  quality_credibility  Float64                  COMMENT '0 to 1, credibility of the outlet, 0.5 if unknown: part of quality_score',
  quality_spam         Float64                  COMMENT '0 to 1, 1 means no spam: part of quality_score',
  is_forwarded         Bool                     COMMENT 'True: forwarded to analysis and clustering',
  gate_reason          String                   COMMENT 'passed, below_gate or private_bypass',
  sentiment_score      Nullable(Float64)        COMMENT '-1 to +1, of the whole article; null if not analysed',
  sentiment_label      Nullable(String)         COMMENT 'positive (from +0.15), neutral or negative (from -0.15 down); null if not analysed',
  entity_count         Nullable(UInt64)         COMMENT 'Distinct entities mentioned; null if not analysed',
  cluster_id           Nullable(String)         COMMENT 'Current story; null if none',
  semantic_hash        String                   COMMENT '16 hex digits; equal for texts that are identical word for word',
  syndication_group    Nullable(String)         COMMENT 'Group of reprints of one text; null if it has no reprints or was never clustered',
  duplicate_of         Nullable(String)         COMMENT 'Article that this one reprints; null if not a reprint',
  derived_from         Nullable(String)         COMMENT 'Article that this one quotes, rewrites or translates; null if none is known'
)
{{definer}}
AS
WITH
  newest AS
  (
    SELECT article_id, max(_offset) AS place, count() AS revisions FROM {{facts}}.articles FINAL GROUP BY article_id
  ),
  analyses AS
  (
    SELECT
      article_id,
      argMax((sentiment_score, toString(sentiment_label), toUInt64(entity_count)), (NOT direct, _offset)) AS found
    FROM {{facts}}.analyzed_articles FINAL
    GROUP BY article_id
  ),
  words AS
  (
    SELECT article_id, argMax(cluster_id, _offset) AS story FROM {{facts}}.placements FINAL GROUP BY article_id
  )
SELECT
  facts.article_id AS article_id, url, title, source, coalesce(lower(source), domainWithoutWWW(url)) AS outlet, author,
  language, published_date AS published_at, occurred_at, dated AS is_dated, _log_at AS recorded_at,
  newest.revisions AS revision, text, token_count, quality_score, genre, quality_rating, quality_depth, quality_coherence,
  quality_credibility, quality_spam, forwarded AS is_forwarded, gate_reason,
  if(analyses.article_id = '', NULL, analyses.found.1) AS sentiment_score,
  if(analyses.article_id = '', NULL, analyses.found.2) AS sentiment_label,
  if(analyses.article_id = '', NULL, analyses.found.3) AS entity_count,
  nullIf(words.story, '') AS cluster_id, semantic_hash, texts.syndication_group AS syndication_group,
  texts.duplicate_of AS duplicate_of, texts.derived_from AS derived_from
FROM {{facts}}.articles AS facts FINAL
INNER JOIN newest ON facts.article_id = newest.article_id AND facts._offset = newest.place
LEFT JOIN analyses ON facts.article_id = analyses.article_id
LEFT JOIN words ON facts.article_id = words.article_id
LEFT JOIN {{views}}.syndication AS texts ON facts.article_id = texts.article_id
COMMENT 'One row per article, in its newest revision. From articles.scored, with the results of analysis and clustering'
