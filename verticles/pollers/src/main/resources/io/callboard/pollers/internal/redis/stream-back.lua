-- Gives entries back, to be delivered again after a time, as far as this client has them. They stay pending in the
-- group, with the name of the delayed as their client.
-- KEYS: stream, zset of the delayed
-- ARGV: group, client, time in ms, name of the delayed, then id and delivery of each
-- Returns how many of them are no longer in the stream
local stream, delayed = KEYS[1], KEYS[2]
local group, client, after, parked = ARGV[1], ARGV[2], tonumber(ARGV[3]), ARGV[4]
local time = redis.call('TIME')
local due = string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000) + after)
local trimmed = 0
for i = 5, #ARGV, 2 do
  local id, delivery = ARGV[i], tonumber(ARGV[i + 1])
  local pending = redis.call('XPENDING', stream, group, id, id, 1)[1]
  if pending and pending[2] == client and pending[4] == delivery then
    if redis.call('XCLAIM', stream, group, parked, 0, id, 'JUSTID')[1] then
      redis.call('ZADD', delayed, due, id)
    else
      trimmed = trimmed + 1
      redis.call('XACK', stream, group, id)
    end
  end
end
return trimmed
