// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// One counter of a run, or what it gained since an earlier run (tasks/counters.hpp has the rules).

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string_view>

#include "topology/run_data.hpp"

namespace fatwood {

// One counter of two runs, under any of its names.
class CounterDifference {
 public:
  CounterDifference(const RunData& run, const RunData* earlier,
                    std::initializer_list<std::string_view> names)
      : run_(run), earlier_(earlier) {
    for (const std::string_view name : names) {
      if (!column_) column_ = run.counters.column(name);
      if (earlier != nullptr && !before_) before_ = earlier->counters.column(name);
    }
  }
  bool known() const { return column_.has_value() && (earlier_ == nullptr || before_); }
  bool only_later() const { return column_.has_value() && earlier_ != nullptr && !before_; }

  std::uint64_t of(Channel c) const {
    if (!known()) return 0;
    const std::uint64_t now = run_.counters.at(c, *column_);
    if (now == kNoCount) return 0;
    if (earlier_ == nullptr) return now;
    const std::uint64_t then = earlier_->counters.at(c, *before_);
    return then == kNoCount || then > now ? now : now - then;
  }

 private:
  const RunData& run_;
  const RunData* earlier_;
  std::optional<std::size_t> column_, before_;
};

}  // namespace fatwood
