-- The title is that of the report closest to the centroid (the sum of all members' vectors); with one member, its own title.
-- REST also considers the form of headlines (src/language/headlines), so it may return the title of another member.
CREATE OR REPLACE VIEW {{views}}.clusters
(
  cluster_id               String                COMMENT 'The story; ids are permanent, see membership_history for stories that are empty now',
  title                    Nullable(String)      COMMENT 'Title of the report closest to the centroid of the story, or of the closest article if there is no report; null if no article has a title. REST also considers the form of headlines, so it may return the title of another article',
  representative_id        String                COMMENT 'Representative article: the report closest to the centroid, else the closest article',
  article_count            UInt64                COMMENT 'Articles in the story now',
  source_count             UInt64                COMMENT 'Distinct outlets, at least 1',
  publisher_count          UInt64                COMMENT 'Distinct publishers: outlets of one publisher family count once',
  origin_count             UInt64                COMMENT 'Independent sources: reprints, outlets of one publisher family and articles that quote an earlier member count once',
  first_at                 DateTime64(3, 'UTC')  COMMENT 'Event time of its first article; created_at in REST',
  last_at                  DateTime64(3, 'UTC')  COMMENT 'Event time of its last article; updated_at in REST',
  avg_sentiment            Float64               COMMENT '-1 to +1: mean over its articles',
  positive                 UInt64                COMMENT 'Articles with sentiment_score of +0.15 or more',
  neutral                  UInt64                COMMENT 'Articles with sentiment_score between -0.15 and +0.15',
  negative                 UInt64                COMMENT 'Articles with sentiment_score of -0.15 or less',
  categories               Array(String)         COMMENT 'Among technology, politics, finance, geopolitics and health: categories of at least a third of its articles, most frequent first',
  countries                Array(String)         COMMENT 'ISO 3166-1 alpha-2 codes: countries mentioned in at least two articles (in at least one if the story has fewer than three), most frequent first',
  lifecycle_state          Nullable(String)      COMMENT 'breaking, developing, mature, concluded or contested, as of the last evaluation; null if not evaluated yet. REST evaluates the state on each request',
  lifecycle_since          Nullable(DateTime64(3, 'UTC')) COMMENT 'Event time at which it entered that state',
  thread_id                Nullable(String)      COMMENT 'Narrative thread of the story; null if none'
)
{{definer}}
AS
WITH
  {{accounts}},
  states AS
  (
    SELECT cluster_id, argMax((lifecycle_state, evaluated_at), (evaluated_at, _offset)) AS last
    FROM {{facts}}.transitions FINAL
    GROUP BY cluster_id
  ),
  places AS
  (
    SELECT cluster_id, argMax((action, thread_id), (caused_offset, _offset)) AS word
    FROM {{facts}}.thread_places FINAL
    GROUP BY cluster_id
  ),
  several AS
  (
    SELECT article_id, story FROM (SELECT article_id, word.1 AS story, count() OVER (PARTITION BY story) AS articles FROM words)
    WHERE articles > 1
  ),
  vectors AS
  (
    SELECT several.story AS story, facts.article_id AS article_id, facts.title AS title, facts.genre AS genre, facts.language AS language,
      facts.occurred_at AS occurred_at, facts.vector AS vector
    FROM {{facts}}.members AS facts FINAL
    INNER JOIN several ON facts.article_id = several.article_id
    WHERE (facts.article_id, facts._offset) IN (SELECT article_id, max(_offset) FROM {{facts}}.members FINAL GROUP BY article_id)
  ),
  middles AS
  (
    SELECT story, sumForEach(vector) AS middle FROM vectors GROUP BY story
  ),
  centres AS
  (
    SELECT story, argMin(title, nearness) AS title, argMin(article_id, nearness) AS nearest
    FROM
    (
      SELECT
        vectors.story AS story, article_id, title,
        (language NOT IN ('en', 'und'), genre != 'report', round(cosineDistance(vectors.vector, middles.middle), 6), occurred_at, article_id) AS nearness
      FROM vectors INNER JOIN middles ON vectors.story = middles.story
    )
    GROUP BY story
  )
SELECT
  told.cluster_id AS cluster_id, if(centres.story = '', told.one_title, centres.title) AS title,
  if(centres.story = '', told.one_article, centres.nearest) AS representative_id, article_count,
  source_count, publisher_count, origin_count, first_at, last_at, avg_sentiment, positive, neutral, negative,
  categories, countries, if(states.cluster_id = '', NULL, toString(states.last.1)) AS lifecycle_state,
  if(states.cluster_id = '', NULL, states.last.2) AS lifecycle_since,
  if(places.word.1 IN ('', 'removed'), NULL, places.word.2) AS thread_id
FROM
(
  SELECT
    cluster_id, any(title) AS one_title, any(article_id) AS one_article, count() AS article_count,
    greatest(1, uniqExact(outlet)) AS source_count,
    greatest(1, uniqExact(publisher)) AS publisher_count, uniqExactIf(origin, stands_for_it = '') AS origin_count,
    min(occurred_at) AS first_at, max(occurred_at) AS last_at, round(avg(sentiment_score), 6) AS avg_sentiment,
    countIf(sentiment_label = 'positive') AS positive, countIf(sentiment_label = 'neutral') AS neutral,
    countIf(sentiment_label = 'negative') AS negative,
    sumMap(accounts.categories, arrayMap(category -> 1, accounts.categories)) AS by_category,
    arrayMap(category -> category.1, arraySort(category -> (-category.2, category.1), arrayFilter(
      category -> category.2 * 3 >= article_count, arrayZip(by_category.1, by_category.2)
    ))) AS categories,
    sumMap(accounts.countries, arrayMap(country -> 1, accounts.countries)) AS by_country,
    arrayMap(country -> country.1, arraySort(country -> (-country.2, country.1), arrayFilter(
      country -> country.2 >= if(article_count < 3, 1, 2), arrayZip(by_country.1, by_country.2)
    ))) AS countries
  FROM accounts
  WHERE own
  GROUP BY cluster_id
) AS told
LEFT JOIN centres ON told.cluster_id = centres.story
LEFT JOIN states ON told.cluster_id = states.cluster_id
LEFT JOIN places ON told.cluster_id = places.cluster_id
COMMENT 'One row per story that has articles: its size, independent sources, time range and lifecycle state. From articles.clustered'
