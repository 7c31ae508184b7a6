// SPDX-License-Identifier: BSD-3-Clause
#include "routing/repair/tables_in_use.hpp"

#include <utility>

#include "core/parallel.hpp"

namespace fatwood {

TablesInUse::TablesInUse(const Model& model, ForwardingTables tables, int threads)
    : model_(model),
      tables_(std::move(tables)),
      by_level_(fatwood::by_level(model.levels())),
      dead_(model.fabric().num_channels(), 0),
      use_(model.fabric().num_switches() << 8),
      looks_(tables_.num_destinations()) {
  require_tree(model.levels(), "repair");
  parallel_for(
      looks_.size(), threads,
      [&](std::size_t i, int) {
        const auto destination = static_cast<Destination>(i);
        looks_[destination] = look_at_row(model_, tables_, destination, by_level_);
      },
      64);
  for (const Destination destination : ids<Destination>(looks_.size())) {
    const auto row = tables_.row(destination);
    for (std::size_t s = 0; s < row.size(); ++s) ++use_[(s << 8) | index(row[s])];
  }
}

TablesInUse::TablesInUse(const Model& model, ForwardingTables tables, KnownTables& known,
                         int threads)
    : model_(model),
      tables_(std::move(tables)),
      by_level_(fatwood::by_level(model.levels())),
      dead_(model.fabric().num_channels(), 0),
      use_(known.use()) {
  require_tree(model.levels(), "repair");
  looks_ = known.looks({model_, tables_}, threads);
}

void TablesInUse::mark_dead(std::span<const Channel> cables) {
  for (const Channel c : cables) dead_[c] = dead_[model_.fabric().peer(c)] = 1;
  ++marks_;
}

void TablesInUse::mark_working(std::span<const Channel> cables) {
  for (const Channel c : cables) dead_[c] = dead_[model_.fabric().peer(c)] = 0;
  ++marks_;
}

void TablesInUse::apply(std::span<const EntryChange> changes) {
  for (std::size_t i = 0; i < changes.size();) {
    const Destination destination = changes[i].destination;
    bool again = kind(destination) == RowKind::kUnsettled;
    std::vector<std::uint32_t> lost;  // without an entry now
    for (; i < changes.size() && changes[i].destination == destination; ++i) {
      const std::uint32_t s = index(changes[i].at);
      Port& entry = tables_.row(destination)[s];
      again = again || entry == kNoRoute;  // a hole was filled
      --use_[(std::size_t{s} << 8) | index(entry)];
      ++use_[(std::size_t{s} << 8) | index(changes[i].port)];
      entry = changes[i].port;
      if (entry == kNoRoute) {
        looks_[destination].holes = true;
        lost.push_back(s);
      }
      // Changed entries are legal afterwards, or empty.
      RowLook& look = looks_[destination];
      if (!look.fallback.empty()) look.fallback[s] = false;
    }
    if (again) {
      looks_[destination] = look_at_row(model_, tables_, destination, by_level_, &dead_);
    } else {
      mark_leading(destination, std::move(lost));
    }
  }
}

void TablesInUse::mark_leading(Destination destination, std::vector<std::uint32_t> lost) {
  const auto row = tables_.row(destination);
  const PortGraph& graph = model_.port_graph();
  const HopMap& map = model_.hop_map();
  const std::uint32_t home_switch = index(home(destination));
  for (std::size_t i = 0; i < lost.size(); ++i) {
    for (const Switch to : graph.neighbours(Switch{lost[i]})) {
      const std::uint32_t n = index(to);
      const Hop hop = map.at(n, row[n]);
      if (n == home_switch || !hop.to_switch() || hop.next() != lost[i]) continue;
      if (is_fallback(destination, n)) continue;
      RowLook& look = looks_[destination];
      if (look.fallback.empty()) {
        look.kind = RowKind::kFallback;
        look.fallback.resize(row.size());
      }
      look.fallback[n] = true;
      lost.push_back(n);
    }
  }
}

}  // namespace fatwood
