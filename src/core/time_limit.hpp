// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A limit on the time of a computation: for callers that cannot wait, such as a subnet manager.
//
// Method: cooperative. A TimeLimit holds for the thread that makes it, as long as it lives.
// parallel_for checks it before each item, on all threads; sequential loops over destinations or
// passes call check_time(). The computation then ends with a TimeLimitError and frees its memory.
// Without a limit a check costs one comparison, with one it reads the clock.

#include <chrono>
#include <stdexcept>

namespace fatwood {

class TimeLimitError : public std::runtime_error {
 public:
  explicit TimeLimitError(std::chrono::duration<double> limit);
};

class TimeLimit {
 public:
  // From now on; 0: none. A limit inside another one replaces it.
  explicit TimeLimit(std::chrono::duration<double> limit);
  ~TimeLimit();
  TimeLimit(const TimeLimit&) = delete;
  TimeLimit& operator=(const TimeLimit&) = delete;

  // Of this thread, or nullptr.
  static const TimeLimit* current();
  // TimeLimitError when the time is over.
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
