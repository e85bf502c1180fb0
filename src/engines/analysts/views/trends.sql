CREATE OR REPLACE VIEW {{views}}.trends
(
  type              String                COMMENT 'trend.detected (a story), entity.spike or sentiment.shift (an entity)',
  subject_id        String                COMMENT 'cluster_id for trend.detected, else entity_id',
  name              String                COMMENT 'Title of the story or canonical name of the entity',
  category          Nullable(String)      COMMENT 'For a story: the first of its categories',
  occurred_at       DateTime64(3, 'UTC')  COMMENT 'Event time of the article that crossed the threshold',
  velocity          Float64               COMMENT 'Multiple of the baseline',
  baseline          Float64               COMMENT 'Baseline per window, from before the window',
  window_hours      UInt64                COMMENT 'Length of the window in which it was detected, in hours',
  count             UInt64                COMMENT 'Mentions of the entity, or articles of the story, in the window',
  origin_count      UInt64                COMMENT 'Independent sources among them',
  p_value           Nullable(Float64)     COMMENT 'For a spike: probability of a count at least this high by chance, 0 to 1',
  sentiment_before  Nullable(Float64)     COMMENT 'For a shift: mean of the 6 hours before the last 6, -1 to +1',
  sentiment_after   Nullable(Float64)     COMMENT 'For a shift: mean of the last 6 hours, -1 to +1',
  has_low_support   Bool                  COMMENT 'True with fewer than 3 origins or fewer than 3 days of history: interpret with caution'
)
{{definer}}
AS SELECT
  type, subject_id, name, category, occurred_at, velocity, baseline, window_hours, count, origins AS origin_count,
  p_value, sentiment_before, sentiment_after, low_support AS has_low_support
FROM {{facts}}.detections FINAL
COMMENT 'One row per time at which a story, an entity or a sentiment deviated from its baseline. From trends.detected'
