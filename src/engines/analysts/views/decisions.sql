CREATE OR REPLACE VIEW {{views}}.decisions
(
  decision_id           String                COMMENT 'The decision: members and membership_history name it',
  action                String                COMMENT 'opened, joined or revised of one article; merged, split, moved or corrected of stories',
  rule                  String                COMMENT 'link, copy (a reprint follows its original), linkage (a rebuild) or curator: how the choice is made again',
  cluster_id            String                COMMENT 'The story that has the articles from then on',
  from_cluster_id       Nullable(String)      COMMENT 'The story they left; null if none',
  article_ids           Array(String)         COMMENT 'The articles that came, or changed their story',
  article_count         UInt64                COMMENT 'How many',
  occurred_at           DateTime64(3, 'UTC')  COMMENT 'Event time from which it holds',
  recorded_at           DateTime64(3, 'UTC')  COMMENT 'When it was decided',
  sequence              UInt64                COMMENT 'Place in the ledger: later decisions have greater ones',
  chosen_cluster_id     Nullable(String)      COMMENT 'Best candidate; null if none was good enough',
  score                 Nullable(Float64)     COMMENT 'Its total',
  features              Map(String, Float64)  COMMENT 'What the total was made of, by name',
  runner_up_id          Nullable(String)      COMMENT 'Second best candidate; null if there was none',
  runner_up_score       Nullable(Float64)     COMMENT 'Its total',
  runner_up_features    Map(String, Float64)  COMMENT 'What that was made of',
  threshold             Float64               COMMENT 'A score above it joins',
  versions              Map(String, String)   COMMENT 'Algorithm, weights and tables, each with its version or hash',
  rebuild_day           Nullable(String)      COMMENT 'Last UTC day of the rebuild that made it, YYYY-MM-DD; null if no rebuild did',
  correction_id         Nullable(String)      COMMENT 'The correction it carries out: correction_id in corrections; null if none',
  refused               Nullable(String)      COMMENT 'Why a correction could not be applied; null if it was, or if this is no correction'
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
COMMENT 'One row per decision of the ledger and everything it was made from. From articles.clustered'
