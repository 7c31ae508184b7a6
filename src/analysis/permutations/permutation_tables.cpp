// SPDX-License-Identifier: BSD-3-Clause
// Largest load of a permutation by walking forwarding tables.
//
// All walks advance together, one hop a pass: the loads of a pass do not depend on each other, so
// the processor overlaps the misses that a single walk would wait for one by one. A walk is its
// destination's row and the switch it stands on; a pass reads the port, counts the channel and
// keeps the walks that are not at their end. Counters of 16 bits where no channel can carry more.
// With 2^lmc addresses each pair walks them all, with shares 1/2^lmc.
// Cost: about 5 passes of N walks on a tree of three levels; the tables' rows come from the
// second-level cache.

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "analysis/load/walk_map.hpp"
#include "analysis/permutations/permutation_load.hpp"
#include "core/error.hpp"

namespace fatwood {

namespace {

constexpr std::uint32_t kTerminal = WalkMap::kTerminal;

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
    for (std::size_t pass = 0; live > 0; ++pass) {
      if (pass > map_->first.size()) throw PromiseError("the tables loop: " + pair_of(walks_[0]));
      live = advance(live);
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

  std::size_t advance(std::size_t live) {
    const Port* rows = tables_.row(Destination{0}).data();
    const std::size_t switches = tables_.num_switches();
    const std::uint32_t* first = map_->first.data();
    const std::uint32_t* next = map_->next.data();
    Count* count = count_.data();
    Walk* walks = walks_.data();
    std::size_t kept = 0;
    for (std::size_t i = 0; i < live; ++i) {
      const Walk walk = walks[i];
      const Port port = rows[walk.destination * switches + walk.at];
      const std::uint32_t slot = first[walk.at] + index(port);
      const std::uint32_t beyond = next[slot];
      // No cable, or another terminal than the one aimed at: both are no switch.
      if (port == kNoRoute ||
          (beyond >= kTerminal && beyond != kTerminal + (walk.destination >> tables_.lmc()))) {
        throw PromiseError("the routing has no path " + pair_of(walk));
      }
      ++count[slot];
      walks[kept] = {beyond, walk.destination};
      kept += beyond < kTerminal ? 1 : 0;
    }
    return kept;
  }

  std::string pair_of(const Walk& walk) const {
    const Terminal d = tables_.terminal(Destination{walk.destination});
    return fmt::format("on the way to {}", port_name(fabric_, fabric_.terminal_channel(d)));
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
