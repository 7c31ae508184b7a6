// SPDX-License-Identifier: BSD-3-Clause
/* Open MPI, for the program: opened when it was started by mpirun or srun, and by nothing else
 * (src/cli/ranks.cpp). So the program needs no MPI to run. Three things are asked of it: a common
 * counter, everybody's bytes, and the end.
 *
 * The counter is a word of rank 0 that the others add to. Between machines without hardware for
 * that (TCP) rank 0 has to lend a hand, and it is busy with work of its own: a thread of rank 0
 * looks every millisecond whether somebody asks. */
#define OMPI_SKIP_MPICXX 1
#include "ranks_mpi.h"

#include <limits.h>
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

static MPI_Win counter_window;
static uint64_t* counter;
/* MPI is called by one thread at a time. */
static pthread_mutex_t calling = PTHREAD_MUTEX_INITIALIZER;
static pthread_t helper;
static int has_helper;
static int ending; /* under the mutex */

static void* help(void* none) {
  const struct timespec pause = {0, 1000000};
  (void)none;
  for (;;) {
    nanosleep(&pause, NULL);
    /* Who has the mutex is in MPI, and helps by that. */
    if (pthread_mutex_trylock(&calling) != 0) continue;
    const int over = ending;
    int there = 0;
    if (!over) MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
    pthread_mutex_unlock(&calling);
    if (over) return NULL;
  }
}

int fatwood_mpi_start(int* rank, int* size) {
  int given = 0;
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
  if (MPI_Barrier(MPI_COMM_WORLD) != MPI_SUCCESS) return 1;
  has_helper = *rank == 0 && *size > 1 && pthread_create(&helper, NULL, help, NULL) == 0;
  return 0;
}

uint64_t fatwood_mpi_add(uint64_t step) {
  uint64_t before = 0;
  pthread_mutex_lock(&calling);
  MPI_Fetch_and_op(&step, &before, MPI_UINT64_T, 0, 0, MPI_SUM, counter_window);
  MPI_Win_flush(0, counter_window);
  pthread_mutex_unlock(&calling);
  return before;
}

static int gather(const char* bytes, uint64_t size, int ranks, char** all, uint64_t* sizes) {
  int* const counts = malloc((size_t)ranks * sizeof(int));
  int* const places = malloc((size_t)ranks * sizeof(int));
  uint64_t sum = 0;
  int failed = counts == NULL || places == NULL;
  *all = NULL;
  if (!failed) {
    failed = MPI_Allgather(&size, 1, MPI_UINT64_T, sizes, 1, MPI_UINT64_T, MPI_COMM_WORLD) !=
             MPI_SUCCESS;
  }
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

int fatwood_mpi_exchange(const char* bytes, uint64_t size, int ranks, char** all, uint64_t* sizes) {
  pthread_mutex_lock(&calling);
  const int failed = gather(bytes, size, ranks, all, sizes);
  pthread_mutex_unlock(&calling);
  return failed;
}

void fatwood_mpi_end(void) {
  pthread_mutex_lock(&calling);
  ending = 1;
  pthread_mutex_unlock(&calling);
  if (has_helper) pthread_join(helper, NULL);
  MPI_Win_unlock_all(counter_window);
  MPI_Win_free(&counter_window);
  MPI_Finalize();
}
