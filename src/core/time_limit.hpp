// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A time limit for a computation, for callers that cannot wait, such as a subnet manager.
//
// Method: cooperative. A TimeLimit holds for the thread that creates it, during its lifetime.
// parallel_for checks it before each item, on all threads; sequential loops over destinations or
// passes call check_time(). When the time is over, a TimeLimitError ends the computation.
// Cost of a check: one comparison without a limit, reading the clock with one.

#include <chrono>
#include <stdexcept>

namespace fatwood {

class TimeLimitError : public std::runtime_error {
 public:
  explicit TimeLimitError(std::chrono::duration<double> limit);
};

class TimeLimit {
 public:
  // Starts at construction; 0: no limit. An inner limit replaces an outer one.
  explicit TimeLimit(std::chrono::duration<double> limit);
  ~TimeLimit();
  TimeLimit(const TimeLimit&) = delete;
  TimeLimit& operator=(const TimeLimit&) = delete;

  // The limit of this thread, or nullptr.
  static const TimeLimit* current();
  // Throws TimeLimitError if the time is over.
  void check() const;

 private:
  std::chrono::duration<double> limit_;
  std::chrono::steady_clock::time_point end_;
  const TimeLimit* outer_;
};

inline void check_time() {
  if (const TimeLimit* const limit = TimeLimit::current()) limit->check();
}

}  // namespace fatwood
