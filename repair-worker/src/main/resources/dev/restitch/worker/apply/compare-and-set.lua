-- Writes one side only if what stands there is what was expected.
-- KEYS[1] the side
-- ARGV[1] how to know that the target stands already: prefix, or value (stamps without a token)
-- ARGV[2] the target's stamp, as it stands before the payload
-- ARGV[3] what is expected: absent, prefix, sha1, or nothing (never written)
-- ARGV[4] the expected stamp (prefix), or the SHA-1 of the expected value in hex (sha1)
-- ARGV[5] the whole new value
-- ARGV[6] '' (no time to live), PX or KEEPTTL
-- ARGV[7] time to live in milliseconds (PX)
-- ARGV[8] longest stamp in bytes
-- Answers {1 written | 2 stands already | 0 something else stands, 1 if a key was there, its first bytes}
local key = KEYS[1]
local present = redis.call('EXISTS', key) == 1
if present and redis.call('TYPE', key)['ok'] ~= 'string' then
  return {0, 1, ''}
end

local function begins_with(prefix)
  return present and redis.call('GETRANGE', key, 0, #prefix - 1) == prefix
end

local head = ''
if present then
  head = redis.call('GETRANGE', key, 0, tonumber(ARGV[8]) - 1)
end

local already
if ARGV[1] == 'prefix' then
  already = begins_with(ARGV[2])
else
  already = present and redis.call('GET', key) == ARGV[5]
end
if already then
  return {2, 1, head}
end

local same = false
if ARGV[3] == 'absent' then
  same = not present
elseif ARGV[3] == 'prefix' then
  same = begins_with(ARGV[4])
elseif ARGV[3] == 'sha1' then
  same = present and redis.sha1hex(redis.call('GET', key)) == ARGV[4]
end
if not same then
  return {0, present and 1 or 0, head}
end

if ARGV[6] == 'PX' then
  redis.call('SET', key, ARGV[5], 'PX', ARGV[7])
elseif ARGV[6] == 'KEEPTTL' then
  redis.call('SET', key, ARGV[5], 'KEEPTTL')
else
  redis.call('SET', key, ARGV[5])
end
return {1, present and 1 or 0, head}
