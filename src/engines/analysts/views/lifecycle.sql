CREATE OR REPLACE VIEW {{views}}.lifecycle
(
  cluster_id      String                          COMMENT 'The story',
  state           String                          COMMENT 'breaking, developing, mature, concluded or contested',
  previous_state  Nullable(String)                COMMENT 'Null for the first state',
  entered_at      DateTime64(3, 'UTC')            COMMENT 'Event time of the evaluation',
  left_at         Nullable(DateTime64(3, 'UTC'))  COMMENT 'When it left the state; null if it is the current state',
  rule            String                          COMMENT 'The rule that fired',
  facts           Map(String, Float64)            COMMENT 'Values that the rule was evaluated on; ages in hours',
  decided_by      String                          COMMENT 'transitioned: on a scheduler tick; api: requested through the analyze endpoint'
)
{{definer}}
AS SELECT
  cluster_id, lifecycle_state AS state, previous_state, evaluated_at AS entered_at,
  leadInFrame(toNullable(evaluated_at)) OVER (
    PARTITION BY cluster_id ORDER BY evaluated_at, _offset ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING
  ) AS left_at,
  rule, facts, decided_by
FROM {{facts}}.transitions FINAL
COMMENT 'One row per state of a story, with the times at which it was entered and left. From stories.transitioned'
