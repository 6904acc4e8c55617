-- Sets an entry aside with its cause and acknowledges it, if this client has it.
-- KEYS: stream, stream of the dead
-- ARGV: group, client, '1' if it is deleted, too, most entries of the dead, cause, id, delivery
-- Returns 1 if it is there, 0 if this client does not have it, -1 if there is no room
local stream, dead = KEYS[1], KEYS[2]
local group, client, delete, most, cause, id, delivery =
  ARGV[1], ARGV[2], ARGV[3] == '1', tonumber(ARGV[4]), ARGV[5], ARGV[6], tonumber(ARGV[7])
-- as many values as a call can have for certain
local VALUES = 4000
local pending = redis.call('XPENDING', stream, group, id, id, 1)[1]
if not pending or pending[2] ~= client or pending[4] ~= delivery then
  return 0
elseif redis.call('XLEN', dead) >= most then
  return -1
end
local entry = redis.call('XRANGE', stream, id, id)[1]
local fields = entry and entry[2] or {}
if #fields > VALUES then
  fields = {}
  delete = false -- its content stays where it is
end
redis.call('XADD', dead, '*', 'callboard-id', id, 'callboard-cause', cause, 'callboard-group', group,
  'callboard-deliveries', delivery, unpack(fields))
redis.call('XACK', stream, group, id)
if delete then
  redis.call('XDEL', stream, id)
end
return 1
