-- Begins the leases of messages anew.
-- KEYS: hash of owners, zset of leases
-- ARGV: client, lease in ms, then id and delivery of each
-- Returns the positions, from 1, of those that this client has no more
local owners, leases, client = KEYS[1], KEYS[2], ARGV[1]
local time = redis.call('TIME')
local ends = string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000) + ARGV[2])
local lost = {}
for i = 3, #ARGV, 2 do
  if redis.call('HGET', owners, ARGV[i]) == '1/' .. ARGV[i + 1] .. '/' .. client then
    redis.call('ZADD', leases, ends, ARGV[i])
  else
    lost[#lost + 1] = (i - 1) / 2
  end
end
return lost
