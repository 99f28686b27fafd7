-- Removes one side only if what stands there is what was expected.
-- KEYS[1] the side
-- ARGV[1] what is expected: prefix, sha1, or nothing (never removed)
-- ARGV[2] the expected stamp (prefix), or the SHA-1 of the expected value in hex (sha1)
-- ARGV[3] longest stamp in bytes
-- Answers {1 removed | 2 not there | 0 something else stands, 1 if a key was there, its first bytes}
local key = KEYS[1]
if redis.call('EXISTS', key) == 0 then
  return {2, 0, ''}
end
if redis.call('TYPE', key)['ok'] ~= 'string' then
  return {0, 1, ''}
end
local head = redis.call('GETRANGE', key, 0, tonumber(ARGV[3]) - 1)
local same = false
if ARGV[1] == 'prefix' then
  same = redis.call('GETRANGE', key, 0, #ARGV[2] - 1) == ARGV[2]
elseif ARGV[1] == 'sha1' then
  same = redis.sha1hex(redis.call('GET', key)) == ARGV[2]
end
if not same then
  return {0, 1, head}
end
redis.call('DEL', key)
return {1, 1, head}
