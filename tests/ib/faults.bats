#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Cables and switches fail while OpenSM runs with our engine: a hundred random faults in one run,
# one by one and in storms, cut and mended, until half of the cables are gone and parts of the
# fabric with them. After each sweep what the real tools read back from the switches that the
# manager still reaches is whole, free of deadlock, and what the engine gives for that fabric.
bats_require_minimum_version 1.5.0

load ib

setup() {
  need_ib dump_fts
  [ -e "$FATWOOD_BUILD/opensm/libfatwood_opensm.so" ] || skip "the plug-in was not built"
  cd "$BATS_TEST_TMPDIR"
}

teardown() { ib_stop; }

# "switch port-GUID port" of a dump of tables. dump_fts names switches by LID and GUID alike.
entries() {
  awk '/^Unicast/ { match($0, /guid 0x[0-9a-f]+/); s = substr($0, RSTART + 5, RLENGTH - 5) }
       /^0x/ && match($0, /portguid 0x[0-9a-f]+/) { print s, substr($0, RSTART + 9, RLENGTH - 9), $2 + 0 }' \
    "$1" | sort
}

# Switches that no cable path joins to the manager, from "a p b q" lines and those that are cut.
out_of_reach() {
  awk -v from="$IB_HOST" '
    NR == FNR { is_cut[$0] = 1; next }
    { seen[$1]; seen[$3]; if (!($0 in is_cut)) { next_to[$1] = next_to[$1] " " $3; next_to[$3] = next_to[$3] " " $1 } }
    END {
      todo[n = 1] = from; reached[from]
      for (i = 1; i <= n; ++i) {
        count = split(next_to[todo[i]], near, " ")
        for (k = 1; k <= count; ++k) if (!(near[k] in reached)) { reached[near[k]]; todo[++n] = near[k] }
      }
      for (node in seen) if (node ~ /^S/ && !(node in reached)) print node
    }' cut.now cables.all
}

# What the switches hold, against what the engine says of the fabric that is left.
in_switches_as_outside() {
  local faults=() a p gone
  printf '%s\n' "${!is_cut[@]}" >cut.now
  while read -r a p _; do [ -z "$a" ] || faults+=(--cut "$a[$p]"); done <cut.now
  mapfile -t gone < <(out_of_reach)
  for a in "${gone[@]}"; do faults+=(--remove "$a"); done
  "$FATWOOD" route net --engine sftree --manager "$IB_HOST" "${faults[@]}" -o outside >/dev/null
  entries outside >entries.outside
  # A query of OpenSM's that was on a cable when it was cut is lost, and with it all behind that
  # cable, though other paths lead there. A sweep that begins after the cuts finds it.
  ib_settle
  ib_tables >inside
  entries inside >entries.inside
  cmp entries.outside entries.inside
  ib_discover >found
  "$FATWOOD" verify found inside --json >verdict
  [ "$(jq .holds verdict)" = true ]
  most_cut=$((${#is_cut[@]} > most_cut ? ${#is_cut[@]} : most_cut))
  most_gone=$((${#gone[@]} > most_gone ? ${#gone[@]} : most_gone))
  sweeps=$((sweeps + 1))
}

cut() {
  read -r a p b q <<<"$1"
  ib_console "Unlink \"$a\"[$p]"
  is_cut[$1]=1
}
mend() {
  read -r a p b q <<<"$1"
  ib_console "Link \"$a\"[$p] \"$b\"[$q]"
  unset "is_cut[$1]"
}

# A cable between switches fails or is mended; a switch dies, or comes back, with all its cables.
fault() {
  local cable name
  if [ $((RANDOM % 8)) -gt 0 ]; then
    cable=${between[RANDOM % ${#between[@]}]}
    if [ -n "${is_cut[$cable]:-}" ]; then mend "$cable"; else cut "$cable"; fi
    return
  fi
  name=${switches[RANDOM % ${#switches[@]}]}
  if [ -n "${is_dead[$name]:-}" ]; then
    unset "is_dead[$name]"
    for cable in "${cables[@]}"; do
      [[ " $cable " == *" $name "* && -n "${is_cut[$cable]:-}" ]] || continue
      mend "$cable"
    done
  else
    is_dead[$name]=1
    died=$((died + 1))
    for cable in "${cables[@]}"; do
      [[ " $cable " == *" $name "* && -z "${is_cut[$cable]:-}" ]] || continue
      cut "$cable"
    done
  fi
}

@test "a hundred random faults under sftree" {
  seed=${FATWOOD_FAULT_SEED:-$RANDOM}
  echo "# seed $seed (FATWOOD_FAULT_SEED=$seed repeats this run)" >&3
  RANDOM=$seed
  "$FATWOOD" convert 'xgft(3;3,3,4;1,3,3)' --to ibsim -o net
  ib_start net
  printf 'event_plugin_name fatwood_opensm\n' >conf
  ib_opensm_daemon -F conf -R fatwood_sftree,no_fallback
  ib_wait_up 1
  declare -A is_cut=() is_dead=()
  most_cut=0 most_gone=0 sweeps=0 died=0
  "$FATWOOD" convert net --to json | jq -r '.links[] | .[0:4] | map(tostring) | join(" ")' >cables.all
  mapfile -t cables <cables.all
  mapfile -t between < <(grep '^S.* S' cables.all)
  [ "${#between[@]}" -eq 72 ]
  # All but the manager's leaf.
  mapfile -t switches < <(tr ' ' '\n' <cables.all | grep '^S' | sort -u | grep -vx S1_0)
  [ "${#switches[@]}" -eq 32 ]
  in_switches_as_outside

  faults=0
  while [ "$faults" -lt 100 ]; do
    case $((RANDOM % 8)) in 0) storm=10 ;; 1 | 2) storm=4 ;; *) storm=1 ;; esac
    for ((i = 0; i < storm; ++i)); do
      fault
      faults=$((faults + 1))
    done
    in_switches_as_outside
  done
  echo "# $faults faults, $died of them deaths of switches, looked at $sweeps times; at most $most_cut cables cut and $most_gone switches out of reach at once" >&3
  # What is mended comes back.
  for cable in "${!is_cut[@]}"; do mend "$cable"; done
  in_switches_as_outside
}
