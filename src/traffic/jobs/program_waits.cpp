// SPDX-License-Identifier: BSD-3-Clause
#include "traffic/jobs/program_waits.hpp"

#include <numeric>

namespace fatwood {

ProgramWaits::ProgramWaits(const Program& program) : counts_(program.size(), 0) {
  const auto each_end = [&](const auto& take) {
    for (Op op = 0; op < program.size(); ++op) {
      for (const Op other : program.after(op)) take(op, other);
    }
    for (const auto& [op, other] : program.added_waits()) take(op, other);
  };
  const auto each_start = [&](const auto& take) {
    for (const auto& [op, other] : program.start_waits()) take(op, other);
  };
  const auto list = [&](Lists& lists, const auto& each) {
    // first[i + 1] is where the list of i begins until the second pass has moved it to its end.
    lists.first.assign(program.size() + 2, 0);
    each([&](Op op, Op other) {
      ++counts_[op];
      ++lists.first[other + std::size_t{2}];
    });
    std::partial_sum(lists.first.begin(), lists.first.end(), lists.first.begin());
    lists.ops.resize(lists.first.back());
    each([&](Op op, Op other) { lists.ops[lists.first[other + std::size_t{1}]++] = op; });
  };
  list(ends_, each_end);
  if (!program.start_waits().empty()) list(starts_, each_start);
}

}  // namespace fatwood
