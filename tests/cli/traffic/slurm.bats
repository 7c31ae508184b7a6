#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Slurm itself reads what we write, and expands lists as we do.
bats_require_minimum_version 1.5.0

setup() {
  cd "$BATS_TEST_TMPDIR"
  command -v slurmctld >/dev/null && command -v scontrol >/dev/null || skip "Slurm is not installed"
  # A port that is free now.
  port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
  cat >slurm.conf <<CONF
ClusterName=fatwood
SlurmctldHost=$(hostname -s)
AuthType=auth/none
CredType=cred/none
SlurmUser=$(id -un)
StateSaveLocation=$PWD/state
SlurmctldPidFile=$PWD/slurmctld.pid
SlurmctldPort=$port
SlurmctldLogFile=$PWD/slurmctld.log
TopologyPlugin=topology/tree
SelectType=select/cons_tres
MpiDefault=none
CONF
  mkdir state
  export SLURM_CONF=$PWD/slurm.conf
}

teardown() {
  [ -z "${controller:-}" ] || kill -9 "$controller" 2>/dev/null || true
}

# Starts slurmctld with the hosts of topology.conf, and waits until it answers.
start() {
  local hosts count
  hosts=$(sed -n 's/^SwitchName=.* Nodes=//p' topology.conf | paste -sd,)
  count=$(scontrol show hostnames "$hosts" | wc -l)
  echo "NodeName=$hosts NodeAddr=127.0.0.1 Port=[40000-$((39999 + count))] State=UNKNOWN CPUs=1" >>slurm.conf
  echo "PartitionName=all Nodes=ALL Default=YES" >>slurm.conf
  slurmctld -D -c >out.log 2>&1 &
  controller=$!
  # The limit only ends a broken test.
  for _ in $(seq 6000); do
    scontrol show topology >shown 2>/dev/null && return 0
    kill -0 "$controller" 2>/dev/null || break
    sleep 0.1
  done
  cat out.log
  return 1
}

@test "lists expand as scontrol expands them" {
  echo "NodeName=x State=UNKNOWN" >>slurm.conf
  for list in 'n[9-11],n[09-11]' 'p[0-3,12,018-020]' 'r[1-2]n[01-03]' 't2,t1,t2' 'luna-[0129-0160]'; do
    scontrol show hostnames "$list" >theirs
    "$FATWOOD" job 'ft(4,2)' dmodk --hosts "$list" 2>message || true
    # Every name that they expand to is unknown here; ours are told as a list that scontrol reads.
    ours=$(grep -oE '\(([^)]*)\)|called [^ ;]*' message | head -1 | sed 's/^called //; s/[()]//g')
    [ -n "$ours" ]
    [ "$(scontrol show hostnames "$(scontrol show hostlist "$(paste -sd, theirs)")")" = "$(cat theirs)" ]
  done
}

@test "a tree of three levels" {
  "$FATWOOD" convert 'ft(4,3)' --to slurm -o topology.conf
  start
  [ "$(grep -c 'Level=0' shown)" = 8 ]
  [ "$(grep -c 'Level=1' shown)" = 4 ]
  [ "$(grep -c 'Level=2' shown)" = 1 ]
  ! grep -qiE 'fatal|multiple leaf|no common' out.log
}

@test "two fabrics that no cable joins have no switch in common" {
  cat >two.net <<'NET'
Switch	4 "A"	# "A" base port 0 lid 1 lmc 0
[1]	"a1"[1]	# "a1 mlx5_0" lid 3 4xHDR

Switch	4 "B"	# "B" base port 0 lid 2 lmc 0
[1]	"b1"[1]	# "b1 mlx5_0" lid 5 4xHDR

Ca	1 "a1"	# "a1 mlx5_0"
[1]	"A"[1]	# lid 3 lmc 0 "A" lid 1 4xHDR

Ca	1 "b1"	# "b1 mlx5_0"
[1]	"B"[1]	# lid 5 lmc 0 "B" lid 2 4xHDR
NET
  "$FATWOOD" convert two.net --to slurm -o topology.conf
  ! grep -q Switches= topology.conf
  start
  [ "$(grep -c 'Level=0' shown)" = 2 ]
}

@test "Selene: a leaf for each unit" {
  [ -e "$FATWOOD_REAL_FABRICS/selene" ] || skip "no real fabrics here"
  "$FATWOOD" convert "$FATWOOD_REAL_FABRICS/selene/selene.compute.txt" --to slurm -o topology.conf
  [ "$(grep -c '^SwitchName=unit' topology.conf)" = 25 ]
  start
  [ "$(grep -c 'SwitchName=unit' shown)" = 25 ]
  ! grep -qiE 'fatal|multiple leaf|no common' out.log
}
