-- Appends one entry to a log only if no entry of its transaction stands there, and the newest entry
-- that was seen still does.
-- KEYS[1] the side
-- ARGV[1] list or zset
-- ARGV[2] the transaction's token
-- ARGV[3] token of the newest entry that was seen; '' where the log was absent
-- ARGV[4] newest entries that are looked at
-- ARGV[5] the entry
-- ARGV[6] its score (zset)
-- ARGV[7] '' or PX: whether a new log gets a time to live
-- ARGV[8] time to live in milliseconds (PX)
-- ARGV[9] literal before the stamp's first part
-- ARGV[10] and on: v or t (version or token), and the literal that ends it, for each part
-- Answers {1 appended | 2 stands already | 0 something else stands, 1 if a key was there}
local key, kind = KEYS[1], ARGV[1]
local present = redis.call('EXISTS', key) == 1
if present and redis.call('TYPE', key)['ok'] ~= kind then
  return {0, 1}
end

local function token_of(entry)
  local at, token = #ARGV[9] + 1, nil
  if string.sub(entry, 1, #ARGV[9]) ~= ARGV[9] then
    return nil
  end
  for i = 10, #ARGV, 2 do
    local from, to = string.find(entry, ARGV[i + 1], at, true)
    if not from or from == at then
      return nil
    end
    if ARGV[i] == 't' then
      token = string.sub(entry, at, from - 1)
    elseif not string.find(string.sub(entry, at, from - 1), '^%d+$') then
      return nil
    end
    at = to + 1
  end
  return token
end

local anchored = ARGV[3] == '' and not present
if present then
  local tail
  if kind == 'list' then
    tail = redis.call('LRANGE', key, -tonumber(ARGV[4]), -1)
  else
    if redis.call('ZSCORE', key, ARGV[5]) then
      return {2, 1}
    end
    for _, entry in ipairs(redis.call('ZRANGEBYSCORE', key, ARGV[6], ARGV[6], 'LIMIT', 0, ARGV[4])) do
      if token_of(entry) == ARGV[2] then
        return {2, 1}
      end
    end
    tail = redis.call('ZRANGE', key, -tonumber(ARGV[4]), -1)
  end
  for i = #tail, 1, -1 do
    local token = token_of(tail[i])
    if token == ARGV[2] then
      return {2, 1}
    end
    if token == ARGV[3] then
      anchored = true
      -- a list only grows at its end: what stands before this entry was seen, or is not judged
      if kind == 'list' then
        break
      end
    end
  end
end
if not anchored then
  return {0, present and 1 or 0}
end

if kind == 'list' then
  redis.call('RPUSH', key, ARGV[5])
else
  redis.call('ZADD', key, ARGV[6], ARGV[5])
end
if not present and ARGV[7] == 'PX' then
  redis.call('PEXPIRE', key, ARGV[8])
end
return {1, present and 1 or 0}
