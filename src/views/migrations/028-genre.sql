-- How an article is written, as Layer 0 tells; articles from before this was told count as reports. The service may run
-- meanwhile: until every process is new, rows of older ones take the default.
ALTER TABLE articles
  ADD COLUMN IF NOT EXISTS genre LowCardinality(String) DEFAULT 'report' COMMENT 'report, analysis, opinion, explainer, live_blog, roundup or press_digest; report where it was stored before genres were told apart' AFTER quality_score;
ALTER TABLE members
  ADD COLUMN IF NOT EXISTS genre LowCardinality(String) DEFAULT 'report' COMMENT 'report, analysis, opinion, explainer, live_blog, roundup or press_digest; report where it was stored before genres were told apart' AFTER quality_score;
