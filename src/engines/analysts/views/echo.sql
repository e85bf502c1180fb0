CREATE OR REPLACE VIEW {{views}}.echo
(
  cluster_id                    String                      COMMENT 'The story',
  platform                      String                      COMMENT 'reddit, bluesky or twitter',
  updated_at                    DateTime64(3, 'UTC')        COMMENT 'When the record was emitted',
  fetched_at                    DateTime64(3, 'UTC')        COMMENT 'When the posts were fetched',
  post_count                    UInt64                      COMMENT 'Posts in the window that the record is based on',
  author_count                  UInt64                      COMMENT 'Distinct authors of these posts',
  window_start                  DateTime64(3, 'UTC')        COMMENT 'Time of the first post',
  window_end                    DateTime64(3, 'UTC')        COMMENT 'Time of the last post',
  analyzed_count                UInt64                      COMMENT 'Posts analysed',
  sentiment_score               Float64                     COMMENT '-1 to +1: sentiment of the posts',
  sentiment_label               String                      COMMENT 'positive, neutral or negative',
  controversy_score             Float64                     COMMENT '0 to 1: degree of disagreement between the posts',
  themes                        Array(String)               COMMENT 'Most discussed themes, at most five',
  editorial_entities            Array(String)               COMMENT 'Entities mentioned in the articles of the story',
  public_entities               Array(String)               COMMENT 'Entities mentioned in the posts',
  novel_entities                Array(String)               COMMENT 'Entities mentioned in the posts but in no article',
  novel_entity_evidence         Map(String, Array(String))  COMMENT 'URLs of the posts that mention it, by novel entity',
  has_counter_narrative         Bool                        COMMENT 'True: a counter-narrative was detected',
  counter_narrative             Nullable(String)            COMMENT 'Post with the counter-narrative, verbatim; null if none was detected, or if the record was replaced a week ago',
  counter_narrative_confidence  Float64                     COMMENT '0 to 1',
  counter_narrative_evidence    Array(String)               COMMENT 'URLs of the posts with the counter-narrative',
  thread_urls                   Array(String)               COMMENT 'URLs of the threads or posts that the record is based on'
)
{{definer}}
AS SELECT
  cluster_id, platform, _log_at AS updated_at, fetched_at, sample_posts AS post_count,
  sample_authors AS author_count, sample_window_start AS window_start, sample_window_end AS window_end,
  comment_count_analyzed AS analyzed_count, sentiment_score, sentiment_label, controversy_score,
  dominant_themes AS themes, editorial_entities, public_entities, novel_entities,
  evidence_novel_entities AS novel_entity_evidence, counter_narrative_detected AS has_counter_narrative,
  counter_narrative_summary AS counter_narrative, counter_narrative_confidence,
  evidence_counter_narrative AS counter_narrative_evidence, thread_urls
FROM {{facts}}.enrichments FINAL
WHERE comment_count_analyzed > 0 AND (cluster_id, platform, _offset) IN
(
  SELECT cluster_id, platform, max(_offset) FROM {{facts}}.enrichments FINAL GROUP BY cluster_id, platform
)
COMMENT 'One row per story and platform with posts about it: the current public discourse. From stories.enriched'
