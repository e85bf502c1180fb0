-- Of two words on an article the later one in the log holds from its valid_from on, whatever the earlier said of that time.
CREATE OR REPLACE VIEW {{views}}.membership_history
(
  article_id   String                          COMMENT 'The article',
  cluster_id   String                          COMMENT 'The story it was said to belong to',
  action       String                          COMMENT 'What was said: opened, joined or revised of the article itself; merged, split, moved or corrected of stories',
  valid_from   DateTime64(3, 'UTC')            COMMENT 'Event time from which it belongs there',
  valid_to     Nullable(DateTime64(3, 'UTC'))  COMMENT 'Event time from which a later word holds; null: until now. Not after valid_from: a later word replaced this one for all times',
  is_current   Bool                            COMMENT 'True: it belongs there now',
  recorded_at  DateTime64(3, 'UTC')            COMMENT 'When it was said',
  sequence     UInt64                          COMMENT 'Place in the ledger: later words have greater ones',
  decision_id  String                          COMMENT 'Why: decision_id in decisions'
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
COMMENT 'One row per word on where an article belongs; as of a moment the one with valid_from <= moment and valid_to null or > moment. From articles.clustered'
