#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# fatwood compare: rates, gains, who takes part, what is recommended.
bats_require_minimum_version 1.5.0

setup() { cd "$BATS_TEST_TMPDIR"; }

@test "each engine has the figures that load has for its tables" {
  "$FATWOOD" compare 'ft(8,3)' --cut 4 --json >out
  for engine in minhop sftree even updn+; do
    "$FATWOOD" load 'ft(8,3)' --cut 4 $engine --traffic alltoall --json >one
    jq -e --arg engine $engine --slurpfile one one '.engines[] | select(.name == $engine) |
      .worst_gbps == $one[0].rates.worst_gbps and .p1_gbps == $one[0].rates.p1_gbps and
      .median_gbps == $one[0].rates.median_gbps and .mload == $one[0].mload and
      (.evenness_mean - $one[0].cuts.mean | fabs) < 1e-12 and
      .evenness_worst == $one[0].cuts.worst.evenness' out
  done
  # Best first, gains over minhop, slow engines left out.
  jq -e '.baseline == "minhop" and .left_out == ["nue", "bfot", "bfot+", "apot", "apot-matrix"] and .engines[0].name == .recommendation.engine' out
  jq -e '(.engines[] | select(.name == "minhop") | .worst_gbps) as $base | .engines | map(select(.worst_gbps)) |
         all((.gain - .worst_gbps / $base | fabs) < 1e-9)' out
  "$FATWOOD" compare 'ft(8,3)' --cut 4 --all --json | jq -e 'any(.engines[]; .name == "nue") and .left_out == []'
}

@test "job efficiency: as load, check and job have it, within what the cables allow" {
  "$FATWOOD" compare 'ft(8,3)' --cut 12 --json >out
  "$FATWOOD" load 'ft(8,3)' --cut 12 updn+ --traffic alltoall --json >load
  "$FATWOOD" check 'ft(8,3)' updn+ --cut 12 --json >check || true
  jq -e --slurpfile load load --slurpfile check check '.engines[] | select(.name == "updn+") |
    .jobs == $load[0].jobs and .jobs == $check[0].jobs' out
  jq -e '.jobs | .mean < 1 and .worst <= .mean and .mean <= .ideal_mean and .host_order == "natural order of names" and
    ([.sizes[] | [.hosts, .placed]] == [[4, "neighbours"], [4, "random"], [8, "neighbours"], [8, "random"],
      [16, "neighbours"], [16, "random"], [32, "neighbours"], [32, "random"], [64, "neighbours"], [64, "random"],
      [128, "neighbours"]]) and
    all(.sizes[] | (., .phases, .ring); .worst <= .mean + 1e-9 and .mean <= .ideal_mean + 1e-9)' load
  "$FATWOOD" job 'ft(8,3)' --cut 12 updn+ --hosts "$(jq -r .jobs.worst_job.hosts load)" --collective alltoall --json >job
  jq -e --slurpfile job job '.jobs | (.worst_job.efficiency - $job[0].efficiency | fabs) < 1e-6 and
    .worst == .worst_job.efficiency and .worst_job.size == $job[0].hosts' load
  # Flit by flit it takes a little longer: packets wait for each other.
  "$FATWOOD" job 'ft(8,3)' --cut 12 updn+ --hosts "$(jq -r .jobs.worst_job.hosts load)" --collective alltoall \
    --message-size 2M --flits --json | jq -e '.flits.deadlock == false and .flits.difference > 0 and .flits.difference < 0.15'
  # The gain of the recommended engine names jobs.
  jq -e '(.engines[] | select(.name == "minhop") | .jobs.mean) as $base |
    all(.engines[] | select(.jobs); (.jobs_gain - .jobs.mean / $base | fabs) < 1e-9)' out
}

@test "--host-order: a list or Slurm's topology decides who are neighbours" {
  printf 'H[64-127]\nH[0-63]\n' >names
  printf 'SwitchName=b Nodes=H[64-127]\nSwitchName=a Nodes=H[0-63]\nSwitchName=top Switches=a,b\n' >topology.conf
  "$FATWOOD" load 'ft(8,3)' --cut 12 updn+ --traffic alltoall --json >natural
  for file in names topology.conf; do
    "$FATWOOD" load 'ft(8,3)' --cut 12 updn+ --traffic alltoall --host-order $file --json >$file.json
    jq -e --arg file $file '.jobs.host_order == $file' $file.json
  done
  jq -e --slurpfile other topology.conf.json '.jobs.sizes == $other[0].jobs.sizes' names.json
  jq -e --slurpfile other natural '.jobs.sizes != $other[0].jobs.sizes' names.json
  run "$FATWOOD" check 'ft(8,3)' --host-order missing
  [ "$status" -eq 2 ]
  echo nobody >wrong
  run "$FATWOOD" compare 'ft(8,3)' --host-order wrong
  [ "$status" -eq 2 ]
  [[ "$output" == *wrong:1* ]]
}

@test "gains over the tables in use; kept where none is better" {
  "$FATWOOD" route 'ft(4,3)' updn+ -o now.lft >/dev/null
  "$FATWOOD" compare 'ft(4,3)' now.lft --json >out
  jq -e '.baseline == "now.lft" and (.engines[] | select(.name == "now.lft") | .gain) == 1 and
         (.engines[] | select(.name == "updn+") | .gain) == 1 and (.recommendation.keep_current | not)' out
  "$FATWOOD" route 'ft(4,3)' sftree -o good.lft >/dev/null
  run --separate-stderr "$FATWOOD" compare 'ft(4,3)' good.lft
  [ "$status" -eq 0 ]
  [[ "$output" == *"keep what you have"* ]]
  run "$FATWOOD" compare 'ft(4,3)' missing.lft
  [ "$status" -eq 2 ]
}

@test "rates are of compute hosts where roles differ, and of whom --among names" {
  fabric='rails(units=2,hosts=4,rails=2,spines=4,leaf_hosts=2,seed=2)'
  "$FATWOOD" compare "$fabric" --json >compute
  jq -e '.among.hosts == "compute" and .among.service == 0' compute
  "$FATWOOD" load "$fabric" sftree --traffic alltoall --among compute --json >one
  jq -e --slurpfile one one '.engines[] | select(.name == "sftree") | .worst_gbps == $one[0].rates.worst_gbps' compute
  "$FATWOOD" compare "$fabric" --among all --json | jq -e '.among.service > 0'
  run "$FATWOOD" compare "$fabric" --among nobody
  [ "$status" -eq 2 ]
}

@test "worst and permutations among some hosts" {
  printf 'H0\nH1\nH8\nH9\n' >some
  "$FATWOOD" worst 'ft(4,3)' dmodk --among some --json >few
  jq -e '.among.adapters == 4 and (.traffic | map(.[0:2][]) | all(. as $h | ["H0","H1","H8","H9"] | index($h)))' few
  "$FATWOOD" permutations 'ft(4,3)' dmodk --shifts --among some --json | jq -e '.results[0].shifts == 3 and .among.adapters == 4'
  "$FATWOOD" permutations 'ft(4,3)' dmodk --rates --among some --samples 10 --json | jq -e '.among.adapters == 4'
  "$FATWOOD" permutations 'ft(4,3)' dmodk --json | jq -e '.among.hosts == "all"'
}

@test "sim and job among some hosts" {
  fabric='rails(units=2,hosts=4,rails=2,spines=4,leaf_hosts=2,seed=2)'
  "$FATWOOD" sim "$fabric" sftree --load 0.2 --cycles 2000 --among compute --json >few
  jq -e '.among.hosts == "compute" and .among.service == 0 and .points[0].created > 0' few
  "$FATWOOD" sim "$fabric" sftree --load 0.2 --cycles 2000 --json | jq -e '.among.hosts == "all"'
  printf 'H0\nH1\nH8\nH9\n' >some
  "$FATWOOD" sim 'ft(4,3)' sftree --collective shift --message-size 4k --among some --json >shifts
  jq -e '.among.adapters == 4 and .sizes[0].messages == 4 * 3' shifts
  "$FATWOOD" job 'ft(4,3)' sftree --hosts all --among some --json | jq -e '.hosts == 4'
  run "$FATWOOD" job 'ft(4,3)' sftree --hosts 'H[0-3]' --among some
  [ "$status" -eq 2 ]
  run "$FATWOOD" sim 'ft(4,3)' sftree --load 0.2 --among nobody
  [ "$status" -eq 2 ]
}
