-- Writes or deletes one side only if the given version is newer than what stands there.
-- KEYS[1]  the side
-- ARGV[1]  set or del
-- ARGV[2]  version, decimal
-- ARGV[3]  the stamp that stands before the payload
-- ARGV[4]  the whole value (set)
-- ARGV[5]  '' (no time to live), PX or KEEPTTL (set)
-- ARGV[6]  time to live in milliseconds (PX)
-- ARGV[7]  literal before the version
-- ARGV[8]  literal after the version
-- ARGV[9]  literal after the token; '' where the stamp has no token
-- ARGV[10] longest stamp in bytes
-- Answers 1: done; 2: this very stamp stands there already; 0: something as new or newer stands there.
-- Versions are compared as decimal strings: a number would lose what is beyond 2^53.
local function newer(a, b)
  if #a ~= #b then
    return #a > #b
  end
  return a > b
end

local head = redis.call('GETRANGE', KEYS[1], 0, tonumber(ARGV[10]) - 1)

local function standing()
  local lead, after_version, after_token = ARGV[7], ARGV[8], ARGV[9]
  if string.sub(head, 1, #lead) ~= lead then
    return nil
  end
  local from = #lead + 1
  local stop = string.find(head, after_version, from, true)
  if not stop or stop == from then
    return nil
  end
  local version = string.sub(head, from, stop - 1)
  if not string.find(version, '^%d+$')
      or (#version > 1 and string.sub(version, 1, 1) == '0')
      or newer(version, '9223372036854775807') then
    return nil
  end
  if after_token ~= '' then
    local token = stop + #after_version
    local token_stop = string.find(head, after_token, token, true)
    if not token_stop or token_stop == token then
      return nil
    end
  end
  return version
end

if ARGV[1] == 'set' and string.sub(head, 1, #ARGV[3]) == ARGV[3] then
  return 2
end
local version = standing()
if version and not newer(ARGV[2], version) then
  return 0
end
if ARGV[1] == 'del' then
  redis.call('DEL', KEYS[1])
elseif ARGV[5] == 'PX' then
  redis.call('SET', KEYS[1], ARGV[4], 'PX', ARGV[6])
elseif ARGV[5] == 'KEEPTTL' then
  redis.call('SET', KEYS[1], ARGV[4], 'KEEPTTL')
else
  redis.call('SET', KEYS[1], ARGV[4])
end
return 1
