-- Takes back the entry of a log that did not exist before, where it is still the only one.
-- KEYS[1] the side
-- ARGV[1] list or zset
-- ARGV[2] the entry
-- Answers {1 removed | 2 not there | 0 others stand there too, 1 if a key was there}
local key, kind = KEYS[1], ARGV[1]
if redis.call('EXISTS', key) == 0 then
  return {2, 0}
end
if redis.call('TYPE', key)['ok'] ~= kind then
  return {0, 1}
end
local all
if kind == 'list' then
  all = redis.call('LRANGE', key, 0, 1)
else
  all = redis.call('ZRANGE', key, 0, 1)
end
if #all ~= 1 or all[1] ~= ARGV[2] then
  return {0, 1}
end
redis.call('DEL', key)
return {1, 1}
