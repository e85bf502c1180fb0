CREATE OR REPLACE VIEW {{views}}.revisions
(
  article_id     String                 COMMENT 'The article',
  revision       UInt64                 COMMENT 'From 1, in the order in which they came',
  is_newest      Bool                   COMMENT 'True: the one that articles shows',
  content_hash   String                 COMMENT 'Distinguishes one revision from the next',
  occurred_at    DateTime64(3, 'UTC')   COMMENT 'Event time of the revision',
  recorded_at    DateTime64(3, 'UTC')   COMMENT 'When the log took it',
  title          Nullable(String)       COMMENT 'As given then',
  text           String                 COMMENT 'Plain text as it was then',
  token_count    UInt64                 COMMENT 'Words of the text',
  quality_score  Float64                COMMENT '0 to 1'
)
{{definer}}
AS SELECT
  article_id, row_number() OVER (PARTITION BY article_id ORDER BY _offset) AS revision,
  _offset = max(_offset) OVER (PARTITION BY article_id) AS is_newest, content_hash, occurred_at, _log_at AS recorded_at,
  title, text, token_count, quality_score
FROM {{facts}}.articles FINAL
COMMENT 'One row per revision of an article: what it said before. From articles.scored'
