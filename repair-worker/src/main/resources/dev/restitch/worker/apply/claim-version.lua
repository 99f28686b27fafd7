-- Claims the wire version of a key space, or checks that it is not a newer one's.
-- KEYS[1] the version's key
-- ARGV[1] the version of this program, decimal
-- Answers {1, version that stands now}; {0, what stands} where it is newer, or no version at all.
if redis.call('EXISTS', KEYS[1]) == 0 then
  redis.call('SET', KEYS[1], ARGV[1])
  return {1, ARGV[1]}
end
if redis.call('TYPE', KEYS[1])['ok'] ~= 'string' or redis.call('STRLEN', KEYS[1]) > 32 then
  return {0, ''}
end
local standing = redis.call('GET', KEYS[1])
if not string.find(standing, '^[1-9]%d*$') then
  return {0, standing}
end
local mine = ARGV[1]
if #standing > #mine or (#standing == #mine and standing > mine) then
  return {0, standing}
end
if standing ~= mine then
  redis.call('SET', KEYS[1], mine)
end
return {1, mine}
