// SPDX-License-Identifier: BSD-3-Clause
/* What the program asks of MPI. Calls that can fail return 0 for success. */
#ifndef FATWOOD_RANKS_MPI_H
#define FATWOOD_RANKS_MPI_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

int fatwood_mpi_start(int* rank, int* size);
/* 0, 1, 2, ...: each number goes to one rank. By one thread at a time. */
uint64_t fatwood_mpi_next(void);
/* Everybody's bytes, one rank's after the other, in *all (to be freed), and how many each has.
 * Called by all ranks. */
int fatwood_mpi_exchange(const char* bytes, uint64_t size, int ranks, char** all, uint64_t* sizes);
/* Called by all ranks. */
void fatwood_mpi_end(void);

#ifdef __cplusplus
}
#endif

#endif
