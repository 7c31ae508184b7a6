// SPDX-License-Identifier: BSD-3-Clause
#include "traffic/jobs/program_waits.hpp"

#include <numeric>

namespace fatwood {

ProgramWaits::ProgramWaits(const Program& program) : counts_(program.size(), 0) {
  const auto each_end = [&](const auto& take) {
    for (Op op = 0; op < program.size(); ++op) {
      for (const Op other : program.after(op)) take(op, other);
    }
    for (const auto& [op, other] : program.late_waits()) take(op, other);
  };
  const auto each_start = [&](const auto& take) {
    for (const auto& [op, other] : program.start_waits()) take(op, other);
  };
  const auto list = [&](Lists& lists, const auto& each) {
    lists.first.assign(program.size() + 1, 0);
    each([&](Op op, Op other) {
      ++counts_[op];
      ++lists.first[other + 1];
    });
    std::partial_sum(lists.first.begin(), lists.first.end(), lists.first.begin());
    lists.ops.resize(lists.first.back());
    std::vector<std::size_t> at(lists.first.begin(), lists.first.end() - 1);
    each([&](Op op, Op other) { lists.ops[at[other]++] = op; });
  };
  list(ends_, each_end);
  list(starts_, each_start);
}

}  // namespace fatwood
