-- Acknowledges entries, as far as this client has them.
-- KEYS: stream
-- ARGV: group, client, '1' if they are deleted, too, then id and delivery of each
-- Returns how many they were
local stream, group, client, delete = KEYS[1], ARGV[1], ARGV[2], ARGV[3] == '1'
local done = 0
for i = 4, #ARGV, 2 do
  local id, delivery = ARGV[i], tonumber(ARGV[i + 1])
  local pending = redis.call('XPENDING', stream, group, id, id, 1)[1]
  if pending and pending[2] == client and pending[4] == delivery then
    redis.call('XACK', stream, group, id)
    if delete then
      redis.call('XDEL', stream, id)
    end
    done = done + 1
  end
end
return done
