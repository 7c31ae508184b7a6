// SPDX-License-Identifier: BSD-3-Clause
#include "core/time_limit.hpp"

#include <fmt/format.h>

namespace fatwood {

namespace {

thread_local const TimeLimit* current_limit = nullptr;

}  // namespace

TimeLimitError::TimeLimitError(std::chrono::duration<double> limit)
    : std::runtime_error(fmt::format("stopped after {:g} s, the time limit", limit.count())) {}

TimeLimit::TimeLimit(std::chrono::duration<double> limit)
    : limit_(limit),
      end_(std::chrono::steady_clock::now() +
           std::chrono::duration_cast<std::chrono::steady_clock::duration>(limit)),
      outer_(current_limit) {
  current_limit = limit.count() > 0 ? this : nullptr;
}

TimeLimit::~TimeLimit() { current_limit = outer_; }

const TimeLimit* TimeLimit::current() { return current_limit; }

void TimeLimit::check() const {
  if (std::chrono::steady_clock::now() >= end_) throw TimeLimitError(limit_);
}

}  // namespace fatwood
