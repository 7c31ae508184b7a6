// SPDX-License-Identifier: BSD-3-Clause
/* What the program asks of MPI. Calls that can fail return 0 for success. By one thread at a time,
 * but for fatwood_mpi_add. */
#ifndef FATWOOD_RANKS_MPI_H
#define FATWOOD_RANKS_MPI_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

int fatwood_mpi_start(int* rank, int* size);
/* Adds to a counter that all ranks have in common and gives what it was before; 0 at first. */
uint64_t fatwood_mpi_add(uint64_t step);
/* Everybody's bytes, one rank's after the other, in *all (to be freed), and how many each has.
 * Called by all ranks. */
int fatwood_mpi_exchange(const char* bytes, uint64_t size, int ranks, char** all, uint64_t* sizes);
/* Called by all ranks. */
void fatwood_mpi_end(void);

#ifdef __cplusplus
}
#endif

#endif
