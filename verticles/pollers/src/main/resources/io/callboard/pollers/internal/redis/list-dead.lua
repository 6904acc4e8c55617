-- Sets a message aside with its cause, if this client has it.
-- KEYS: hash of bodies, hash of owners, zset of leases, stream of the dead
-- ARGV: client, most entries of the dead, cause, id, delivery
-- Returns 1 if it is there, 0 if this client does not have it, -1 if there is no room
local bodies, owners, leases, dead = unpack(KEYS)
local client, most, cause, id, delivery = unpack(ARGV)
if redis.call('HGET', owners, id) ~= '1/' .. delivery .. '/' .. client then
  return 0
elseif redis.call('XLEN', dead) >= tonumber(most) then
  return -1
end
redis.call('XADD', dead, '*', 'callboard-id', id, 'callboard-cause', cause, 'callboard-deliveries', delivery,
  'body', redis.call('HGET', bodies, id) or '')
redis.call('HDEL', bodies, id)
redis.call('HDEL', owners, id)
redis.call('ZREM', leases, id)
return 1
