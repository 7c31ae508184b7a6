// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The waits of a program reversed: which operations may start when an operation starts or ends.
// Cost: O(operations + waits).

#include <cstdint>
#include <span>
#include <vector>

#include "traffic/jobs/program.hpp"

namespace fatwood {

class ProgramWaits {
 public:
  explicit ProgramWaits(const Program& program);

  // By operation: how many others it waits for.
  const std::vector<std::uint32_t>& counts() const { return counts_; }
  // Operations that wait for the end, or for the start, of `op`.
  std::span<const Op> after_end(Op op) const { return ends_.of(op); }
  std::span<const Op> after_start(Op op) const { return starts_.of(op); }

 private:
  struct Lists {
    std::vector<std::size_t> first;  // empty: no operation has any
    std::vector<Op> ops;
    std::span<const Op> of(Op op) const {
      if (first.empty()) return {};
      return {ops.data() + first[op], first[op + 1] - first[op]};
    }
  };

  std::vector<std::uint32_t> counts_;
  Lists ends_, starts_;
};

}  // namespace fatwood
