CREATE OR REPLACE VIEW {{views}}.decisions
(
  decision_id           String                COMMENT 'Id of the decision; joins decision_id in members and membership_history',
  action                String                COMMENT 'For one article: opened, joined or revised; for stories: merged, split, moved or corrected',
  rule                  String                COMMENT 'Rule that reproduces the decision: link, copy (a reprint follows its original), linkage (recluster) or curator',
  cluster_id            String                COMMENT 'Story that the articles belong to after the decision',
  from_cluster_id       Nullable(String)      COMMENT 'Story that the articles belonged to before; null if none',
  article_ids           Array(String)         COMMENT 'Articles assigned or reassigned',
  article_count         UInt64                COMMENT 'Number of these articles',
  occurred_at           DateTime64(3, 'UTC')  COMMENT 'Event time from which the decision is valid',
  recorded_at           DateTime64(3, 'UTC')  COMMENT 'When the decision was recorded',
  sequence              UInt64                COMMENT 'Position in the ledger: greater for later decisions',
  chosen_cluster_id     Nullable(String)      COMMENT 'Best candidate; null if no candidate qualified',
  score                 Nullable(Float64)     COMMENT 'Total score of the best candidate',
  features              Map(String, Float64)  COMMENT 'Components of the score, by feature name',
  runner_up_id          Nullable(String)      COMMENT 'Second-best candidate; null if there was none',
  runner_up_score       Nullable(Float64)     COMMENT 'Total score of the runner-up',
  runner_up_features    Map(String, Float64)  COMMENT 'Components of the score of the runner-up',
  threshold             Float64               COMMENT 'A score above the threshold joins',
  versions              Map(String, String)   COMMENT 'Algorithm, weights and tables, each with its version or hash',
  rebuild_day           Nullable(String)      COMMENT 'Last UTC day of the recluster that made the decision, YYYY-MM-DD; null if not made by a recluster',
  correction_id         Nullable(String)      COMMENT 'Correction that the decision applies; joins correction_id in corrections; null if none',
  refused               Nullable(String)      COMMENT 'Why the correction could not be applied; null if it was applied, or if this is not a correction'
)
{{definer}}
AS SELECT
  event_id AS decision_id, toString(action) AS action, if(rule = '', 'link', toString(rule)) AS rule, cluster_id,
  CAST(NULL, 'Nullable(String)') AS from_cluster_id, [article_id] AS article_ids, toUInt64(1) AS article_count, occurred_at,
  _log_at AS recorded_at, _offset AS sequence, chosen_cluster_id, chosen_score AS score, chosen_features AS features,
  runner_up_cluster_id AS runner_up_id, runner_up_score, runner_up_features, threshold, versions,
  CAST(NULL, 'Nullable(String)') AS rebuild_day, CAST(NULL, 'Nullable(String)') AS correction_id,
  CAST(NULL, 'Nullable(String)') AS refused
FROM {{facts}}.cluster_decisions FINAL
UNION ALL
SELECT
  event_id AS decision_id, toString(action) AS action, toString(rule) AS rule, cluster_id, from_cluster_id, article_ids,
  length(article_ids) AS article_count, occurred_at, _log_at AS recorded_at, _offset AS sequence, chosen_cluster_id,
  chosen_score AS score, chosen_features AS features, runner_up_cluster_id AS runner_up_id, runner_up_score,
  runner_up_features, threshold, versions, rebuild_day, correction_id, CAST(refused, 'Nullable(String)') AS refused
FROM {{facts}}.story_changes FINAL
WHERE story_changes.action != 'rebuilt'
COMMENT 'One row per decision in the ledger, with all values it is based on. From articles.clustered'
