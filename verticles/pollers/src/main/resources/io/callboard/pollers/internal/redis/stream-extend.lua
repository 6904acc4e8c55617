-- Begins the leases of entries anew.
-- KEYS: stream
-- ARGV: group, client, then id and delivery of each
-- Returns the positions, from 1, of those that this client has no more
local stream, group, client = KEYS[1], ARGV[1], ARGV[2]
local lost = {}
for i = 3, #ARGV, 2 do
  local id, delivery = ARGV[i], tonumber(ARGV[i + 1])
  local pending = redis.call('XPENDING', stream, group, id, id, 1)[1]
  local kept = pending and pending[2] == client and pending[4] == delivery
    and redis.call('XCLAIM', stream, group, client, 0, id, 'JUSTID')[1]
  if not kept then
    lost[#lost + 1] = (i - 1) / 2
  end
end
return lost
