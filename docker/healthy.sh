#!/usr/bin/env bash
# Says whether the management port answers: healthy PORT. Needs nothing but bash.
set -euo pipefail
exec 3<>"/dev/tcp/127.0.0.1/$1"
printf 'GET /livez HTTP/1.0\r\nHost: localhost\r\n\r\n' >&3
read -r -t 2 _ status _ <&3
[ "$status" = 200 ]
