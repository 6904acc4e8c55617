-- Takes messages: first those that are due again, then those whose lease is over, then new ones, which get their number,
-- until their bytes are enough.
-- KEYS: list, hash of bodies, hash of owners, zset of leases, zset of the delayed, last number, stream of the dead
-- ARGV: client, most, lease in ms, end of the list ('LEFT' or 'RIGHT'), most bytes of a body, most entries of the dead,
--   bytes after which no more is taken
-- Returns how many were without a body, how many were too large, whether the dead have room (0; 1 is no, and one was not set
--   aside for that; 2 is no), the messages
local list, bodies, owners, leases, delayed, last, dead = unpack(KEYS)
local client, most, lease, side, bytes, room, budget =
  ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4], tonumber(ARGV[5]), tonumber(ARGV[6]), tonumber(ARGV[7])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local taken, size, without, large, full = {}, 0, 0, 0, 0

local function enough()
  return #taken >= most or size >= budget
end

local function give(id, body, delivery)
  redis.call('HSET', owners, id, '1/' .. delivery .. '/' .. client)
  redis.call('ZADD', leases, string.format('%.0f', now + lease), id)
  taken[#taken + 1] = {id, delivery, body}
  size = size + #body
end

local function again(due)
  if enough() then
    return
  end
  local ids = redis.call('ZRANGEBYSCORE', due, '-inf', string.format('%.0f', now), 'LIMIT', 0, most - #taken)
  for _, id in ipairs(ids) do
    if enough() then
      return
    end
    redis.call('ZREM', due, id)
    local body = redis.call('HGET', bodies, id)
    if body then
      local owner = redis.call('HGET', owners, id) or ''
      give(id, body, tonumber(string.match(owner, '^1/(%d+)/') or '0') + 1)
    else
      redis.call('HDEL', owners, id)
      without = without + 1
    end
  end
end

local function number(body)
  if redis.call('EXISTS', last) == 0 then
    -- microseconds: above all numbers that a lost key may have given
    redis.call('SET', last, string.format('%.0f', time[1] * 1000000 + time[2]))
  end
  return string.format('%.0f', redis.call('INCR', last)) .. '-' .. string.sub(redis.sha1hex(body), 1, 16)
end

again(delayed)
again(leases)
local pop = side == 'LEFT' and 'LPOP' or 'RPOP'
while not enough() and large < most do
  local body = redis.call('LINDEX', list, side == 'LEFT' and 0 or -1)
  if not body then
    break
  elseif #body <= bytes then
    redis.call(pop, list)
    local id = number(body)
    redis.call('HSET', bodies, id, body)
    give(id, body, 1)
  elseif redis.call('XLEN', dead) < room then
    redis.call(pop, list)
    redis.call('XADD', dead, '*', 'callboard-id', number(body), 'callboard-cause',
      'its body has ' .. #body .. ' bytes, more than maxBytes, ' .. bytes, 'callboard-deliveries', 0, 'body', body)
    large = large + 1
  else
    full = 1
    break
  end
end
local length = redis.pcall('XLEN', dead)
if full == 0 and (type(length) ~= 'number' or length >= room) then
  full = 2
end
return {without, large, full, taken}
