-- Writes or removes one hash only if the stamp that stands there is what was expected.
-- KEYS[1]  the side
-- ARGV[1]  set or del
-- ARGV[2]  field of the version; '' where the stamp has none
-- ARGV[3]  field of the token; '' where the stamp has none
-- ARGV[4]  the target's version (set)
-- ARGV[5]  the target's token (set)
-- ARGV[6]  what is expected: absent, stamp, or nothing (never written)
-- ARGV[7]  the expected version (stamp)
-- ARGV[8]  the expected token (stamp)
-- ARGV[9]  '' (no time to live), PX or KEEPTTL (set)
-- ARGV[10] time to live in milliseconds (PX)
-- ARGV[11] and on: names and values of all fields, the stamp's too (set)
-- Answers {1 done | 2 stands already | 0 something else stands, 1 if a key was there, its version, its token}
local key = KEYS[1]
local present = redis.call('EXISTS', key) == 1
local hash = present and redis.call('TYPE', key)['ok'] == 'hash'

local function field(name)
  if not hash or name == '' or redis.call('HSTRLEN', key, name) > 65536 then
    return ''
  end
  return redis.call('HGET', key, name) or ''
end

local version, token = field(ARGV[2]), field(ARGV[3])
local function answer(code)
  return {code, present and 1 or 0, version, token}
end
local function carries(wanted_version, wanted_token)
  return hash
    and (ARGV[2] == '' or version == wanted_version)
    and (ARGV[3] == '' or token == wanted_token)
end

if ARGV[1] == 'del' then
  if not present then
    return answer(2)
  end
elseif carries(ARGV[4], ARGV[5]) then
  return answer(2)
end

local same = false
if ARGV[6] == 'absent' then
  same = not present
elseif ARGV[6] == 'stamp' then
  same = carries(ARGV[7], ARGV[8])
end
if not same then
  return answer(0)
end

if ARGV[1] == 'del' then
  redis.call('DEL', key)
  return answer(1)
end
local kept = {}
for i = 11, #ARGV, 2 do
  redis.call('HSET', key, ARGV[i], ARGV[i + 1])
  kept[ARGV[i]] = true
end
if hash then
  for _, name in ipairs(redis.call('HKEYS', key)) do
    if not kept[name] then
      redis.call('HDEL', key, name)
    end
  end
end
if ARGV[9] == 'PX' then
  redis.call('PEXPIRE', key, ARGV[10])
elseif ARGV[9] == '' then
  redis.call('PERSIST', key)
end
return answer(1)
