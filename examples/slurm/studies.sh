#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# One rank a core:  sbatch studies.sh
# When its time is over, the same command goes on from the points that are there. The folder must be on a disk that
# all nodes see.
#SBATCH --job-name=fatwood-studies
#SBATCH --ntasks=64
#SBATCH --cpus-per-task=1
#SBATCH --time=4:00:00
srun --mpi=pmix fatwood study --all --threads 1 --out "$SCRATCH/studies"
