-- Forgets messages, as far as this client has them.
-- KEYS: hash of bodies, hash of owners, zset of leases
-- ARGV: client, then id and delivery of each
-- Returns how many they were
local bodies, owners, leases, client = KEYS[1], KEYS[2], KEYS[3], ARGV[1]
local done = 0
for i = 2, #ARGV, 2 do
  if redis.call('HGET', owners, ARGV[i]) == '1/' .. ARGV[i + 1] .. '/' .. client then
    redis.call('HDEL', bodies, ARGV[i])
    redis.call('HDEL', owners, ARGV[i])
    redis.call('ZREM', leases, ARGV[i])
    done = done + 1
  end
end
return done
