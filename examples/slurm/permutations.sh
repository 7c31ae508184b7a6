#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# One rank a node, with all its cores:  sbatch permutations.sh
#SBATCH --job-name=fatwood-permutations
#SBATCH --nodes=8
#SBATCH --ntasks-per-node=1
#SBATCH --exclusive
#SBATCH --time=1:00:00
srun --mpi=pmix fatwood permutations 'ft(48,3)' dmodk disjoint:8 --width 0.5 --json >permutations.json
