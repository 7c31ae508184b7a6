// SPDX-License-Identifier: BSD-3-Clause
#include "routing/repair/changes.hpp"

#include <algorithm>
#include <set>
#include <vector>

#include "core/parallel.hpp"
#include "routing/tables/destination_tree.hpp"

namespace fatwood {

namespace {

// The number of terminals whose packets to the destination take another path than before.
std::uint64_t changed_sources(const DestinationTree& tree, std::span<const Port> before,
                              std::span<const Port> after,
                              std::span<const std::uint32_t> terminals_on,
                              std::vector<std::uint8_t>& changed) {
  // A route that did not arrive before has changed if it arrives now.
  for (std::size_t s = 0; s < changed.size(); ++s) {
    changed[s] = before[s] == kNoRoute && after[s] == kNoRoute ? 0 : 1;
  }
  for (const std::uint32_t s : tree.reached()) {
    const bool same = before[s] == after[s];
    const bool goes_on = tree.hop(s).to_switch() && tree.hops(s) > 0;
    changed[s] = same && (!goes_on || changed[tree.hop(s).next()] == 0) ? 0 : 1;
  }
  std::uint64_t count = 0;
  for (std::size_t s = 0; s < changed.size(); ++s) count += changed[s] != 0 ? terminals_on[s] : 0;
  return count;
}

}  // namespace

TableChanges table_changes(const Model& model, const ForwardingTables& old,
                           const ForwardingTables& after, const Lids& lids, int threads) {
  const Fabric& fabric = model.fabric();
  const std::size_t switches = fabric.num_switches();
  TableChanges result{.entries_at = Table<Switch, std::uint32_t>(switches, 0),
                      .blocks_at = Table<Switch, std::uint32_t>(switches, 0)};
  result.all_entries = old.num_destinations() * switches;
  const std::uint32_t blocks = lid_block(lids.highest()) + 1;
  std::vector<std::uint8_t> touched(switches * blocks);
  std::vector<std::uint8_t> in_use(blocks);
  std::vector<std::uint32_t> terminals_on(switches);
  for (const Terminal t : model.adapters().all_terminals()) {
    if (fabric.leaf(t) != kNone<Switch>) ++terminals_on[index(fabric.leaf(t))];
  }
  struct Worker {
    DestinationTree tree;
    std::vector<std::uint8_t> changed;
    std::uint64_t pairs = 0;
  };
  const std::vector<Worker> workers = parallel_with(
      Worker{DestinationTree(fabric, model.hop_map()), std::vector<std::uint8_t>(switches)},
      old.num_destinations(), threads,
      [&](std::size_t i, Worker& worker) {
        const auto destination = static_cast<Destination>(i);
        if (std::ranges::equal(bytes_of(old.row(destination)), bytes_of(after.row(destination))))
          return;
        const bool first = !old.is_switch(destination) && (i & ((1U << old.lmc()) - 1)) == 0;
        if (!first || !model.adapters().sends(old.terminal(destination))) return;
        worker.tree.follow(old, destination);
        worker.pairs += changed_sources(worker.tree, old.row(destination), after.row(destination),
                                        terminals_on, worker.changed);
      },
      64);
  for (const Worker& worker : workers) result.pairs += worker.pairs;
  const std::uint64_t hosts = model.adapters().all_terminals().size();
  result.all_pairs = hosts * (hosts - std::min<std::uint64_t>(hosts, 1));
  for (const Destination destination : ids<Destination>(old.num_destinations())) {
    const std::uint32_t block = lid_block(lids.of(old, destination));
    in_use[block] = 1;
    const auto before = old.row(destination);
    const auto new_row = after.row(destination);
    if (std::ranges::equal(bytes_of(before), bytes_of(new_row))) continue;
    for (std::uint32_t s = 0; s < switches; ++s) {
      if (before[s] == new_row[s]) continue;
      ++result.entries;
      ++result.entries_at[Switch{s}];
      std::uint8_t& mark = touched[std::size_t{s} * blocks + block];
      if (mark == 0) {
        ++result.blocks;
        ++result.blocks_at[Switch{s}];
      }
      mark = 1;
    }
  }
  result.all_blocks =
      static_cast<std::uint64_t>(std::ranges::count(in_use, std::uint8_t{1})) * switches;
  return result;
}

std::uint64_t blocks_of(std::span<const TableEntry> entries, const ForwardingTables& tables,
                        const Lids& lids) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> blocks;
  for (const TableEntry& entry : entries) {
    blocks.emplace(index(entry.at), lid_block(lids.of(tables, entry.destination)));
  }
  return blocks.size();
}

}  // namespace fatwood
