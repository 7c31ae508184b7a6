// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The clocks of the benchmarks, in seconds: differences of two readings mean something.

#include <ctime>

namespace fatwood::bench {

inline double read_clock(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}
inline double wall_seconds() { return read_clock(CLOCK_MONOTONIC); }
// Of all threads of this program: what it costs, whoever else wants the cores.
inline double cpu_seconds() { return read_clock(CLOCK_PROCESS_CPUTIME_ID); }
// Of this thread.
inline double thread_seconds() { return read_clock(CLOCK_THREAD_CPUTIME_ID); }

}  // namespace fatwood::bench
