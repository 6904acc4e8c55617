-- Gives messages back, to be delivered again after a time, as far as this client has them.
-- KEYS: hash of owners, zset of leases, zset of the delayed
-- ARGV: client, time in ms, then id and delivery of each
-- Returns how many they were
local owners, leases, delayed, client = KEYS[1], KEYS[2], KEYS[3], ARGV[1]
local time = redis.call('TIME')
local due = string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000) + ARGV[2])
local back = 0
for i = 3, #ARGV, 2 do
  local delivery = '1/' .. ARGV[i + 1] .. '/'
  if redis.call('HGET', owners, ARGV[i]) == delivery .. client then
    redis.call('HSET', owners, ARGV[i], delivery)
    redis.call('ZREM', leases, ARGV[i])
    redis.call('ZADD', delayed, due, ARGV[i])
    back = back + 1
  end
end
return back
