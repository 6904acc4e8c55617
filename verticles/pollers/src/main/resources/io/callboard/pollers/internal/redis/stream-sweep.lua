-- Removes clients of Callboard that have nothing and were not there for a while. One that lives comes again by itself.
-- KEYS: stream
-- ARGV: group, what their names begin with, time in ms, name of a client that goes in any case
-- Returns how many went
local stream, group, prefix, idle, leaving = KEYS[1], ARGV[1], ARGV[2], tonumber(ARGV[3]), ARGV[4]
local gone = 0
for _, consumer in ipairs(redis.call('XINFO', 'CONSUMERS', stream, group)) do
  local facts = {}
  for i = 1, #consumer, 2 do
    facts[consumer[i]] = consumer[i + 1]
  end
  local name = facts['name']
  local old = string.sub(name, 1, #prefix) == prefix and facts['idle'] >= idle
  if facts['pending'] == 0 and (old or name == leaving) then
    redis.call('XGROUP', 'DELCONSUMER', stream, group, name)
    gone = gone + 1
  end
end
return gone
