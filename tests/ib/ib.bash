# SPDX-License-Identifier: BSD-3-Clause
# A simulated InfiniBand fabric for tests: ibsim with a console, OpenSM and the diagnostics beside
# it. Each test has a socket and a folder of its own; ib_stop ends everything it started.
#
#   need_ib                     skips the test where the programs are not installed
#   ib_start NET                starts ibsim on a net file
#   ib_console 'Unlink "S"[1]'  types into its console
#   ib_run PROGRAM ARGS...      runs a program inside the fabric (as host $IB_HOST)
#   ib_opensm ARGS...           runs OpenSM once, until SUBNET UP; log and dumps in $IB_DIR
#   ib_opensm_daemon ARGS...    starts OpenSM and leaves it running
#   ib_heavy_sweep              asks that OpenSM to look at the whole fabric again (SIGHUP)
#   ib_wait_up N                waits until OpenSM has said SUBNET UP N times
#   ib_stop                     to be called in teardown
#   ib_manager ENGINE           sets IB_MANAGER: how to tell the engine where OpenSM runs, if it looks
#   all_lids FABRIC             prints "GUID LID" of every address in a fabric's file
#   real FILE...                prints the paths of real fabrics, of those that lie beside the checkout

IB_PRELOAD=/usr/lib/x86_64-linux-gnu/umad2sim/libumad2sim.so

need_ib() {
  local program
  for program in ibsim opensm ibnetdiscover "$@"; do
    command -v "$program" >/dev/null || skip "$program is not installed"
  done
  [ -e "$IB_PRELOAD" ] || skip "umad2sim is not installed"
}

ib_start() {
  IB_DIR=$(mktemp -d)
  export IBSIM_SOCKNAME="fatwood-$$-$RANDOM"
  local nodes ports
  nodes=$(grep -cE '^(Switch|Hca|Ca|Rt)' "$1")
  ports=$(grep -cE '^\[' "$1")
  mkfifo "$IB_DIR/console"
  # Opened for reading and writing: without a writer ibsim would spin at the end of its input.
  # The limits of ports count unconnected ones too.
  ibsim -s -N $((nodes + 64)) -S $((nodes + 64)) -P $((2 * ports + 70 * nodes + 1024)) -L 49152 "$1" \
    <>"$IB_DIR/console" >"$IB_DIR/ibsim.log" 2>&1 3>&- &
  IB_PIDS="$!"
  IB_HOST=${IB_HOST:-$(sed -nE 's/^(Hca|Ca)[[:space:]]+[0-9]+[[:space:]]+"([^"]+)".*/\2/p' "$1" | head -1)}
  local i
  for i in $(seq 150); do
    if ib_run timeout 5 smpquery nodeinfo -D 0 >/dev/null 2>&1; then return 0; fi
    sleep 0.2
  done
  echo "ibsim did not start:" >&2
  tail -5 "$IB_DIR/ibsim.log" >&2
  return 1
}

ib_console() { printf '%s\n' "$1" >"$IB_DIR/console"; }

ib_run() { SIM_HOST=$IB_HOST LD_PRELOAD=$IB_PRELOAD "$@"; }

# A plug-in built with the address sanitizer wants its library to be the first that OpenSM loads,
# with the one that throws exceptions; what OpenSM itself leaks, and what asan.supp names, is not
# ours to tell.
ib_environment() {
  local asan supp
  asan=$(ldd "${FATWOOD_BUILD:-}/opensm/libfatwood_opensm.so" 2>/dev/null |
    awk '/libasan/ { first = $3 } /libstdc\+\+/ { second = $3 } END { if (first) print first ":" second }')
  supp=$(dirname "${BASH_SOURCE[0]}")/asan.supp
  IB_ENVIRONMENT=(
    SIM_HOST="$IB_HOST" OSM_TMP_DIR="$IB_DIR" OSM_CACHE_DIR="$IB_DIR"
    LD_PRELOAD="${asan:+$asan:}${IB_RECORDER:+$IB_RECORDER:}$IB_PRELOAD" ASAN_OPTIONS="detect_leaks=0:suppressions=$supp"
    LD_LIBRARY_PATH="${FATWOOD_BUILD:-}/opensm:${FATWOOD_BUILD:-}/bench")
}

ib_opensm() {
  ib_environment
  env "${IB_ENVIRONMENT[@]}" timeout -k 2 "${IB_TIMEOUT:-60}" opensm -o -e -f "$IB_DIR/opensm.log" \
    -D 0x43 --dump_files_dir "$IB_DIR" "$@" >"$IB_DIR/opensm.out" 2>&1 3>&- && return
  local status=$?
  grep -A 20 ERROR "$IB_DIR/opensm.out" >&2 || true # of a sanitizer
  return "$status"
}

ib_opensm_daemon() {
  ib_environment
  env "${IB_ENVIRONMENT[@]}" timeout -k "${IB_KILL_AFTER:-2}" "${IB_TIMEOUT:-240}" opensm -e -d2 -f "$IB_DIR/opensm.log" \
    -D 0x43 --dump_files_dir "$IB_DIR" "$@" >"$IB_DIR/opensm.out" 2>&1 3>&- </dev/null &
  IB_OPENSM=$!
  IB_PIDS="$IB_PIDS $IB_OPENSM"
}

# timeout would take the signal for the end.
ib_heavy_sweep() { pkill -HUP -P "$IB_OPENSM"; }

ib_wait_up() {
  local i count
  for i in $(seq 300); do
    count=$(grep -c 'SUBNET UP' "$IB_DIR/opensm.log" 2>/dev/null || true)
    [ "${count:-0}" -ge "$1" ] && return 0
    sleep 0.1
  done
  echo "OpenSM said SUBNET UP ${count:-0} times, not $1" >&2
  grep -A 20 ERROR "$IB_DIR/opensm.out" >&2
  return 1
}

ib_manager() {
  case $1 in
    updn | dnup | sftree | even | ar_updn | ar_even) IB_MANAGER=(--manager "$IB_HOST") ;;
    *) IB_MANAGER=() ;;
  esac
}

all_lids() {
  "$FATWOOD" convert "$1" --to json |
    jq -r '.nodes[] | .guid as $guid | .addresses[] | .[2] as $lid | range(pow(2; .[3] // 0)) | "\($guid) \($lid + .)"'
}

real() {
  local file
  for file in "$@"; do
    [ ! -e "${FATWOOD_REAL_FABRICS:-absent}/$file" ] || printf '%s\n' "$FATWOOD_REAL_FABRICS/$file"
  done
}

ib_stop() {
  local pid
  for pid in ${IB_PIDS:-}; do
    kill "$pid" 2>/dev/null
    # OpenSM ignores the signal while it computes.
    (sleep 3; kill -9 "$pid" 2>/dev/null) >/dev/null 2>&1 3>&- &
    wait "$pid" 2>/dev/null || true
  done
  IB_PIDS=
  [ -n "${IB_DIR:-}" ] && rm -rf "$IB_DIR"
  return 0
}
