CREATE OR REPLACE VIEW {{views}}.members
(
  cluster_id         String                COMMENT 'The story it belongs to now',
  article_id         String                COMMENT 'The article',
  title              Nullable(String)      COMMENT 'Of the article, as given',
  url                Nullable(String)      COMMENT 'Canonical address',
  source             Nullable(String)      COMMENT 'Outlet, as given',
  outlet             Nullable(String)      COMMENT 'Outlet that distinguishes articles: source in lower case, else the host of the address',
  publisher          Nullable(String)      COMMENT 'Who publishes it: outlets of one family are one, others go by outlet',
  publisher_family   Nullable(String)      COMMENT 'The group that owns the outlet and others; null if none is known',
  occurred_at        DateTime64(3, 'UTC')  COMMENT 'Event time of its newest revision',
  published_at       Nullable(DateTime64(3, 'UTC')) COMMENT 'Publication date, as given',
  arrival            UInt64                COMMENT 'Place in the order in which articles came to be clustered; smaller is earlier',
  sentiment_score    Float64               COMMENT '-1 to +1, of the whole article',
  sentiment_label    String                COMMENT 'positive, neutral or negative',
  quality_score      Float64               COMMENT '0 to 1',
  genre              String                COMMENT 'report, analysis, opinion, explainer, live_blog, roundup or press_digest',
  categories         Array(String)         COMMENT 'Of technology, politics, finance, geopolitics and health',
  countries          Array(String)         COMMENT 'ISO 3166-1 alpha-2 of the places it names',
  origin             String                COMMENT 'Whose account it gives: the same for re-prints of one text and for outlets of one house',
  stood_for_by       Nullable(String)      COMMENT 'Origin of an earlier member that this origin quotes or rewrites; null: an account of its own',
  is_independent     Bool                  COMMENT 'True: no other origin stands for this one. Independent accounts of a story are its different independent origins',
  duplicate_of       Nullable(String)      COMMENT 'Article that it reprints; null if it is not a reprint',
  derived_from       Nullable(String)      COMMENT 'Article it quotes or rewrites, in whatever story; null if none is known',
  containment        Float64               COMMENT '0 to 1: share of the shorter text in common with the nearest one',
  action             String                COMMENT 'What brought it here: opened, joined, revised, merged, split, moved or corrected',
  rule               String                COMMENT 'How it was decided: link, copy (a reprint follows its original), linkage (a rebuild) or curator',
  score              Nullable(Float64)     COMMENT 'What the story scored as candidate; null: there was none, so one was opened, or a curator decided',
  threshold          Float64               COMMENT 'A score above it was needed',
  runner_up_id       Nullable(String)      COMMENT 'The next best story',
  runner_up_score    Nullable(Float64)     COMMENT 'What that one scored',
  decision_id        String                COMMENT 'The decision with all its values: decision_id in decisions',
  assignment_confidence Nullable(Float64)  COMMENT '0 to 1: probability that the daily recluster leaves the article in this story; once the story has settled, that the next one does. Null: placed before it was kept'
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
  publisher_family, occurred_at, published_at, arrival, sentiment_score, sentiment_label, quality_score, genre, categories,
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
COMMENT 'One row per article that belongs to a story now: whose account it gives, and why it is there. From articles.clustered'
