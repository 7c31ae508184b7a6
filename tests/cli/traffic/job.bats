#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# fatwood job: hosts by their names, collectives, traces, other jobs, better orders.
bats_require_minimum_version 1.5.0

setup() { cd "$BATS_TEST_TMPDIR"; }

@test "an all-reduce inside one leaf gets what the cables give" {
  run --separate-stderr "$FATWOOD" job 'xgft(2;8,8;1,8)' dmodk --hosts 'H[0-7]' \
    --collective allreduce --message-size 1G --rate 4xHDR --latency none --json
  [ "$status" -eq 0 ]
  # 2(n-1)/n S at 25 GB/s.
  [ "$(jq '.busbw > 24.99 and .busbw < 25.01' <<<"$output")" = true ]
  [ "$(jq '.efficiency > 0.9999' <<<"$output")" = true ]
  for key in seconds algbw busbw slowest jobs; do
    [ "$(jq "has(\"$key\")" <<<"$output")" = true ]
  done
  [ "$(jq '.jobs[0] | has("name") and has("seconds") and has("alone_seconds") and has("slowdown")' <<<"$output")" = true ]
}

@test "two ring edges on one up-link halve the job, and the cable is named" {
  # One cable between the leaves; the ring goes to and fro.
  cat >two.net <<'NET'
Switch	8 "A"	# "A" base port 0 lid 1 lmc 0
[1]	"a1"[1]	# "a1 mlx5_0" lid 3 4xHDR
[2]	"a2"[1]	# "a2 mlx5_0" lid 4 4xHDR
[8]	"B"[8]	# "B" lid 2 4xHDR

Switch	8 "B"	# "B" base port 0 lid 2 lmc 0
[1]	"b1"[1]	# "b1 mlx5_0" lid 5 4xHDR
[2]	"b2"[1]	# "b2 mlx5_0" lid 6 4xHDR
[8]	"A"[8]	# "A" lid 1 4xHDR

Ca	1 "a1"	# "a1 mlx5_0"
[1]	"A"[1]	# lid 3 lmc 0 "A" lid 1 4xHDR

Ca	1 "a2"	# "a2 mlx5_0"
[1]	"A"[2]	# lid 4 lmc 0 "A" lid 1 4xHDR

Ca	1 "b1"	# "b1 mlx5_0"
[1]	"B"[1]	# lid 5 lmc 0 "B" lid 2 4xHDR

Ca	1 "b2"	# "b2 mlx5_0"
[1]	"B"[2]	# lid 6 lmc 0 "B" lid 2 4xHDR
NET
  run "$FATWOOD" job two.net minhop --hosts a1,b1,a2,b2 --latency none
  [ "$status" -eq 0 ]
  [[ "$output" == *"busbw 12.50 GB/s"* ]]
  [[ "$output" == *"held by A[8] - B[8]"* || "$output" == *"held by B[8] - A[8]"* ]]
  [[ "$output" == *"a1 mlx5_0 to b1 mlx5_0"* || "$output" == *"b1 mlx5_0 to a2 mlx5_0"* ]]
  [[ "$output" == *"50.0% of what the hosts could do"* ]]
  run --separate-stderr "$FATWOOD" job two.net minhop --hosts a1,b1,a2,b2 --latency none \
    --improve order --hostfile hf --rankfile rf --machinefile mf --slurm-hostfile sf --json
  [ "$status" -eq 0 ]
  [ "$(jq .improved.best_possible <<<"$output")" = true ]
  [ "$(jq '.improved.given_seconds / .improved.seconds > 1.99' <<<"$output")" = true ]
  [ "$(sort hf | tr '\n' ' ')" = "a1 slots=1 a2 slots=1 b1 slots=1 b2 slots=1 " ]
  [ "$(head -1 rf)" = "rank 0=$(head -1 sf) slot=0" ]
  [ "$(head -1 mf)" = "$(head -1 sf):1" ]
  # The two of a leaf are neighbours in the ring.
  [[ "$(tr -d '0-9\n' <sf)" == @(aabb|abba|bbaa|baab) ]]
}

@test "other jobs slow each other down, and are named" {
  cat >others <<'JOBS'
# name hosts collective size
other H[1,9] sendrecv 1G
JOBS
  run --separate-stderr "$FATWOOD" job 'xgft(2;8,2;1,1)' minhop --hosts 'H[0,8]' \
    --collective sendrecv --beside others --json
  [ "$status" -eq 0 ]
  [ "$(jq '.jobs | length' <<<"$output")" = 2 ]
  [ "$(jq '.jobs[0].slowdown > 1.99 and .jobs[0].slowdown < 2.01' <<<"$output")" = true ]
  [ "$(jq -r '.jobs[0].disturbed_by[0].job' <<<"$output")" = other ]
  [ "$(jq -r '.jobs[1].disturbed_by[0].job' <<<"$output")" = job ]
}

@test "squeue and scontrol are read as they print" {
  printf '17|2|H[0,8]|the job itself\n18|2|H[1,9]|train\n19|0||waits\n20|1|elsewhere7|x\n' >squeue
  run --separate-stderr "$FATWOOD" job 'xgft(2;8,2;1,1)' minhop --hosts 'H[0,8]' \
    --collective sendrecv --beside squeue --json
  [ "$status" -eq 0 ]
  [ "$(jq -r '[.jobs[].name] | join(" ")' <<<"$output")" = "job 18" ]
  [[ "$(jq -r '.notes[0]' <<<"$output")" == *"1 job with no host in this fabric"* ]]
  echo 'JobId=7 JobName=a b JobState=RUNNING ReqNodeList=H3 NodeList=H[1,9] BatchHost=H1' >scontrol
  run --separate-stderr "$FATWOOD" job 'xgft(2;8,2;1,1)' minhop --hosts 'H[0,8]' --beside scontrol --json
  [ "$(jq -r '[.jobs[].name] | join(" ")' <<<"$output")" = "job 7" ]
  printf 'JobId=7 JobName=x\n   JobState=RUNNING Reason=None\n   ReqNodeList=(null) ExcNodeList=(null)\n   NodeList=H[1,9]\n   BatchHost=H1\n\n' >long
  printf 'JobId=8 JobName=y\n   JobState=PENDING Reason=None\n   NodeList=(null)\n\n' >>long
  run --separate-stderr "$FATWOOD" job 'xgft(2;8,2;1,1)' minhop --hosts 'H[0,8]' --beside long --json
  [ "$(jq -r '[.jobs[].name] | join(" ")' <<<"$output")" = "job 7" ]
  cat >table <<'SLURM'
  JOBID PARTITION     NAME     USER ST       TIME  NODES NODELIST(REASON)
12_[3-9]     batch  a b c      bob PD       0:00      4 (Resources)
    13+0     batch  a b c      bob  R      10:00      2 H[1,9]
      14     batch      x      bob PD       0:00      4 (ReqNodeNotAvail, UnavailableNodes:H3)
SLURM
  run --separate-stderr "$FATWOOD" job 'xgft(2;8,2;1,1)' minhop --hosts 'H[0,8]' --beside table --json
  [ "$(jq -r '[.jobs[].name] | join(" ")' <<<"$output")" = "job 13+0" ]
}

@test "wrong hosts are reported with what was expected" {
  run "$FATWOOD" job 'ft(4,2)' dmodk --hosts H8
  [ "$status" -eq 2 ]
  [[ "$output" == *"no host is called H8"* && "$output" == *"hosts are H[0-7]"* ]]
  run "$FATWOOD" job 'ft(4,2)' dmodk --hosts 'luna-[0001-0004]'
  [ "$status" -eq 2 ]
  [[ "$output" == *"none of the 4 hosts is in this fabric (luna-[0001-0004])"* ]]
  run "$FATWOOD" job 'ft(4,2)' dmodk --hosts 'H1,H2,H1'
  [ "$status" -eq 2 ]
  [[ "$output" == *"host H1 comes twice"* ]]
  run "$FATWOOD" job 'ft(4,2)' dmodk --hosts 'H[1-'
  [ "$status" -eq 2 ]
  [[ "$output" == *"character 5: expected a number"* ]]
  printf 'H0\nH1 # two\nH0\n' >list
  run "$FATWOOD" job 'ft(4,2)' dmodk --hosts @list
  [ "$status" -eq 2 ]
  [[ "$output" == *"list:3: host H0 comes twice, first on line 1"* ]]
  echo 'x H[1-2]' >beside
  run "$FATWOOD" job 'ft(4,2)' dmodk --hosts 'H[0-1]' --beside beside
  [ "$status" -eq 2 ]
  [[ "$output" == *"beside:1"* && "$output" == *"host H1 is in job and in x"* ]]
  run "$FATWOOD" job 'ft(4,2)' dmodk --hosts 'H[0-1]' --collective allsum
  [ "$status" -eq 2 ]
  [[ "$output" == *"allreduce:ring"* ]]
  run "$FATWOOD" job 'ft(4,2)' dmodk --hosts 'H[0-2]' --collective reducescatter:halving
  [ "$status" -eq 2 ]
  [[ "$output" == *"power-of-two"* ]]
}

@test "a trace runs, and one that waits forever says where" {
  cat >ring.goal <<'GOAL'
num_ranks 4
rank 0 {
s: send 1000000b to 1 tag 1
r: recv 1000000b from 3 tag 1
}
rank 1 {
r: recv 1000000b from 0 tag 1
s: send 1000000b to 2 tag 1
s requires r
}
rank 2 {
r: recv 1000000b from 1 tag 1
s: send 1000000b to 3 tag 1
s requires r
}
rank 3 {
r: recv 1000000b from 2 tag 1
s: send 1000000b to 0 tag 1
s requires r
}
GOAL
  run --separate-stderr "$FATWOOD" job 'ft(4,2)' dmodk --hosts 'H[0-3]' --trace ring.goal --rate 4xHDR --json
  [ "$status" -eq 0 ]
  # Four messages of 40 us one after the other.
  [ "$(jq '.seconds > 0.000159 and .seconds < 0.000161' <<<"$output")" = true ]
  [ "$(jq .busbw <<<"$output")" = null ]
  sed -i 's/^s: send 1000000b to 0 tag 1/s: send 1000000b to 0 tag 2/' ring.goal
  run "$FATWOOD" job 'ft(4,2)' dmodk --hosts 'H[0-3]' --trace ring.goal
  [ "$status" -eq 2 ]
  [[ "$output" == *"ring.goal:4: rank 0 waits forever: rank 3 sends it no message with tag 1"* ]]
  run "$FATWOOD" job 'ft(4,2)' dmodk --hosts 'H[0-2]' --trace ring.goal
  [ "$status" -eq 2 ]
  [[ "$output" == *"4 ranks do not divide evenly over 3 hosts"* ]]
}

@test "the flit-level simulator agrees within 5%, and its result is printed, too" {
  run --separate-stderr "$FATWOOD" job 'xgft(2;8,4;1,4)' dmodk --hosts 'H[0-15]' --message-size 16M \
    --rate 4xHDR --latency none --flits --json
  [ "$status" -eq 0 ]
  [ "$(jq '.flits.difference | fabs < 0.05' <<<"$output")" = true ]
  [ "$(jq '.flits.deadlock' <<<"$output")" = false ]
  # Tables of an engine, two jobs at once.
  echo 'other H[8-11] alltoall 4M' >others
  run --separate-stderr "$FATWOOD" job 'xgft(2;8,4;1,4)' ftree --hosts 'H[0-7]' --collective alltoall \
    --message-size 4M --rate 4xHDR --flits --beside others --json
  [ "$status" -eq 0 ]
  [ "$(jq '[.jobs[] | .flit_seconds / .seconds - 1 | fabs] | max < 0.05' <<<"$output")" = true ]
  run "$FATWOOD" job 'xgft(2;8,4;1,4)' dmodk --hosts 'H[0-15]' --message-size 16M --flits
  [[ "$output" == *"flit by flit, "*"% "*" than by fair rates"* ]]
}

@test "a log of NCCL has rings and adapters, and what is cut off is left out" {
  cat >nccl.log <<'LOG'
H0:1:1 [0] NCCL INFO comm 0x1 rank 0 nRanks 4 nNodes 4 localRanks 1 localRank 0 MNNVL 0
H0:1:1 [0] NCCL INFO Channel 00/01 :    0   1   2   3
H0:1:1 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[0] [send] via NET/IB/0
H1:1:1 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[0] [receive] via NET/IB/0
H1:1:1 [0] NCCL INFO Channel 00/0 : 1[0] -> 2[0] [send] via NET/IB/0
H4:1:1 [0] NCCL INFO Channel 00/0 : 1[0] -> 2[0] [receive] via NET/IB/0
H4:1:1 [0] NCCL INFO Channel 00/0 : 2[0] -> 3[0] [send] via NET/IB/0
H5:1:1 [0] NCCL INFO Channel 00/0 : 2[0] -> 3[0] [receive] via NET/IB/0
H5:1:1 [0] NCCL INFO Channel 00/0 : 3[0] -> 0[0] [send] via NET/IB/0
H0:1:1 [0] NCCL INFO Channel 00/0 : 3[0] -> 0[0] [receive] via NET/IB/0
H5:1:1 [0] NCCL INFO Ring 00 : 2 -> 3 -> 0
LOG
  run --separate-stderr "$FATWOOD" job 'xgft(2;4,4;1,4)' dmodk --trace nccl.log --rate 4xHDR --json
  [ "$status" -eq 0 ]
  [ "$(jq '.busbw > 24.9 and .busbw < 25.1' <<<"$output")" = true ]
  [ "$(jq .hosts <<<"$output")" = 4 ]
  # The same connections on other hosts.
  run --separate-stderr "$FATWOOD" job 'xgft(2;4,4;1,1)' dmodk --trace nccl.log --hosts 'H[0,4,1,5]' --rate 4xHDR --json
  [ "$status" -eq 0 ]
  [ "$(jq '.busbw > 12.4 and .busbw < 12.6' <<<"$output")" = true ]
  sed -i '/H5.*receive/d' nccl.log
  run --separate-stderr "$FATWOOD" job 'xgft(2;4,4;1,4)' dmodk --trace nccl.log --json
  [ "$status" -eq 0 ]
  [[ "$(jq -r '.notes | join(";")' <<<"$output")" == *"1 connection left out"*"lower bound"* ]]
  run "$FATWOOD" job 'xgft(2;4,4;1,4)' dmodk --trace nccl.log --collective alltoall
  [ "$status" -eq 2 ]
  [[ "$output" == *"rings and trees"* ]]
  run -2 "$FATWOOD" job 'xgft(2;4,4;1,4)' dmodk --trace nccl.log --collective sendrecv:ring
  run "$FATWOOD" job 'xgft(2;4,4;1,4)' dmodk --trace nccl.log --hosts 'H[0-2]'
  [ "$status" -eq 2 ]
  [[ "$output" == *"4 hosts in the log, and 3 in --hosts"* ]]
}

@test "a list of messages with times" {
  printf '# ns from to bytes\n0 H0 H1 25000000\n2000000 H1 H2 25000000\n' >list
  run --separate-stderr "$FATWOOD" job 'xgft(2;4,4;1,4)' dmodk --trace list --rate 4xHDR --json
  [ "$status" -eq 0 ]
  [ "$(jq '.seconds > 0.00299 and .seconds < 0.00301' <<<"$output")" = true ]
  run "$FATWOOD" job 'xgft(2;4,4;1,4)' dmodk --trace list --hosts H0
  [ "$status" -eq 2 ]
  printf '0 H0 H99 5\n' >list
  run "$FATWOOD" job 'xgft(2;4,4;1,4)' dmodk --trace list
  [ "$status" -eq 2 ]
  [[ "$output" == *"list:1:6"* ]]
  : >list
  run "$FATWOOD" job 'xgft(2;4,4;1,4)' dmodk --trace list --hosts H0
  [ "$status" -eq 2 ]
  [[ "$output" == *"no trace"* ]]
}

@test "options of what no job here does are refused" {
  refused() {
    run "$FATWOOD" job 'ft(4,2)' dmodk --hosts 'H[0-3]' "$@"
    [ "$status" -eq 2 ]
    [[ "$output" == *" needs "* || "$output" == *" requires "* ]]
  }
  refused --root 1
  refused --window 2
  refused --no-pxn
  refused --collective alltoall --cross-nic 1
  refused --collective allreduce:rabenseifner --channels 4
  refused --tries 3
  refused --free H5
  run "$FATWOOD" job 'ft(4,2)' dmodk --hosts 'H[0-3]' --collective broadcast --root 4
  [ "$status" -eq 2 ]
  [[ "$output" == *"--root 4"* ]]
}

@test "parallel groups must fit, and run at once" {
  run --separate-stderr "$FATWOOD" job 'xgft(2;8,8;1,8)' dmodk --hosts 'H[0-15]' --ranks-per-host 4 \
    --groups data --tensor 4 --json
  [ "$status" -eq 0 ]
  [[ "$(jq -r .what <<<"$output")" == *"4 data-parallel groups of 16"* ]]
  run "$FATWOOD" job 'xgft(2;8,8;1,8)' dmodk --hosts 'H[0-15]' --groups data --tensor 3
  [ "$status" -eq 2 ]
  [[ "$output" == *"the job has 16; 15 of its 16 hosts would do"* ]]
}

@test "candidates are scored, best first" {
  printf 'spread H[0,8]\nnear H[0-1]\n' >candidates
  run --separate-stderr "$FATWOOD" job 'xgft(3;4,4,4;1,1,1)' minhop --hosts 'H[0,32]' \
    --collective sendrecv --candidates candidates --json
  [ "$status" -eq 0 ]
  [ "$(jq -r '.candidates | length' <<<"$output")" = 2 ]
  run --separate-stderr "$FATWOOD" job 'xgft(2;4,4;1,1)' minhop --hosts 'H[0,1,4,5]' \
    --collective alltoall --improve placement --free 'H[0-15]' --json
  [ "$status" -eq 0 ]
  [ "$(jq '.improved.seconds < .improved.given_seconds' <<<"$output")" = true ]
  [ "$(jq .improved.best_possible <<<"$output")" = true ]
}

@test "hosts that are not in the fabric are left out with a warning, and none left is an error" {
  run --separate-stderr "$FATWOOD" job 'ft(4,2)' dmodk --hosts 'H[4-9]' --json
  [ "$status" -eq 0 ]
  [ "$(jq .hosts <<<"$output")" = 4 ]
  [[ "$(jq -r '.notes[0]' <<<"$output")" == *"2 of 6 hosts"*"H[8-9]"* ]]
  [[ "$stderr" == *"H[8-9]"* ]]
  kept=$(jq .seconds <<<"$output")
  run --separate-stderr "$FATWOOD" job 'ft(4,2)' dmodk --hosts 'H[4-7]' --json
  [ "$(jq .seconds <<<"$output")" = "$kept" ]
  printf 'H0 slots=2\nH9 slots=2\nH3 slots=2\n' >hostfile
  run --separate-stderr "$FATWOOD" job 'ft(4,2)' dmodk --hosts @hostfile --json
  [ "$(jq '[.hosts, .ranks] == [2, 4]' <<<"$output")" = true ]
  echo 'other H[3,99]' >others
  run --separate-stderr "$FATWOOD" job 'ft(4,2)' dmodk --hosts 'H[0-1]' --beside others --json
  [ "$(jq '.jobs[1].hosts' <<<"$output")" = 1 ]
  run "$FATWOOD" job 'ft(4,2)' dmodk --hosts 'H[8-9]'
  [ "$status" -eq 2 ]
}

@test "--beside takes @FILE and all: the hosts that no other job has" {
  echo 'H[2,3]' >list
  printf 'one @list\nrest all\n' >others
  run --separate-stderr "$FATWOOD" job 'ft(4,2)' dmodk --hosts 'H[0-1]' --beside others --json
  [ "$status" -eq 0 ]
  [ "$(jq -c '[.jobs[].hosts]' <<<"$output")" = '[2,2,4]' ]
}

@test "--pick chooses hosts: a whole leaf for an all-to-all, and never those of other jobs" {
  # Leaves of four hosts with one up-link each: only hosts of one leaf have all their bandwidth.
  echo 'other H0' >others
  run --separate-stderr "$FATWOOD" job 'xgft(2;4,4;1,1)' minhop --pick 4 --free all --beside others \
    --collective alltoall --json
  [ "$status" -eq 0 ]
  [ "$(jq '.improved.best_possible and .seconds == .improved.seconds' <<<"$output")" = true ]
  [ "$(jq '[.improved.hosts[] | .[1:] | tonumber / 4 | floor] | unique | length' <<<"$output")" = 1 ]
  [ "$(jq '.improved.hosts | index("H0")' <<<"$output")" = null ]
  # A unit without a leaf for one rail has hosts of three adapters; all others have four.
  run --separate-stderr "$FATWOOD" job like-dgx-ndr updn+ --pick 16 --free all --collective alltoall --json
  [ "$(jq '[.hosts, .adapters] == [16, 4]' <<<"$output")" = true ]
  run "$FATWOOD" job 'ft(4,2)' minhop --pick 9 --free all
  [ "$status" -eq 2 ]
  run "$FATWOOD" job 'ft(4,2)' minhop --pick 2 --free all --hosts 'H[0-1]'
  [ "$status" -eq 2 ]
  # Without --free: of all that no other job has.
  run --separate-stderr "$FATWOOD" job 'ft(4,2)' minhop --pick 2 --json
  [ "$status" -eq 0 ]
  jq -e '.improved.hosts | length == 2' <<<"$output"
  echo 'other H[0-6]' >others
  run "$FATWOOD" job 'ft(4,2)' minhop --pick 2 --beside others
  [ "$status" -eq 2 ]
}

# Adapters of one host of a fabric with rails lose their names.
@test "only names of hosts that exist are printed for mpirun and Slurm" {
  "$FATWOOD" convert like-dgx-ndr --to json -o net.json
  made_up=$("$FATWOOD" convert net.json --to slurm | grep -o 'left out, without a name.*' | grep -o 'unit[0-9]*-port[0-9]*' | head -1)
  [ -n "$made_up" ]
  run --separate-stderr "$FATWOOD" job net.json updn --pick 16 --collective alltoall --json
  [ "$status" -eq 0 ]
  jq -e '.improved | (.unnamed == []) and (.nccl | test("unit[0-9]*-port") | not)' <<<"$output"
  jq -e 'any(.notes[]; test("without a name"))' <<<"$output"
  run --separate-stderr "$FATWOOD" job net.json updn --hosts all --improve order --tries 1 --json
  [ "$status" -eq 0 ]
  jq -e '.improved | (.unnamed | length > 0) and .nccl == null' <<<"$output"
  run "$FATWOOD" job net.json updn --hosts all --hostfile hosts
  [ "$status" -eq 2 ]
  [[ "$output" == *"--node-name-map"* ]]
  [ ! -e hosts ]
}

@test "several kinds of groups work at the same time" {
  run --separate-stderr "$FATWOOD" job 'xgft(2;8,8;1,8)' dmodk --hosts 'H[0-15]' --ranks-per-host 4 --tensor 4 \
    --pipeline 2 --groups tensor=allreduce@64M,pipeline=sendrecv@32M,data=allreduce@1G --json
  [ "$status" -eq 0 ]
  jq -e '[.jobs[].name] == ["job", "pipeline groups", "data groups"] and .jobs[2].slowdown > 1' <<<"$output"
  together=$(jq '.jobs[2].alone_seconds' <<<"$output")
  # Alone each is what it is by itself.
  run --separate-stderr "$FATWOOD" job 'xgft(2;8,8;1,8)' dmodk --hosts 'H[0-15]' --ranks-per-host 4 --tensor 4 \
    --pipeline 2 --groups data --collective allreduce --message-size 1G --json
  [ "$(jq .seconds <<<"$output")" = "$together" ]
  for words in tensor,tensor all,data nonsense data=allreduce@much; do
    run "$FATWOOD" job 'ft(4,2)' dmodk --hosts 'H[0-3]' --groups $words
    [ "$status" -eq 2 ]
  done
  run "$FATWOOD" job 'ft(4,2)' dmodk --hosts 'H[0-3]' --groups data,pipeline --improve order
  [ "$status" -eq 2 ]
  run "$FATWOOD" job 'ft(4,2)' dmodk --hosts 'H[0-3]' --groups data=alltoall --collective allreduce
  [ "$status" -eq 2 ]
}

@test "--engines compares engines for one job, fastest first, each as by itself" {
  run --separate-stderr "$FATWOOD" job 'ft(4,3)' --engines all --hosts 'H[0,3,8,13,15]' --collective alltoall --json
  [ "$status" -eq 0 ]
  all=$output
  [ "$(jq '[.engines[] | select(.seconds) | .seconds] | . == sort and length > 8' <<<"$all")" = true ]
  [ "$(jq '[.engines[] | select(.adaptive)] | length >= 3' <<<"$all")" = true ]
  run --separate-stderr "$FATWOOD" compare 'ft(4,3)' --all --json
  safe='[.engines[] | {name, deadlock_free}] | sort_by(.name)'
  [ "$(jq -c "$safe" <<<"$output")" = "$(jq -c "$safe" <<<"$all")" ]
  for engine in minhop ar_updn sftree; do
    run --separate-stderr "$FATWOOD" job 'ft(4,3)' $engine --hosts 'H[0,3,8,13,15]' --collective alltoall --json
    [ "$(jq .seconds <<<"$output")" = "$(jq ".engines[] | select(.name == \"$engine\") | .seconds" <<<"$all")" ]
  done
  run --separate-stderr "$FATWOOD" job 'ring(5)' --engines minhop,ftree --hosts all --json
  [ "$status" -eq 0 ]
  [ "$(jq -r '.engines[1] | .name, has("refused")' <<<"$output" | xargs)" = 'ftree true' ]
  [ "$(jq '.engines[0].deadlock_free' <<<"$output")" = false ]
  run "$FATWOOD" job 'ft(4,3)' --engines minhop,nothing --hosts all
  [ "$status" -eq 2 ]
  run "$FATWOOD" job 'ft(4,3)' minhop --engines all --hosts all
  [ "$status" -eq 2 ]
  run "$FATWOOD" job 'ft(4,3)' --hosts all
  [ "$status" -eq 2 ]
}

@test "Selene: rails, rings that keep them, and names as Slurm has them" {
  [ -e "$FATWOOD_REAL_FABRICS/selene" ] || skip "no real fabrics here"
  net=$FATWOOD_REAL_FABRICS/selene/selene.compute.txt
  run "$FATWOOD" show "$net"
  [[ "$output" == *"Rails: 8 (mlx5_0"*"in 25 units of 14 to 20 hosts; 458 hosts in all, 4 pods."* ]]
  [[ "$output" == *"Rails of one unit meet over 5 switches"* ]]
  run --separate-stderr "$FATWOOD" job "$net" minhop --hosts 'luna-[0129-0138]' --json
  [ "$status" -eq 0 ]
  [ "$(jq .adapters <<<"$output")" = 8 ]
  [ "$(jq .ranks <<<"$output")" = 80 ]
}

@test "what is wrong in the list of other jobs has its line" {
  printf 'a H[4-5]\nb H[6-7] allsum\n' >others
  run "$FATWOOD" job 'ft(4,3)' dmodk --hosts 'H[0-1]' --beside others
  [ "$status" -eq 2 ]
  [[ "$output" == *"others:2:"*"no collective is called 'allsum'"* ]]
  printf 'a H[4-5] allreduce 1Q\n' >others
  run "$FATWOOD" job 'ft(4,3)' dmodk --hosts 'H[0-1]' --beside others
  [ "$status" -eq 2 ]
  [[ "$output" == *"others:1:"*"1Q"* ]]
  printf 'a H[4-5]\n' >others
  run "$FATWOOD" job 'ft(4,3)' dmodk --hosts 'H[0-1]' --beside others --improve placement --free 'H[2-4]'
  [ "$status" -eq 2 ]
  [[ "$output" == *"host H4 is not free: job a has it"* ]]
}

@test "a group inside its host sends nothing, and that is said" {
  run "$FATWOOD" job 'ft(4,3)' dmodk --hosts 'H[0-3]' --ranks-per-host 4 --groups tensor --tensor 4
  [ "$status" -eq 0 ]
  [[ "$output" == *"nothing leaves a host"* ]]
  run "$FATWOOD" job 'ft(4,3)' dmodk --hosts 'H[0-3]' --adapters 2
  [ "$status" -eq 2 ]
  [[ "$output" == *"no host of the job has so many"* ]]
  run "$FATWOOD" job 'ft(4,3)' dmodk --hosts 'H[0-3]' --ranks-per-host 4000000000
  [ "$status" -eq 2 ]
}

@test "adaptive tables spread a job evenly, or by hash" {
  hosts='H[0,16,4,20,8,24,12,28]'
  run --separate-stderr "$FATWOOD" job 'ft(8,3)' ar_ftree --hosts "$hosts" --message-size 4M --latency none --flits --json
  [ "$status" -eq 0 ]
  [ "$(jq '.efficiency > 0.999' <<<"$output")" = true ]
  [ "$(jq '.flits.difference | fabs < 0.05' <<<"$output")" = true ]
  run --separate-stderr "$FATWOOD" job 'ft(8,3)' ar_ftree --hosts 'H[0-63]' --collective alltoall --hashed --json
  [ "$status" -eq 0 ]
  [ "$(jq '.efficiency < 0.95' <<<"$output")" = true ]
  # One path for each pair: nothing to choose, so no difference.
  run -0 --separate-stderr "$FATWOOD" job 'ft(8,3)' ftree --hosts "$hosts" --json
  plain=$output
  run -0 --separate-stderr "$FATWOOD" job 'ft(8,3)' ftree --hosts "$hosts" --hashed --json
  [ "$output" = "$plain" ]
  run "$FATWOOD" job 'ft(8,3)' ar_ftree --hosts "$hosts" --hashed --flits
  [ "$status" -eq 2 ]
}

@test "a hash sees queue pairs: channels and more queue pairs spread a ring" {
  efficiency() {
    "$FATWOOD" job 'ft(16,2)' "$@" --hosts 'H[0,8,1,9,2,10,3,11,4,12,5,13,6,14,7,15]' --latency none --hashed --json |
      jq .efficiency
  }
  one=$(efficiency ar_updn --channels 1)
  many=$(efficiency ar_updn --channels 1 --queue-pairs 64)
  [ "$(jq -n "$one < 0.51 and $many > 0.7")" = true ]
  run "$FATWOOD" job 'ft(16,2)' disjoint:8 --hosts 'H[0-63]' --collective alltoall --hashed --json
  [ "$status" -eq 0 ]
  run "$FATWOOD" job 'ft(16,2)' ar_updn --hosts 'H[0-7]' --queue-pairs 2
  [ "$status" -eq 2 ]
  [[ "$output" == *"--queue-pairs requires --hashed"* ]]
}

@test "weights of jobs that share a cable" {
  echo 'other H[1,9] sendrecv 1G 3' >beside
  run --separate-stderr "$FATWOOD" job 'xgft(2;8,2;1,1)' minhop --hosts 'H[0,8]' --collective sendrecv --beside beside --json
  [ "$status" -eq 0 ]
  [ "$(jq '[.jobs[].slowdown * 1000 | round] | tostring' <<<"$output")" = '"[4000,1333]"' ]
  run --separate-stderr "$FATWOOD" job 'xgft(2;8,2;1,1)' minhop --hosts 'H[0,8]' --collective sendrecv --beside beside --weight 3 --json
  [ "$(jq '[.jobs[].slowdown * 1000 | round] | tostring' <<<"$output")" = '"[2000,2000]"' ]
  run -0 "$FATWOOD" job 'xgft(2;8,2;1,1)' minhop --hosts 'H[0,8]' --weight 2
  echo 'other H[1,9] sendrecv 1G 0' >beside
  run "$FATWOOD" job 'xgft(2;8,2;1,1)' minhop --hosts 'H[0,8]' --beside beside
  [ "$status" -eq 2 ]
  [[ "$output" == *"beside:1:26: expected a weight from 1 to 255"* ]]
}

@test "rank orders that were written are read back" {
  "$FATWOOD" job 'ft(4,3)' dmodk --hosts 'H[3,1,2]' --ranks-per-host 2 --json --hostfile hosts \
    --rankfile ranks --machinefile machines --slurm-hostfile slurm | jq -S 'del(.notes)' >given
  for file in hosts ranks machines slurm; do
    "$FATWOOD" job 'ft(4,3)' dmodk --hosts "@$file" --json | jq -S 'del(.notes)' >back
    cmp given back
  done
  printf 'num_ranks 4\nrank 0 {\nsend 10b to 1 tag 1\n}\nrank 1 {\nrecv 10b from 0 tag 1\n}\nrank 2 {\n}\nrank 3 {\n}\n' >four.goal
  run "$FATWOOD" job 'ft(4,3)' dmodk --hosts @ranks --trace four.goal
  [ "$status" -eq 2 ]
  [[ "$output" == *"ranks:6: 6 ranks, and four.goal has 4"* ]]
  run "$FATWOOD" job 'ft(4,3)' dmodk --hosts @hosts --ranks-per-host 3
  [ "$status" -eq 2 ]
  [[ "$output" == *"hosts:3: 6 ranks (2 on each of 3 hosts), and --ranks-per-host 3 makes 9"* ]]
  printf 'rank 0=H1 slot=0\nrank 2=H2 slot=0\n' >wrong
  run "$FATWOOD" job 'ft(4,3)' dmodk --hosts @wrong
  [ "$status" -eq 2 ]
  [[ "$output" == *"wrong:2:1: expected rank 1"* ]]
  printf 'H1 slots=2\nH2 slots=3\n' >wrong
  run "$FATWOOD" job 'ft(4,3)' dmodk --hosts @wrong
  [ "$status" -eq 2 ]
  [[ "$output" == *"wrong:2: H1 has 2 ranks and H2 has 3 ranks"* ]]
  printf 'H1:x\n' >wrong
  run "$FATWOOD" job 'ft(4,3)' dmodk --hosts @wrong
  [ "$status" -eq 2 ]
  printf 'nobody:2\n' >wrong
  run "$FATWOOD" job 'ft(4,3)' dmodk --hosts @wrong
  [ "$status" -eq 2 ]
  [[ "$output" == *"wrong:1: no host is called nobody"* ]]
}

@test "host lists of odd styles" {
  refused() {
    run "$FATWOOD" job 'ft(4,3)' dmodk --hosts "$1"
    [ "$status" -eq 2 ]
    [[ "$output" == *"$2"* ]]
  }
  refused 'H[[0-1],2]' 'expected a number'
  refused 'H[3-0]' 'a range goes from low to high'
  refused 'H[1-999999999]' 'a range of more than 65536 names'
  refused 'H[0-99][0-99][0-99][0-99]' 'more than a million names'
  refused 'H[00-03]' 'none of the 4 hosts is in this fabric'
  refused 'H[99999999999999999999]' 'at most 18 digits'
  refused 'H[0-1],switch{s1}' 'only slurmctld can expand it'
  refused 'H[]' 'expected a number'
  refused ',,' 'expected hosts'
}

@test "a job that cables between switches hold back is offered tables of its own, which are faster" {
  fabric='ft(8,3)'
  "$FATWOOD" job "$fabric" minhop --hosts 'H[0-23]' --collective alltoall >text
  slow=$("$FATWOOD" job "$fabric" minhop --hosts 'H[0-23]' --collective alltoall --json | jq .seconds)
  # The command as it is printed, with our fabric and program.
  try=$(sed -n 's/^try  *fatwood route FABRIC //p' text)
  [[ "$try" == *"echo 'job H[0-23] alltoall:pxn'"* ]]
  eval "\"$FATWOOD\" route '$fabric' $try" >/dev/null
  run --separate-stderr "$FATWOOD" job "$fabric" job.lft --hosts 'H[0-23]' --collective alltoall --json
  jq -e --argjson slow "$slow" '.seconds < $slow' <<<"$output"
  # Nothing to try where the hosts' own cables are the limit.
  run "$FATWOOD" job "$fabric" minhop --hosts 'H[0-1]' --collective alltoall
  [[ "$output" != *"--for job:"* ]]
}
