#!/usr/bin/env bats
# Cables fail while OpenSM runs with our engine: a hundred faults in one run, one by one and in
# storms, cut and mended. After each sweep what the real tools read back from the switches is
# whole, free of deadlock, and what the engine gives for the fabric that is left.
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

# Whether a fabric that sftree can promise anything for is left after one more cut: a core may lose
# all its cables, and most leaves the switches above both.
leaves_a_tree() {
  local cuts=(--cut "$1") cut why
  for cut in "${!is_cut[@]}"; do cuts+=(--cut "$cut"); done
  why=$("$FATWOOD" route net --engine sftree "${cuts[@]}" 2>&1 >/dev/null) ||
    ! grep -qE 'no cable path|no switch above both' <<<"$why"
}

# What the switches hold, against what the engine says of the fabric less the cuts.
in_switches_as_outside() {
  local cuts=() cut
  for cut in "${!is_cut[@]}"; do cuts+=(--cut "$cut"); done
  "$FATWOOD" route net --engine sftree --manager H0 "${cuts[@]}" -o outside >/dev/null
  entries outside >entries.outside
  local try
  for try in $(seq 60); do
    ib_run timeout 60 dump_fts >inside 2>/dev/null || true
    entries inside >entries.inside
    cmp -s entries.outside entries.inside && break
    sleep 0.25
  done
  cmp entries.outside entries.inside
  ib_run timeout 60 ibnetdiscover >found
  "$FATWOOD" verify found inside --json >verdict
  [ "$(jq .holds verdict)" = true ]
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
  declare -A is_cut=() left=()
  in_switches_as_outside

  # Cables between switches, by their lower end; a switch keeps one cable up.
  mapfile -t cables < <("$FATWOOD" convert net --to json |
    jq -r '.links[] | select((.[0] | startswith("S")) and (.[2] | startswith("S"))) |
           if .[0] < .[2] then "\(.[0])[\(.[1])]" else "\(.[2])[\(.[3])]" end')
  [ "${#cables[@]}" -eq 72 ]
  for cable in "${cables[@]}"; do left[${cable%[*}]=3; done

  faults=0
  while [ "$faults" -lt 100 ]; do
    storm=$((RANDOM % 4 == 0 ? 3 : 1))
    for ((i = 0; i < storm; ++i)); do
      cable=${cables[RANDOM % ${#cables[@]}]}
      name=${cable%[*}
      if [ -n "${is_cut[$cable]:-}" ]; then
        far=$("$FATWOOD" convert net --to json | jq -r --arg n "$name" --argjson p "$(tr -dc 0-9 <<<"${cable##*[}")" \
          '.links[] | select((.[0] == $n and .[1] == $p) or (.[2] == $n and .[3] == $p)) |
           if .[0] == $n then "\"\(.[2])\"[\(.[3])]" else "\"\(.[0])\"[\(.[1])]" end')
        ib_console "Link \"$name\"[${cable##*[} $far"
        unset "is_cut[$cable]"
        left[$name]=$((left[$name] + 1))
      else
        # At most a quarter at once. Beyond that a cable that comes back can make the ranks come out
        # otherwise, and sftree refuse the fabric: seen with 33 of the 72 cut.
        [ "${#is_cut[@]}" -lt 18 ] && [ "${left[$name]}" -gt 1 ] && leaves_a_tree "$cable" || continue
        ib_console "Unlink \"$name\"[${cable##*[}"
        is_cut[$cable]=1
        left[$name]=$((left[$name] - 1))
      fi
      faults=$((faults + 1))
    done
    in_switches_as_outside
  done
  [ "$(grep -c 'SUBNET UP' "$IB_DIR/opensm.log")" -gt 20 ]
}
