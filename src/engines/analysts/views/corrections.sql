CREATE OR REPLACE VIEW {{views}}.corrections
(
  correction_id     String                COMMENT 'Id of the correction; joins correction_id in decisions',
  action            String                COMMENT 'move, merge, split or keep_apart',
  cluster_id        String                COMMENT 'Corrected story',
  other_cluster_id  Nullable(String)      COMMENT 'For merge and keep_apart: the other story; for move: the target story',
  article_ids       Array(String)         COMMENT 'Articles to be reassigned',
  reason            Nullable(String)      COMMENT 'Reason given by the curator',
  requested_at      DateTime64(3, 'UTC')  COMMENT 'When the correction was requested',
  status            String                COMMENT 'pending, applied, refused or undone',
  refused_because   Nullable(String)      COMMENT 'Reason code why it could not be applied; null if applied or pending'
)
{{definer}}
AS
WITH ledger AS
(
  SELECT
    ifNull(correction_id, '') AS id, countIf(ifNull(correction_action, '') != 'undo') AS done,
    argMinIf(refused, _offset, ifNull(correction_action, '') != 'undo') AS why_not,
    countIf(correction_action = 'undo' AND refused IS NULL) AS undone
  FROM {{facts}}.story_changes FINAL
  WHERE story_changes.action = 'corrected'
  GROUP BY id
)
SELECT
  correction_id, toString(action) AS action, cluster_id, other_cluster_id, article_ids, reason, requested_at,
  multiIf(ledger.done = 0, 'pending', ledger.why_not IS NOT NULL, 'refused', ledger.undone > 0, 'undone', 'applied') AS status,
  ledger.why_not AS refused_because
FROM {{facts}}.corrections AS asked FINAL
LEFT JOIN ledger ON asked.correction_id = ledger.id
WHERE asked.action != 'undo'
COMMENT 'One row per correction requested by a curator, with its outcome. From corrections.requested'
