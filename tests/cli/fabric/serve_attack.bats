#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# fatwood serve on a hostile network: bodies without a token, slow connections, garbage, clients that take nothing.
bats_require_minimum_version 1.5.0
load serve

@test "bodies without a token are not read: little memory, 401" {
  serve 'ft(4,3)' sftree
  attack bodies
}

@test "300 slow connections: /healthz and /metrics are answered" {
  serve 'ft(4,3)' sftree
  attack slow
}

@test "random bytes, damaged and truncated requests, huge headers" {
  serve 'ft(4,3)' sftree
  attack garbage
}

@test "300 clients that take nothing of what they asked for" {
  serve 'ft(4,3)' sftree
  attack readers
}

@test "monitoring is answered while every task and every what-if is busy" {
  serve 'ft(16,3)' updn+
  for _ in $(seq 40); do
    curl -sS -o /dev/null -X POST -H "Authorization: Bearer $TOKEN" "$URL/api/v1/tasks/permutations?samples=100000000"
    curl -sS -o /dev/null -H "Authorization: Bearer $TOKEN" -d 'cut S1_0[1]' "$URL/api/v1/changes" 3>&- &
  done
  for path in healthz metrics api/v1/state; do [ "$(code "$URL/$path")" = 200 ]; done
}

@test "a second server on a port is refused: exit 2, and the first goes on" {
  serve 'ft(4,3)' sftree
  run -2 "$FATWOOD" serve 'ft(4,2)' --port "${URL##*:}"
  [[ "$output" == *"port ${URL##*:}"* ]]
  [ "$(get /api/v1/state | jq .fabric.hosts)" = 16 ]
}

@test "another name for this host is refused, however it begins" {
  serve 'ft(4,3)' sftree
  for host in 127.evil.example 127.0.0.1.evil.example '[::1].evil.example' localhost.evil.example evil.example; do
    [ "$(code -H "Host: $host" "$URL/api/v1/state")" = 403 ]
    [ "$(code -H "Host: $host" "$URL/metrics")" = 403 ]
  done
  [ "$(code -H "Host: localhost:80@evil" "$URL/api/v1/state")" = 400 ]
  [ "$(code -H "Host:" "$URL/api/v1/state")" = 400 ]
  [ "$(code --request-target http://evil.example/api/v1/state "$URL/")" = 403 ]
}

@test "HEAD, methods that are not there, a POST without a body" {
  serve 'ft(4,3)' sftree
  [ "$(code -I "$URL/api/v1/state")" = 200 ]
  [ "$(code -X DELETE -D headers "$URL/api/v1/state")" = 405 ]
  grep -qi '^allow: GET, HEAD' headers
  [ "$(code -X POST -H "Authorization: Bearer $TOKEN" "$URL/api/v1/undo")" = 409 ]
}

@test "pages are packed with gzip" {
  serve 'ft(4,3)' sftree
  curl -sS -D headers --compressed -H 'Accept-Encoding: br, gzip' "$URL/api/v1/page" >packed
  grep -qi '^content-encoding: gzip' headers
  get /api/v1/page | cmp - packed
}
