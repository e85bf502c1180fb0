-- Of two assignments of an article, the later one in the log applies from its valid_from on, regardless of the earlier one.
CREATE OR REPLACE VIEW {{views}}.membership_history
(
  article_id   String                          COMMENT 'The article',
  cluster_id   String                          COMMENT 'Story that the article was assigned to',
  action       String                          COMMENT 'Action of the assignment. For the article itself: opened, joined or revised; for stories: merged, split, moved or corrected',
  valid_from   DateTime64(3, 'UTC')            COMMENT 'Event time from which the assignment is valid',
  valid_to     Nullable(DateTime64(3, 'UTC'))  COMMENT 'Event time from which a later assignment is valid; null if still valid. If not after valid_from, a later assignment replaced this one for all times',
  is_current   Bool                            COMMENT 'True: the current assignment',
  recorded_at  DateTime64(3, 'UTC')            COMMENT 'When the assignment was recorded',
  sequence     UInt64                          COMMENT 'Position in the ledger: greater for later assignments',
  decision_id  String                          COMMENT 'Decision behind the assignment; joins decision_id in decisions'
)
{{definer}}
AS
WITH
  there AS
  (
    SELECT article_id, min(occurred_at) AS since FROM {{facts}}.members FINAL GROUP BY article_id
  ),
  words AS
  (
    SELECT
      words.article_id AS article_id, words.cluster_id AS cluster_id, toString(words.action) AS action,
      greatest(words.valid_from, there.since) AS valid_from, words._log_at AS recorded_at, words._offset AS sequence,
      words.event_id AS decision_id
    FROM {{facts}}.placements AS words FINAL
    INNER JOIN there ON words.article_id = there.article_id
  )
SELECT
  article_id, cluster_id, action, valid_from,
  if(is_current, NULL, min(valid_from) OVER (
    PARTITION BY article_id ORDER BY sequence ROWS BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING
  )) AS valid_to,
  sequence = max(sequence) OVER (PARTITION BY article_id) AS is_current, recorded_at, sequence, decision_id
FROM words
COMMENT 'One row per assignment of an article. At time t, the row with valid_from <= t and (valid_to > t or valid_to is null) is valid. From articles.clustered'
