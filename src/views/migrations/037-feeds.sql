-- What the text of an article was taken from. The service may run meanwhile.
ALTER TABLE articles
  ADD COLUMN IF NOT EXISTS text_source LowCardinality(Nullable(String)) DEFAULT NULL COMMENT 'page, feed, or NULL: as its producer sent it' AFTER text;

-- One row per look at a feed or a page. Written by: documents.fetched.
CREATE TABLE IF NOT EXISTS fetches
(
  namespace         LowCardinality(String)            COMMENT 'Whose data it is',
  event_id          String                            COMMENT 'Identity of the event',
  feed_id           String                            COMMENT 'The watched feed, or the feed that lists the page',
  document_id       String                            COMMENT 'The feed at its address, or one state of a page',
  kind              LowCardinality(String)            COMMENT 'feed or page',
  host              String                            COMMENT 'Host of the URL',
  url               String                            COMMENT 'Address that was fetched',
  attempt           UInt32                            COMMENT 'Attempts so far; 0 of one that is planned',
  failures          UInt32                            COMMENT 'Failed attempts since the last success',
  outcome           LowCardinality(String)            COMMENT 'planned, ok, unchanged, not_an_article, moved, gone, limited, refused, failed, paused or cancelled',
  detail            LowCardinality(Nullable(String))  COMMENT 'A constant that gives the reason, such as http_503',
  status_code       Nullable(UInt16)                  COMMENT 'HTTP status, when there was an answer',
  duration_ms       UInt32                            COMMENT 'How long the request took',
  bytes             UInt32                            COMMENT 'Size of the answer, decompressed',
  occurred_at       DateTime64(3, 'UTC')              COMMENT 'When it was planned or fetched',
  next_fetch_at     Nullable(DateTime64(3, 'UTC'))    COMMENT 'When it is fetched (again); NULL: not again',
  title             Nullable(String)                  COMMENT 'Of a feed: its title',
  format            LowCardinality(String)            COMMENT 'Of a feed: rss, atom, rdf, json, sitemap, news-sitemap or sitemap-index',
  items             UInt32                            COMMENT 'Of a feed: items in the document',
  new_items         UInt32                            COMMENT 'Of a feed: items that were not known',
  edited_items      UInt32                            COMMENT 'Of a feed: known items that were changed',
  interval_seconds  UInt32                            COMMENT 'Of a feed: time from the last poll to the next',
  last_new_at       Nullable(DateTime64(3, 'UTC'))    COMMENT 'Of a feed: the last poll with a new item, or the first that succeeded',
  text_source       LowCardinality(Nullable(String))  COMMENT 'Of a page: page or feed, what the published text was taken from',
  published         UInt16                            COMMENT 'Of a page: texts that were published',
  _log_at           DateTime64(3, 'UTC')              COMMENT 'When the log took the event',
  _partition        UInt32                            COMMENT 'Place of the event in its topic',
  _offset           UInt64                            COMMENT 'Place of the event in its topic',
  _first            UInt64 MATERIALIZED bitNot(_offset) COMMENT 'Version of the row: the first event in the log wins'
)
ENGINE = {{replicated}}ReplacingMergeTree(_first)
ORDER BY (namespace, feed_id, occurred_at, event_id)
TTL toDateTime(_log_at) + INTERVAL 35 DAY
COMMENT 'One row per look at a feed or a page. Written by: documents.fetched';
