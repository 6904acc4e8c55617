-- Takes entries: first those that are due again, then those of dead clients, then new ones, until their bytes are enough.
-- What is too large is set aside here, and not sent to the client.
-- KEYS: stream, zset of the delayed, stream of the dead
-- ARGV: group, client, most, lease in ms, where to look for entries of the dead ('' is nowhere), name of the delayed,
--   most bytes of an entry, bytes after which no more is taken, '1' if what is set aside is deleted, most entries of the dead
-- Returns where to look next ('' is nowhere), how many entries were trimmed while they were pending, how many were too
--   large, whether the dead have room (0; 1 is no, and one was not set aside for that; 2 is no), the entries
local stream, delayed, dead = KEYS[1], KEYS[2], KEYS[3]
local group, client, most, lease, from, parked = ARGV[1], ARGV[2], tonumber(ARGV[3]), ARGV[4], ARGV[5], ARGV[6]
local largest, budget, delete, room = tonumber(ARGV[7]), tonumber(ARGV[8]), ARGV[9] == '1', tonumber(ARGV[10])
local PAGE, PAGES = 100, 10
-- as many values as a call can have for certain
local VALUES = 4000
local time = redis.call('TIME')
local now = string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000))
local taken, trimmed, bytes, large, full = {}, 0, 0, 0, 0

local function enough()
  return #taken >= most or bytes >= budget or large >= most
end

local function grouped(number)
  local text, more = string.format('%.0f', number), 1
  while more > 0 do
    text, more = string.gsub(text, '^(%d+)(%d%d%d)', '%1,%2')
  end
  return text
end

local function aside(id, count, fields, size)
  if redis.call('XLEN', dead) >= room then
    full = 1 -- it stays pending, and is looked at again when its lease is over
    return
  end
  local kept = #fields <= VALUES and fields or {} -- else its content stays where it is
  redis.call('XADD', dead, '*', 'callboard-id', id,
    'callboard-cause', 'its fields have ' .. grouped(size) .. ' bytes, more than maxBytes, ' .. grouped(largest),
    'callboard-group', group, 'callboard-deliveries', count, unpack(kept))
  redis.call('XACK', stream, group, id)
  if delete and kept == fields then
    redis.call('XDEL', stream, id)
  end
  large = large + 1
end

local function give(id, count, fields)
  local size = 0
  for _, value in ipairs(fields) do
    size = size + #value
  end
  if size > largest then
    aside(id, count, fields, size)
  else
    bytes = bytes + size
    taken[#taken + 1] = {id, count, fields}
  end
end

local function claim(id)
  if #redis.call('XPENDING', stream, group, id, id, 1) == 0 then
    return -- acknowledged by hand
  end
  local entry = redis.call('XCLAIM', stream, group, client, 0, id)[1]
  if entry then
    give(id, redis.call('XPENDING', stream, group, id, id, 1)[1][4], entry[2])
  else
    trimmed = trimmed + 1
    redis.call('XACK', stream, group, id)
  end
end

for _, id in ipairs(redis.call('ZRANGEBYSCORE', delayed, '-inf', now, 'LIMIT', 0, most)) do
  if enough() then
    break
  end
  redis.call('ZREM', delayed, id)
  claim(id)
end

local pages = 0
while from ~= '' and not enough() and pages < PAGES do
  local page = redis.call('XPENDING', stream, group, 'IDLE', lease, from, '+', PAGE)
  for _, pending in ipairs(page) do
    if enough() then
      break
    end
    local id = pending[1]
    from = '(' .. id
    if pending[2] ~= parked or not redis.call('ZSCORE', delayed, id) then
      claim(id)
    end
  end
  if #page < PAGE and not enough() then
    from = ''
  end
  pages = pages + 1
end

local tries = 0
while not enough() and tries < most do -- one by one, as nobody knows how large the next one is
  tries = tries + 1
  local read = redis.call('XREADGROUP', 'GROUP', group, client, 'COUNT', 1, 'STREAMS', stream, '>')
  if not read then
    break
  end
  local entry = read[1][2][1]
  give(entry[1], 1, entry[2])
end
local length = redis.pcall('XLEN', dead)
if full == 0 and (type(length) ~= 'number' or length >= room) then
  full = 2
end
return {from, trimmed, large, full, taken}
