-- Takes entries: first those that are due again, then those of dead clients, then new ones.
-- KEYS: stream, zset of the delayed
-- ARGV: group, client, most, lease in ms, where to look for entries of the dead ('' is nowhere), name of the delayed
-- Returns where to look next ('' is nowhere), how many entries were trimmed while they were pending, the entries
local stream, delayed = KEYS[1], KEYS[2]
local group, client, most, lease, from, parked = ARGV[1], ARGV[2], tonumber(ARGV[3]), ARGV[4], ARGV[5], ARGV[6]
local PAGE, PAGES = 100, 10
local time = redis.call('TIME')
local now = string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000))
local taken, trimmed = {}, 0

local function claim(id)
  if #redis.call('XPENDING', stream, group, id, id, 1) == 0 then
    return -- acknowledged by hand
  end
  local entry = redis.call('XCLAIM', stream, group, client, 0, id)[1]
  if entry then
    local count = redis.call('XPENDING', stream, group, id, id, 1)[1][4]
    taken[#taken + 1] = {id, count, entry[2]}
  else
    trimmed = trimmed + 1
    redis.call('XACK', stream, group, id)
  end
end

for _, id in ipairs(redis.call('ZRANGEBYSCORE', delayed, '-inf', now, 'LIMIT', 0, most)) do
  redis.call('ZREM', delayed, id)
  claim(id)
end

local pages = 0
while from ~= '' and #taken < most and pages < PAGES do
  local page = redis.call('XPENDING', stream, group, 'IDLE', lease, from, '+', PAGE)
  for _, pending in ipairs(page) do
    if #taken == most then
      break
    end
    local id = pending[1]
    from = '(' .. id
    if pending[2] ~= parked or not redis.call('ZSCORE', delayed, id) then
      claim(id)
    end
  end
  if #page < PAGE and #taken < most then
    from = ''
  end
  pages = pages + 1
end

if #taken < most then
  local read = redis.call('XREADGROUP', 'GROUP', group, client, 'COUNT', most - #taken, 'STREAMS', stream, '>')
  if read then
    for _, entry in ipairs(read[1][2]) do
      taken[#taken + 1] = {entry[1], 1, entry[2]}
    end
  end
end
return {from, trimmed, taken}
