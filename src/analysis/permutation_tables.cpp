// SPDX-License-Identifier: BSD-3-Clause
// Largest load of a permutation by walking forwarding tables.
//
// All walks advance together, one hop a pass: the loads of a pass do not depend on each other, so
// the processor overlaps the misses that a single walk would wait for one by one. A walk is its
// target's row and the switch it stands on; a pass reads the port, counts the channel and keeps
// the walks that are not at their end. Counters of 16 bits where no channel can carry more.
// With 2^lmc addresses each pair walks them all, with shares 1/2^lmc.
// Cost: about 5 passes of N walks on a tree of three levels; the tables' rows come from the
// second-level cache.

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "analysis/permutation_load.hpp"
#include "core/error.hpp"

namespace fatwood {

namespace {

// The fabric as the walk needs it.
struct WalkMap {
  std::vector<std::uint32_t> first;  // by switch: slot of port 0
  std::vector<std::uint32_t> next;   // by slot: the switch beyond, kTerminal + terminal, kNowhere
  std::vector<std::uint32_t> leaf;   // by host
  std::vector<Terminal> terminal;    // by host
  std::uint32_t first_slot = 0;      // of switch 0: slots are counted from there
};
constexpr std::uint32_t kTerminal = 0x80000000U;
constexpr std::uint32_t kNowhere = 0xffffffffU;  // no cable

std::shared_ptr<const WalkMap> walk_map(const Model& model) {
  const Fabric& fabric = model.fabric();
  auto map = std::make_shared<WalkMap>();
  if (fabric.num_switches() > 0) {
    map->first_slot = index(fabric.channel(fabric.node(Switch{0}), 0));
  }
  for (const Switch s : ids<Switch>(fabric.num_switches())) {
    const Node node = fabric.node(s);
    map->first.push_back(index(fabric.channel(node, 0)) - map->first_slot);
    for (Port port = 0; port <= fabric.ports(node); ++port) {
      const Channel c = fabric.channel(node, port);
      map->next.push_back(!fabric.connected(c) ? kNowhere
                          : fabric.is_switch(fabric.neighbour(c))
                              ? index(fabric.as_switch(fabric.neighbour(c)))
                              : kTerminal + index(fabric.terminal_at(fabric.peer(c))));
    }
  }
  for (const Host host : ids<Host>(model.hosts().size())) {
    map->terminal.push_back(model.hosts().terminals(host).front());
    map->leaf.push_back(index(fabric.leaf(map->terminal.back())));
  }
  map->next.resize(map->next.size() + 256, kNowhere);  // ports above a switch's radix lead here
  return map;
}

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
    std::uint32_t target;
  };

  std::size_t start(std::span<const std::uint32_t> destination_of) {
    std::size_t live = 0;
    for (std::uint32_t s = 0; s < destination_of.size(); ++s) {
      const std::uint32_t d = destination_of[s];
      if (d == s) continue;
      if (map_->leaf[s] >= map_->first.size()) throw PromiseError("a host without a switch");
      for (std::uint32_t o = 0; o < 1U << tables_.lmc(); ++o) {
        walks_[live++] = {map_->leaf[s], index(tables_.target(map_->terminal[d], o))};
      }
    }
    return live;
  }

  std::size_t advance(std::size_t live) {
    const std::uint8_t* rows = tables_.row(Target{0}).data();
    const std::size_t switches = tables_.num_switches();
    const std::uint32_t* first = map_->first.data();
    const std::uint32_t* next = map_->next.data();
    Count* count = count_.data();
    Walk* walks = walks_.data();
    std::size_t kept = 0;
    for (std::size_t i = 0; i < live; ++i) {
      const Walk walk = walks[i];
      const std::uint8_t port = rows[walk.target * switches + walk.at];
      const std::uint32_t slot = first[walk.at] + port;
      const std::uint32_t beyond = next[slot];
      // No cable, or another terminal than the one aimed at: both are no switch.
      if (port == kNoRoute ||
          (beyond >= kTerminal && beyond != kTerminal + (walk.target >> tables_.lmc()))) {
        throw PromiseError("the routing has no path " + pair_of(walk));
      }
      ++count[slot];
      walks[kept] = {beyond, walk.target};
      kept += beyond < kTerminal ? 1 : 0;
    }
    return kept;
  }

  std::string pair_of(const Walk& walk) const {
    const Terminal d = tables_.terminal(Target{walk.target});
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
