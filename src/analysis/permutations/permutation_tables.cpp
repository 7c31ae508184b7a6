// SPDX-License-Identifier: BSD-3-Clause
// Largest load of a permutation by walking forwarding tables.
//
// All walks advance together, one hop per pass: the loads of a pass do not depend on each other, so
// the processor overlaps their cache misses. A walk is the row of its destination and the switch
// that it has reached. A pass reads the port, counts the channel, and keeps the walks that are not
// at their end. Counters have 16 bits if no channel can carry more. With 2^lmc addresses each pair
// walks to all of them, with shares 1/2^lmc.
// Cost: about 5 passes of N walks on a tree of three levels; the rows of the tables come from the
// second-level cache.

#include <algorithm>
#include <memory>
#include <vector>

#include "analysis/load/walk_map.hpp"
#include "analysis/permutations/permutation_load.hpp"
#include "core/error.hpp"

namespace fatwood {

namespace {

template <class Count>
class TableKernel : public PermutationLoad {
 public:
  TableKernel(const Fabric& fabric, const ForwardingTables& tables,
              std::shared_ptr<const WalkMap> map)
      : fabric_(fabric),
        tables_(tables),
        map_(std::move(map)),
        count_(map_->next.size()),
        walks_(tables.num_terminals() << tables.lmc()) {}

  std::uint64_t units_in_one() const override { return std::uint64_t{1} << tables_.lmc(); }
  std::uint64_t max_load(std::span<const std::uint32_t> destination_of) override {
    std::fill(count_.begin(), count_.end(), Count{0});
    std::size_t live = start(destination_of);
    if (live == 0) return 0;
    Count* const count = count_.data();
    for (std::size_t pass = 0; live > 0; ++pass) {
      if (pass > map_->first.size()) {
        throw PromiseError("the tables loop: " +
                           walk_goal(fabric_, tables_, walks_[0].destination));
      }
      live = advance_walks(fabric_, tables_, *map_, walks_.data(), live,
                           [count](const Walk&, std::uint32_t slot) { ++count[slot]; });
    }
    // A terminal's own channel carries all its addresses: a load of 1.
    return std::max(units_in_one(), std::uint64_t{*std::max_element(count_.begin(), count_.end())});
  }
  std::unique_ptr<PermutationLoad> clone() const override {
    return std::make_unique<TableKernel>(fabric_, tables_, map_);
  }

 private:
  struct Walk {
    std::uint32_t at;  // switch
    std::uint32_t destination;
  };

  std::size_t start(std::span<const std::uint32_t> destination_of) {
    std::size_t live = 0;
    for (std::uint32_t s = 0; s < destination_of.size(); ++s) {
      const std::uint32_t d = destination_of[s];
      if (d == s) continue;
      if (map_->leaf[s] >= map_->first.size()) throw PromiseError("a host without a switch");
      for (std::uint32_t o = 0; o < 1U << tables_.lmc(); ++o) {
        walks_[live++] = {map_->leaf[s], index(tables_.destination(map_->terminal[d], o))};
      }
    }
    return live;
  }

  const Fabric& fabric_;
  const ForwardingTables& tables_;
  std::shared_ptr<const WalkMap> map_;
  std::vector<Count> count_;  // by slot
  std::vector<Walk> walks_;
};

}  // namespace

std::unique_ptr<PermutationLoad> table_kernel(const Model& model, const ForwardingTables& tables) {
  const Fabric& fabric = model.fabric();
  const auto map = walk_map(model);
  if (tables.num_terminals() << tables.lmc() <= 0xffffU) {
    return std::make_unique<TableKernel<std::uint16_t>>(fabric, tables, map);
  }
  return std::make_unique<TableKernel<std::uint32_t>>(fabric, tables, map);
}

}  // namespace fatwood
