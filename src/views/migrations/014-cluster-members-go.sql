-- What it held stands in members and placements since the migration before. In a migration of its own, so that the one
-- that reads it can be repeated.
DROP TABLE IF EXISTS cluster_members;
