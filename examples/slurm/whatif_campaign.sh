#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# A million sets of lost cables, in parts that can be stopped and started again:
#   sbatch whatif_campaign.sh FABRIC [ENGINE] [CABLES OF A SET]
# Each part is 10,000 sets of a seed of its own. A part that is done has its CSV; one that was stopped goes on
# from what it has kept. docs/mpi.md says what it costs.
#SBATCH --job-name=fatwood-campaign
#SBATCH --nodes=8
#SBATCH --ntasks-per-node=1
#SBATCH --exclusive
#SBATCH --time=8:00:00
set -euo pipefail
fabric=$1 engine=${2:-sftree} cables=${3:-4}
# SETS, PART and RUN are for a trial on one machine: SETS=2000 PART=500 RUN= ./whatif_campaign.sh 'ft(8,3)'
sets=${SETS:-1000000} part=${PART:-10000}
read -ra run <<<"${RUN-srun --mpi=pmix}"
for ((seed = 1; seed * part <= sets; ++seed)); do
  out=part-$seed.csv
  [ -e "$out" ] && continue
  "${run[@]}" fatwood whatif "$fabric" "$engine" --sets "$cables" --samples "$part" --seed "$seed" \
    --keep "part-$seed.kept" --csv >"$out.new"
  mv "$out.new" "$out"
  rm "part-$seed.kept"
done
