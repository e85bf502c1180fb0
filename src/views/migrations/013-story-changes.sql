-- One row per clustered revision of an article: the article as its story sees it, wherever it belongs.
-- Written by: articles.clustered.
CREATE TABLE IF NOT EXISTS members
(
  namespace         LowCardinality(String)            COMMENT 'Whose data it is',
  article_id        String                            COMMENT 'The article',
  event_id          String                            COMMENT 'The event this row was made of',
  content_hash      String                            COMMENT 'Which revision of the article',
  occurred_at       DateTime64(3, 'UTC')              COMMENT 'Event time of the revision: before it, nobody knows these facts',
  dated             Bool                              COMMENT 'False: occurred_at is the arrival',
  title             Nullable(String)                  COMMENT 'As given',
  url               Nullable(String)                  COMMENT 'Canonical address',
  source            Nullable(String)                  COMMENT 'Outlet, as given',
  publisher         LowCardinality(String)            COMMENT 'Outlet, one spelling for all its names, lower case; empty: nobody knows',
  publisher_family  LowCardinality(Nullable(String))  COMMENT 'The group that owns the outlet and others; null: none that is known',
  published_date    Nullable(DateTime64(3, 'UTC'))    COMMENT 'As given',
  semantic_hash     String                            COMMENT '16 hex digits, equal for re-prints',
  quality_score     Float64                           COMMENT '0 to 1',
  sentiment_score   Float64                           COMMENT '-1 to +1',
  sentiment_label   LowCardinality(String)            COMMENT 'positive, neutral or negative',
  categories        Array(LowCardinality(String))     COMMENT 'Of technology, politics, finance, geopolitics and health',
  entity_ids        Array(String)                     COMMENT 'Entities of the article, in parallel with the four below',
  entity_names      Array(String)                     COMMENT 'Canonical names',
  entity_types      Array(LowCardinality(String))     COMMENT 'PERSON, ORG, GPE, LOC, EVENT, DATE or MONEY',
  entity_mentions   Array(UInt32)                     COMMENT 'How often the article names each',
  entity_countries  Array(LowCardinality(String))     COMMENT 'ISO 3166-1 alpha-2 of a place; empty of what is none, or of no one country',
  vector            Array(Float32)        COMMENT '384 components, unit length: the lead vector' CODEC(NONE),
  _log_at           DateTime64(3, 'UTC')              COMMENT 'When the log took the event',
  _partition        UInt32                            COMMENT 'Place of the event in its topic',
  _offset           UInt64                            COMMENT 'Place of the event in its topic',
  _first            UInt64 MATERIALIZED bitNot(_offset) COMMENT 'Version of the row: the first event in the log wins',
  INDEX by_time occurred_at TYPE minmax
)
ENGINE = {{replicated}}ReplacingMergeTree(_first)
ORDER BY (namespace, article_id, event_id)
SETTINGS index_granularity = 1024
COMMENT 'One row per clustered revision of an article: as its story sees it. Written by: articles.clustered';

-- One row per word on where an article belongs; the newest in the log among those with valid_from up to a moment holds
-- then. Written by: articles.clustered.
CREATE TABLE IF NOT EXISTS placements
(
  namespace   LowCardinality(String)  COMMENT 'Whose data it is',
  article_id  String                  COMMENT 'The article',
  event_id    String                  COMMENT 'The event this row was made of: in cluster_decisions or story_changes',
  cluster_id  String                  COMMENT 'The story it belongs to',
  action      LowCardinality(String)  COMMENT 'opened, joined or revised of the article itself; merged, split, moved or corrected of stories',
  valid_from  DateTime64(3, 'UTC')    COMMENT 'Event time from which it holds; a correction holds at all times, so 1900-01-01. The article itself is not there before its first row in members',
  dated       Bool                    COMMENT 'False: valid_from is an arrival or may follow from one',
  _log_at     DateTime64(3, 'UTC')    COMMENT 'When the log took the event',
  _partition  UInt32                  COMMENT 'Place of the event in its topic',
  _offset     UInt64                  COMMENT 'Place of the event in its topic',
  _first      UInt64 MATERIALIZED bitNot(_offset) COMMENT 'Version of the row: the first event in the log wins',
  INDEX by_cluster cluster_id TYPE bloom_filter(0.01),
  INDEX by_place _offset TYPE minmax
)
ENGINE = {{replicated}}ReplacingMergeTree(_first)
ORDER BY (namespace, article_id, event_id)
SETTINGS index_granularity = 512
COMMENT 'One row per word on where an article belongs. Written by: articles.clustered';

-- One row per change of stories other than that an article came, and what it was decided from.
-- Written by: articles.clustered.
CREATE TABLE IF NOT EXISTS story_changes
(
  namespace             LowCardinality(String)  COMMENT 'Whose data it is',
  event_id              String                  COMMENT 'The event this row was made of',
  action                LowCardinality(String)  COMMENT 'merged, split, moved, corrected or rebuilt',
  cluster_id            String                  COMMENT 'The story that has the articles now; empty of rebuilt',
  from_cluster_id       Nullable(String)        COMMENT 'The story they leave; null: none does',
  article_ids           Array(String)           COMMENT 'Those that change their story',
  occurred_at           DateTime64(3, 'UTC')    COMMENT 'Event time from which it holds',
  dated                 Bool                    COMMENT 'Always false: occurred_at may follow from an arrival',
  rebuild_day           Nullable(String)        COMMENT 'Last UTC day of the rebuild that made it, 2018-12-31; null of corrections',
  rebuilt_from          Nullable(String)        COMMENT 'Of rebuilt: the first UTC day it covers; what precedes it in the log on these days is settled',
  correction_id         Nullable(String)        COMMENT 'Of corrected: the request, the same for a correction and its undoing',
  correction_action     LowCardinality(Nullable(String))  COMMENT 'move, merge, split, keep_apart or undo',
  refused               LowCardinality(Nullable(String))  COMMENT 'Why a correction could not be done, a constant; null: it was',
  reason                Nullable(String)        COMMENT 'The word of the curator',
  key_id                Nullable(String)        COMMENT 'The API key that asked',
  rule                  LowCardinality(String)  COMMENT 'linkage or curator: how the choice is made again',
  chosen_cluster_id     Nullable(String)        COMMENT 'The story chosen',
  chosen_score          Nullable(Float64)       COMMENT 'Its total',
  chosen_features       Map(String, Float64)    COMMENT 'Value of each feature of the chosen',
  runner_up_cluster_id  Nullable(String)        COMMENT 'The next best story',
  runner_up_score       Nullable(Float64)       COMMENT 'Its total',
  runner_up_features    Map(String, Float64)    COMMENT 'Value of each feature of the next best',
  threshold             Float64                 COMMENT 'A score above it was needed',
  versions              Map(String, String)     COMMENT 'Algorithm, weights and tables, each with its version or hash',
  _log_at               DateTime64(3, 'UTC')    COMMENT 'When the log took the event',
  _partition            UInt32                  COMMENT 'Place of the event in its topic',
  _offset               UInt64                  COMMENT 'Place of the event in its topic',
  _first                UInt64 MATERIALIZED bitNot(_offset) COMMENT 'Version of the row: the first event in the log wins',
  INDEX by_cluster cluster_id TYPE bloom_filter(0.01),
  INDEX by_from from_cluster_id TYPE bloom_filter(0.01),
  INDEX by_correction correction_id TYPE bloom_filter(0.01),
  INDEX by_place _offset TYPE minmax
)
ENGINE = {{replicated}}ReplacingMergeTree(_first)
ORDER BY (namespace, event_id)
SETTINGS index_granularity = 256
COMMENT 'One row per change of stories and what it was decided from. Written by: articles.clustered';

-- Without a default, so that `story hash` counts it: of an older decision it is empty, which stands for link.
ALTER TABLE cluster_decisions
  ADD COLUMN IF NOT EXISTS rule LowCardinality(String) COMMENT 'link or copy: how the choice is made again; empty of older decisions, which are all of link' AFTER content_hash;

-- Stop the service first: what a view of before writes meanwhile would be missing here. It can be repeated: what is
-- there already is left out.
INSERT INTO members
(
  namespace, article_id, event_id, content_hash, occurred_at, dated, title, url, source, published_date, semantic_hash,
  quality_score, sentiment_score, sentiment_label, entity_ids, entity_names, entity_types, entity_mentions,
  entity_countries, vector, _log_at, _partition, _offset
)
SELECT
  namespace, article_id, event_id, content_hash, valid_from, dated, title, url, source, published_date, semantic_hash,
  quality_score, sentiment_score, sentiment_label, entity_ids, entity_names, entity_types, entity_mentions,
  arrayMap(id -> '', entity_ids), vector, _log_at, _partition, _offset
FROM cluster_members FINAL
WHERE startsWith(article_id, 'art_{{each-32nd}}') AND (namespace, article_id, event_id) NOT IN
(
  SELECT namespace, article_id, event_id FROM members WHERE startsWith(article_id, 'art_{{each-32nd}}')
);

INSERT INTO placements
(
  namespace, article_id, event_id, cluster_id, action, valid_from, dated, _log_at, _partition, _offset
)
SELECT namespace, article_id, event_id, cluster_id, action, valid_from, dated, _log_at, _partition, _offset
FROM cluster_members FINAL
WHERE startsWith(article_id, 'art_{{each-32nd}}') AND (namespace, article_id, event_id) NOT IN
(
  SELECT namespace, article_id, event_id FROM placements WHERE startsWith(article_id, 'art_{{each-32nd}}')
);

-- What analysts ask first, computed at each reading. All are of now: as_of is what the API adds.

-- One row per article: the story it belongs to, and the article as it sees it.
CREATE VIEW IF NOT EXISTS current_members
(
  namespace         LowCardinality(String)            COMMENT 'Whose data it is',
  article_id        String                            COMMENT 'The article',
  cluster_id        String                            COMMENT 'The story it belongs to',
  action            LowCardinality(String)            COMMENT 'What brought it there: opened, joined, revised, merged, split, moved or corrected',
  occurred_at       DateTime64(3, 'UTC')              COMMENT 'Event time of its newest revision',
  title             Nullable(String)                  COMMENT 'As given',
  url               Nullable(String)                  COMMENT 'Canonical address',
  source            Nullable(String)                  COMMENT 'Outlet, as given',
  publisher         LowCardinality(String)            COMMENT 'Outlet, one spelling for all its names',
  publisher_family  LowCardinality(Nullable(String))  COMMENT 'The group that owns the outlet and others',
  published_date    Nullable(DateTime64(3, 'UTC'))    COMMENT 'As given',
  sentiment_score   Float64                           COMMENT '-1 to +1',
  sentiment_label   LowCardinality(String)            COMMENT 'positive, neutral or negative',
  categories        Array(LowCardinality(String))     COMMENT 'Of technology, politics, finance, geopolitics and health'
)
AS SELECT
  namespace, article_id, word.1 AS cluster_id, word.2 AS action, facts.occurred_at AS occurred_at,
  facts.title AS title, facts.url AS url, facts.source AS source, facts.publisher AS publisher,
  facts.publisher_family AS publisher_family, facts.published_date AS published_date,
  facts.sentiment_score AS sentiment_score, facts.sentiment_label AS sentiment_label, facts.categories AS categories
FROM
(
  SELECT namespace, article_id, argMax((cluster_id, action), _offset) AS word
  FROM placements FINAL
  GROUP BY namespace, article_id
) AS words
INNER JOIN
(
  SELECT
    namespace, article_id, occurred_at, title, url, source, publisher, publisher_family, published_date,
    sentiment_score, sentiment_label, categories
  FROM members FINAL
  ORDER BY _offset DESC
  LIMIT 1 BY namespace, article_id
) AS facts
USING (namespace, article_id)
COMMENT 'One row per article: the story it belongs to, and the article as it sees it';

-- One row per story that has articles.
CREATE VIEW IF NOT EXISTS current_stories
(
  namespace        LowCardinality(String)  COMMENT 'Whose data it is',
  cluster_id       String                  COMMENT 'The story',
  article_count    UInt64                  COMMENT 'Articles that belong to it',
  source_count     UInt64                  COMMENT 'Different outlets by name or address',
  publisher_count  UInt64                  COMMENT 'Different publishers: outlets of one family count once',
  first_at         DateTime64(3, 'UTC')    COMMENT 'Event time of its first article',
  last_at          DateTime64(3, 'UTC')    COMMENT 'Event time of its last article',
  avg_sentiment    Float64                 COMMENT '-1 to +1: mean over its articles',
  first_title      Nullable(String)        COMMENT 'Title of its first article that has one'
)
AS SELECT
  namespace, cluster_id, count() AS article_count,
  greatest(1, uniqExact(coalesce(lower(source), domainWithoutWWW(url)))) AS source_count,
  greatest(1, uniqExact(coalesce(publisher_family, nullIf(publisher, ''), lower(source), domainWithoutWWW(url)))) AS publisher_count,
  min(occurred_at) AS first_at, max(occurred_at) AS last_at, round(avg(sentiment_score), 6) AS avg_sentiment,
  argMin(title, (occurred_at, article_id)) AS first_title
FROM current_members
GROUP BY namespace, cluster_id
COMMENT 'One row per story that has articles';
