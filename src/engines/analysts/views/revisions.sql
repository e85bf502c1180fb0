CREATE OR REPLACE VIEW {{views}}.revisions
(
  article_id     String                 COMMENT 'The article',
  revision       UInt64                 COMMENT 'Revision number, from 1 in order of arrival',
  is_newest      Bool                   COMMENT 'True: the revision in the articles view',
  content_hash   String                 COMMENT 'Hash of the content; differs between consecutive revisions',
  occurred_at    DateTime64(3, 'UTC')   COMMENT 'Event time of the revision',
  recorded_at    DateTime64(3, 'UTC')   COMMENT 'When this revision was written to the log',
  title          Nullable(String)       COMMENT 'Title of the revision, as given',
  text           String                 COMMENT 'Plain text of the revision',
  token_count    UInt64                 COMMENT 'Words in the text',
  quality_score  Float64                COMMENT '0 to 1'
)
{{definer}}
AS SELECT
  article_id, row_number() OVER (PARTITION BY article_id ORDER BY _offset) AS revision,
  _offset = max(_offset) OVER (PARTITION BY article_id) AS is_newest, content_hash, occurred_at, _log_at AS recorded_at,
  title, text, token_count, quality_score
FROM {{facts}}.articles FINAL
COMMENT 'One row per revision of an article: title and text of each revision. From articles.scored'
