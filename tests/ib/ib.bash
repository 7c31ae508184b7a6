# SPDX-License-Identifier: BSD-3-Clause
# A simulated InfiniBand fabric for tests: ibsim with a console, and OpenSM and the diagnostics in
# it. Each test has a socket and a folder of its own; ib_stop ends everything it started.
#
# No test goes by the clock: it waits for what it expects. $IB_LIMIT (seconds) only ends a test that
# would wait for ever.
#
#   need_ib                     skips the test where the programs are not installed
#   ib_start NET                starts ibsim on a net file
#   ib_console 'Unlink "S"[1]'  types into its console, and returns when it is done
#   ib_run PROGRAM ARGS...      runs a program inside the fabric (as host $IB_HOST)
#   ib_discover, ib_tables      what ibnetdiscover and dump_fts print
#   ib_opensm ARGS...           runs OpenSM once, until SUBNET UP; log and dumps in $IB_DIR
#   ib_opensm_daemon ARGS...    starts OpenSM and leaves it running
#   ib_until COMMAND...         repeats a command until it succeeds
#   ib_wait_up N                waits until OpenSM has said SUBNET UP N times
#   ib_heavy_sweep              asks that OpenSM to look at the whole fabric again (SIGHUP)
#   ib_sweep                    the same, and waits until it has done so; it was started with -F conf
#   ib_settle                   sweeps until nothing is left to do: neither for a trap nor for the
#                               plug-in, which spreads a change over up to three rounds
#   ib_kill                     kills that OpenSM, as a crash would
#   ib_stop                     to be called in teardown
#   ib_manager ENGINE           sets IB_MANAGER: how to tell the engine where OpenSM runs, if it looks
#   all_lids FABRIC             prints "GUID LID" of every address in a fabric's file
#   real FILE...                prints the paths of real fabrics, of those that lie beside the checkout

IB_PRELOAD=/usr/lib/x86_64-linux-gnu/umad2sim/libumad2sim.so
IB_LIMIT=${IB_LIMIT:-900}

need_ib() {
  local program
  for program in ibsim opensm ibnetdiscover "$@"; do
    command -v "$program" >/dev/null || skip "$program is not installed"
  done
  [ -e "$IB_PRELOAD" ] || skip "umad2sim is not installed"
}

ib_until() {
  local end=$((SECONDS + IB_LIMIT))
  until "$@"; do
    if [ "$SECONDS" -ge "$end" ] || ! kill -0 "${IB_OPENSM:-$$}" 2>/dev/null; then
      echo "not after $IB_LIMIT s, or OpenSM has ended: $*" >&2
      tail -5 "$IB_DIR"/*.log >&2
      grep -A 20 ERROR "$IB_DIR/opensm.log" >&2 # of a sanitizer
      return 1
    fi
    sleep 0.05
  done
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
  ib_until ib_prompts 1
}

# ibsim prints a prompt when it is ready, and after each command.
ib_prompts() { [ "$(grep -o 'sim> ' "$IB_DIR/ibsim.log" | wc -l)" -ge "$1" ]; }

ib_console() {
  local before
  before=$(grep -o 'sim> ' "$IB_DIR/ibsim.log" | wc -l)
  printf '%s\n' "$1" >"$IB_DIR/console"
  ib_until ib_prompts $((before + 1))
}

ib_run() { timeout "$IB_LIMIT" env SIM_HOST="$IB_HOST" LD_PRELOAD="$IB_PRELOAD" "$@"; }

# They wait a minute for an answer, not a second, which a busy simulator may take.
ib_discover() { ib_run ibnetdiscover -t 60000 "$@"; }
ib_tables() { ib_run dump_fts -t 60000 2>/dev/null; }

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
  env "${IB_ENVIRONMENT[@]}" timeout -k 10 "$IB_LIMIT" opensm -o -e -f "$IB_DIR/opensm.log" \
    -D 0x43 --dump_files_dir "$IB_DIR" "$@" >"$IB_DIR/opensm.out" 2>&1 3>&- && return
  local status=$?
  grep -A 20 ERROR "$IB_DIR/opensm.out" >&2 || true # of a sanitizer
  return "$status"
}

# Its log goes to standard output, so that it is in one order with what OpenSM prints (ib_sweep). It
# sweeps when it is asked to, or on a trap, not every ten seconds.
ib_opensm_daemon() {
  ib_environment
  env "${IB_ENVIRONMENT[@]}" timeout -k "$IB_LIMIT" "$IB_LIMIT" opensm -e -d2 -f stdout -s 0 \
    -D 0x43 --dump_files_dir "$IB_DIR" "$@" >"$IB_DIR/opensm.log" 2>&1 3>&- </dev/null &
  IB_OPENSM=$!
  IB_PIDS="$IB_PIDS $IB_OPENSM"
}

ib_ups() { [ "$(grep -c 'SUBNET UP' "$IB_DIR/opensm.log")" -ge "$1" ]; }
ib_wait_up() { ib_until ib_ups "$1"; }

# timeout would take the signal for the end.
ib_heavy_sweep() { pkill -HUP -P "$IB_OPENSM"; }

# At the beginning of a sweep that it was asked for, OpenSM reads its options and prints those that
# have changed. One that only a standby manager uses is the mark of the sweep.
ib_sweep() {
  IB_MARK=$((${IB_MARK:-1000} + 1))
  sed '/^polling_retry_number/d' conf >conf.new
  echo "polling_retry_number $IB_MARK" >>conf.new
  mv conf.new conf
  ib_heavy_sweep
  ib_until ib_up_after "polling_retry_number = $IB_MARK"
}
ib_up_after() { grep -F -A 999999 -e "$1" "$IB_DIR/opensm.log" | grep -q 'SUBNET UP'; }

ib_settle() { ib_sweep && ib_sweep && ib_sweep; }

ib_kill() {
  pkill -KILL -P "$IB_OPENSM"
  wait "$IB_OPENSM" 2>/dev/null || true
  IB_OPENSM=
}

ib_manager() {
  case $1 in
    updn+ | sftree | even | ar_updn | ar_even) IB_MANAGER=(--manager "$IB_HOST") ;;
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
    pkill -KILL -P "$pid" || true
    kill -KILL "$pid" 2>/dev/null || true
    wait "$pid" 2>/dev/null || true
  done
  IB_PIDS= IB_OPENSM=
  [ -n "${IB_DIR:-}" ] && rm -rf "$IB_DIR"
  return 0
}
