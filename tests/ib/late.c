// SPDX-License-Identifier: BSD-3-Clause
/* Preloaded into OpenSM: while the file that FATWOOD_LATE names exists, the clock that time limits
 * are measured by (core/time_limit.hpp) runs an hour ahead with every look at it. OpenSM itself
 * goes by the time of day. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t clock, struct timespec* now) {
  static __thread long late;
  const char* const file = getenv("FATWOOD_LATE");
  const int result = (int)syscall(SYS_clock_gettime, clock, now);
  if (clock == CLOCK_MONOTONIC && file && access(file, F_OK) == 0) now->tv_sec += late += 3600;
  return result;
}
