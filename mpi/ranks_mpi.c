// SPDX-License-Identifier: BSD-3-Clause
/* Open MPI, for the program: opened when it was started by mpirun or srun, and by nothing else
 * (src/cli/ranks.cpp). So the program needs no MPI to run. Three things are asked of it: the next
 * number of a common counter, everybody's bytes, and the end. */
#define OMPI_SKIP_MPICXX 1
#include "ranks_mpi.h"

#include <limits.h>
#include <mpi.h>
#include <stdlib.h>

static MPI_Win counter_window;
static uint64_t* counter;

int fatwood_mpi_start(int* rank, int* size) {
  int given = 0;
  /* Threads take numbers, one at a time. */
  if (MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &given) != MPI_SUCCESS) return 1;
  if (given < MPI_THREAD_SERIALIZED) return 1;
  MPI_Comm_rank(MPI_COMM_WORLD, rank);
  MPI_Comm_size(MPI_COMM_WORLD, size);
  const MPI_Aint bytes = *rank == 0 ? (MPI_Aint)sizeof(uint64_t) : 0;
  if (MPI_Win_allocate(bytes, sizeof(uint64_t), MPI_INFO_NULL, MPI_COMM_WORLD, &counter,
                       &counter_window) != MPI_SUCCESS) {
    return 1;
  }
  if (*rank == 0) *counter = 0;
  MPI_Win_lock_all(0, counter_window);
  MPI_Win_sync(counter_window);
  return MPI_Barrier(MPI_COMM_WORLD) != MPI_SUCCESS;
}

uint64_t fatwood_mpi_next(void) {
  const uint64_t one = 1;
  uint64_t got = 0;
  MPI_Fetch_and_op(&one, &got, MPI_UINT64_T, 0, 0, MPI_SUM, counter_window);
  MPI_Win_flush(0, counter_window);
  return got;
}

int fatwood_mpi_exchange(const char* bytes, uint64_t size, int ranks, char** all, uint64_t* sizes) {
  int* const counts = malloc((size_t)ranks * sizeof(int));
  int* const places = malloc((size_t)ranks * sizeof(int));
  uint64_t sum = 0;
  int failed = counts == NULL || places == NULL;
  *all = NULL;
  if (!failed)
    failed = MPI_Allgather(&size, 1, MPI_UINT64_T, sizes, 1, MPI_UINT64_T, MPI_COMM_WORLD) !=
             MPI_SUCCESS;
  for (int i = 0; !failed && i < ranks; ++i) {
    places[i] = (int)sum;
    sum += sizes[i];
    failed = sum > INT_MAX;
    counts[i] = (int)sizes[i];
  }
  if (!failed) {
    *all = malloc(sum + 1);
    failed = *all == NULL || MPI_Allgatherv(bytes, (int)size, MPI_BYTE, *all, counts, places,
                                            MPI_BYTE, MPI_COMM_WORLD) != MPI_SUCCESS;
  }
  free(counts);
  free(places);
  return failed;
}

void fatwood_mpi_end(void) {
  MPI_Win_unlock_all(counter_window);
  MPI_Win_free(&counter_window);
  MPI_Finalize();
}
