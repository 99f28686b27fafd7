-- Counts one on, but never to less than a floor: INCR, set forward where that is not enough.
-- KEYS[1] the counter
-- ARGV[1] the least version to give out, decimal, zero or greater
-- Answers the version as a decimal string: a number would lose what is beyond 2^53.
redis.call('INCR', KEYS[1])
local version = redis.call('GET', KEYS[1])
local least = ARGV[1]
local below = string.sub(version, 1, 1) == '-'
  or #version < #least
  or (#version == #least and version < least)
if below then
  redis.call('SET', KEYS[1], least, 'KEEPTTL')
  return least
end
return version
