-- Counts the messages that wait.
-- KEYS: list, zset of the delayed
return redis.call('LLEN', KEYS[1]) + redis.call('ZCARD', KEYS[2])
