CREATE OR REPLACE VIEW {{views}}.members
(
  cluster_id         String                COMMENT 'Current story of the article',
  article_id         String                COMMENT 'The article',
  title              Nullable(String)      COMMENT 'Title of the article, as given',
  url                Nullable(String)      COMMENT 'Canonical URL',
  source             Nullable(String)      COMMENT 'Outlet, as given',
  outlet             Nullable(String)      COMMENT 'Normalized outlet: source in lower case, else the host of the URL',
  publisher          Nullable(String)      COMMENT 'Publisher: the same for outlets of one publisher family, otherwise the outlet',
  publisher_family   Nullable(String)      COMMENT 'Group that owns this and other outlets; null if unknown',
  occurred_at        DateTime64(3, 'UTC')  COMMENT 'Event time of the newest revision',
  published_at       Nullable(DateTime64(3, 'UTC')) COMMENT 'Publication date, as given',
  arrival            UInt64                COMMENT 'Position in the order in which articles arrived at clustering; smaller is earlier',
  sentiment_score    Float64               COMMENT '-1 to +1, of the whole article',
  sentiment_label    String                COMMENT 'positive, neutral or negative',
  quality_score      Float64               COMMENT '0 to 1',
  genre              String                COMMENT 'report, analysis, opinion, explainer, live_blog, roundup or press_digest',
  language           String                COMMENT 'ISO 639-1 code; und if unknown',
  categories         Array(String)         COMMENT 'Among technology, politics, finance, geopolitics and health',
  countries          Array(String)         COMMENT 'ISO 3166-1 alpha-2 codes of the places mentioned',
  origin             String                COMMENT 'Independent source: the same for reprints of one text and for outlets of one publisher family',
  stood_for_by       Nullable(String)      COMMENT 'Origin of an earlier member that this origin quotes, rewrites or translates; null if independent',
  is_independent     Bool                  COMMENT 'True: no other origin stands for this one. The independent sources of a story are its distinct independent origins',
  duplicate_of       Nullable(String)      COMMENT 'Article that this one reprints; null if not a reprint',
  derived_from       Nullable(String)      COMMENT 'Article that this one quotes, rewrites or translates, in any story; null if none is known',
  containment        Float64               COMMENT '0 to 1: share of the shorter text that it has in common with the most similar text',
  action             String                COMMENT 'Action that assigned the article to the story: opened, joined, revised, merged, split, moved or corrected',
  rule               String                COMMENT 'Rule of the decision: link, copy (a reprint follows its original), linkage (recluster) or curator',
  score              Nullable(Float64)     COMMENT 'Score of the story as candidate; null if there was no candidate and the story was opened, or if a curator decided',
  threshold          Float64               COMMENT 'The score had to be above the threshold',
  runner_up_id       Nullable(String)      COMMENT 'Second-best story',
  runner_up_score    Nullable(Float64)     COMMENT 'Score of the second-best story',
  decision_id        String                COMMENT 'Decision that assigned the article, with all its values; joins decision_id in decisions',
  assignment_confidence Nullable(Float64)  COMMENT '0 to 1: probability that the recluster keeps the article in this story; once the story has settled, that the next one does; null for assignments made before this field existed'
)
{{definer}}
AS
WITH
  {{accounts}},
  why AS
  (
    SELECT event_id, if(rule = '', 'link', toString(rule)) AS rule, chosen_score, threshold, runner_up_cluster_id, runner_up_score
    FROM {{facts}}.cluster_decisions FINAL
    UNION ALL
    SELECT event_id, toString(rule) AS rule, chosen_score, threshold, runner_up_cluster_id, runner_up_score
    FROM {{facts}}.story_changes FINAL
  ),
  settlement AS
  (
    SELECT cluster_id AS story, max(_offset) AS story_settled, argMax(assignment_confidence, _offset) AS settled_confidence
    FROM {{facts}}.settlements FINAL
    GROUP BY cluster_id
  )
SELECT
  accounts.cluster_id AS cluster_id, accounts.article_id AS article_id, title, url, source, outlet, publisher,
  publisher_family, occurred_at, published_at, arrival, sentiment_score, sentiment_label, quality_score, genre, language, categories,
  countries, origin, nullIf(stands_for_it, '') AS stood_for_by, stands_for_it = '' AS is_independent,
  texts.duplicate_of AS duplicate_of, texts.derived_from AS derived_from, accounts.containment AS containment, action,
  why.rule AS rule, why.chosen_score AS score, why.threshold AS threshold, why.runner_up_cluster_id AS runner_up_id,
  why.runner_up_score AS runner_up_score, decision_id,
  if(settlement.story_settled > placed, settlement.settled_confidence, placed_confidence) AS assignment_confidence
FROM accounts
LEFT JOIN {{views}}.syndication AS texts ON accounts.article_id = texts.article_id
LEFT JOIN why ON accounts.decision_id = why.event_id
LEFT JOIN settlement ON accounts.cluster_id = settlement.story
WHERE own
COMMENT 'One row per article that belongs to a story now: its independent source and the decision that placed it. From articles.clustered'
