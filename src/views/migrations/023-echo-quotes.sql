-- A quote lives no longer than the text it is of: by then a newer record says the same without it, or with another.
ALTER TABLE enrichments
  MODIFY COLUMN counter_narrative_summary Nullable(String)
    COMMENT 'A post word for word; null where none was found, and in records that were replaced a week ago'
    TTL toDateTime(_log_at) + INTERVAL 8 DAY;

ALTER TABLE enrichments COMMENT COLUMN occurred_at 'Event time from which the record holds: of those up to a moment, the one with the greatest _offset of its story and platform';
ALTER TABLE enrichments COMMENT COLUMN source_status 'live, as it was written; how fresh the platform is now follows from polls';
