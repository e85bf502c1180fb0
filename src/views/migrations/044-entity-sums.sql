-- Mentions and articles of each entity by day and by hour of event time, which ClickHouse reads by itself for lists of entities, instead
-- of all rows of a window: hours and days since 1900, UTC, and entities as the number that the 16 characters of an id are,
-- which is faster to group by. And the log offsets of short stretches of rows, to find new
-- ones. The service may run meanwhile. Takes a minute for a million articles, and 0.1 kB an article.
ALTER TABLE entity_articles ADD PROJECTION IF NOT EXISTS by_day
(
  SELECT
    namespace, intDiv(toUnixTimestamp64Milli(occurred_at) + 2208988800000, 86400000) AS day,
    reinterpretAsUInt128(reverse(substring(entity_id, 5))) AS entity, any(type), any(name), sum(mention_count), count()
  GROUP BY namespace, day, entity
);

ALTER TABLE entity_articles MATERIALIZE PROJECTION by_day;

ALTER TABLE entity_articles ADD PROJECTION IF NOT EXISTS by_hour
(
  SELECT
    namespace, intDiv(toUnixTimestamp64Milli(occurred_at) + 2208988800000, 3600000) AS hour,
    reinterpretAsUInt128(reverse(substring(entity_id, 5))) AS entity, any(type), any(name), sum(mention_count), count()
  GROUP BY namespace, hour, entity
);

ALTER TABLE entity_articles MATERIALIZE PROJECTION by_hour;

ALTER TABLE entity_articles ADD INDEX IF NOT EXISTS by_offset _offset TYPE minmax GRANULARITY 1;

ALTER TABLE entity_articles MATERIALIZE INDEX by_offset;
