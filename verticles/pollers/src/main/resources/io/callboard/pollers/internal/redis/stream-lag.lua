-- Counts the entries that wait.
-- KEYS: stream, zset of the delayed
-- ARGV: group, '1' if entries are deleted when they are complete
-- Returns their number, or nil if the server does not know it
local stream, delayed, name, delete = KEYS[1], KEYS[2], ARGV[1], ARGV[2] == '1'
for _, group in ipairs(redis.call('XINFO', 'GROUPS', stream)) do
  local facts = {}
  for i = 1, #group, 2 do
    facts[group[i]] = group[i + 1]
  end
  if facts['name'] == name then
    local lag = facts['lag']
    if not lag and delete then
      lag = math.max(0, redis.call('XLEN', stream) - facts['pending'])
    end
    return lag and lag + redis.call('ZCARD', delayed)
  end
end
return nil
