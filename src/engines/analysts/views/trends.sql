CREATE OR REPLACE VIEW {{views}}.trends
(
  type              String                COMMENT 'trend.detected (a story), entity.spike or sentiment.shift (an entity)',
  subject_id        String                COMMENT 'cluster_id of a trend, else entity_id',
  name              String                COMMENT 'Title or canonical name',
  category          Nullable(String)      COMMENT 'Of a story: the first of its categories',
  occurred_at       DateTime64(3, 'UTC')  COMMENT 'Event time of the article that crossed the line',
  velocity          Float64               COMMENT 'Multiple of the baseline',
  baseline          Float64               COMMENT 'Per window, before it',
  window_hours      UInt64                COMMENT 'The window it was seen in, hours',
  count             UInt64                COMMENT 'Mentions, or articles of a story, in the window',
  origin_count      UInt64                COMMENT 'Independent accounts among them',
  p_value           Nullable(Float64)     COMMENT 'Of a spike: probability of as much by chance, 0 to 1',
  sentiment_before  Nullable(Float64)     COMMENT 'Of a shift, -1 to +1: mean of the 6 hours before the last 6',
  sentiment_after   Nullable(Float64)     COMMENT 'Of a shift, -1 to +1: mean of the last 6 hours',
  has_low_support   Bool                  COMMENT 'True under 3 origins or 3 days of history: read it with care'
)
{{definer}}
AS SELECT
  type, subject_id, name, category, occurred_at, velocity, baseline, window_hours, count, origins AS origin_count,
  p_value, sentiment_before, sentiment_after, low_support AS has_low_support
FROM {{facts}}.detections FINAL
COMMENT 'One row per moment at which a story, an entity or a sentiment left its usual measure. From trends.detected'
