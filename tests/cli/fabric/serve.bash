# SPDX-License-Identifier: BSD-3-Clause
# For tests of fatwood serve: starts and stops a server, sends requests. At the end of each test, every status that
# was seen must be in the server's own description (OpenAPI).

setup() {
  [ -x "$(dirname "$FATWOOD")/fatwood-serve" ] || skip "fatwood-serve was not built (libboost-dev)"
  cd "$BATS_TEST_TMPDIR"
}

# SIGTERM: tasks end with the server.
teardown() {
  if [ -z "${SERVER:-}" ]; then return 0; fi
  local listed=0
  statuses_are_listed || listed=$?
  kill "$SERVER" 2>/dev/null || true
  for _ in $(seq 100); do
    kill -0 "$SERVER" 2>/dev/null || return "$listed"
    sleep 0.1
  done
  kill -9 "$SERVER" 2>/dev/null || true
  return "$listed"
}

# serve WORDS...: sets SERVER, URL and TOKEN. Any free port. What an earlier server wrote goes first, and the line is
# read when it is complete.
serve() {
  rm -f out err
  "$FATWOOD" serve "$@" --port 0 >out 2>err 3>&- &
  SERVER=$!
  until [ -s out ] && grep -q http out && [ -z "$(tail -c 1 out)" ]; do
    kill -0 "$SERVER" || { cat err; return 1; }
    sleep 0.05
  done
  URL=$(grep -o 'http://[^/]*' out)
  TOKEN=$(sed -n 's/.*token=//p' out)
}

# Requests are noted in the file asked: STATUS METHOD ADDRESS.
get() { curl -sS -w '%{stderr}%{http_code} GET %{url_effective}\n' "$URL$1" 2>>asked; }
code() {
  curl -sS -o body -w '%{http_code} %{method} %{url_effective}\n' "$@" | tee -a asked | cut -d ' ' -f 1
}
post() {
  curl -sS -w '%{stderr}%{http_code} POST %{url_effective}\n' -H "Authorization: Bearer $TOKEN" --data-binary "$2" "$URL$1" 2>>asked
}

# until_true COMMAND...: until it succeeds. A test that waits for what never comes ends by ctest's time limit.
until_true() { until "$@" >/dev/null 2>&1; do sleep 0.1; done; }
state_is() { get /api/v1/state | jq -e "$1"; }
until_links() { until_true state_is ".fabric.links == $1"; }

attack() {
  command -v python3 || skip "python3 is not installed"
  python3 "$BATS_TEST_DIRNAME/serve_attack.py" "$1" "${URL##*:}" "$SERVER" "$TOKEN"
}

# Addresses that are not described (404, 405) are refused before anything else.
statuses_are_listed() {
  kill -0 "$SERVER" 2>/dev/null && [ -s asked ] || return 0
  curl -sS "$URL/api/v1/openapi.json" >openapi.json
  grep -E '^[0-9]{3} [A-Z]+ http' asked | sed -E 's, http://[^/]*, ,; s/\?.*//; s/ HEAD / GET /' | sort -u |
    jq -R -n --slurpfile api openapi.json -e '
      def matches($path): test("^" + ($path | gsub("\\{[^}]*\\}"; "[^/]+")) + "$");
      [inputs | split(" ") | {status: .[0], method: (.[1] | ascii_downcase), path: (.[-1] | if . == "" then "/" else . end)}
        | . as $seen
        | [$api[0].paths | to_entries[] | .key as $key | select($seen.path | matches($key)) | .value[$seen.method] // empty] as $found
        | select($found | length > 0)
        | select([$found[] | .responses | has($seen.status)] | any | not)]
      | if length > 0 then (map("not in OpenAPI: \(.status) \(.method) \(.path)") | join("\n") | debug | false) else true end' >/dev/null
}
