-- Moves that a wrong clock had evaluated for a moment ahead of the log hold from when the log took them, as they are
-- projected from now on: they hid each later move of their story. The service may run meanwhile.
ALTER TABLE transitions
  UPDATE evaluated_at = _log_at WHERE evaluated_at > _log_at + INTERVAL 5 MINUTE;
