// SPDX-License-Identifier: BSD-3-Clause
#include "routing/repair/known_tables.hpp"

#include <algorithm>

#include "core/parallel.hpp"
#include "routing/tables/destination_tree.hpp"
#include "routing/tables/row_differences.hpp"

namespace fatwood {

namespace {

RowPaths paths_of_row(const Model& model, const ForwardingTables& tables, Destination destination,
                      const Table<Switch, std::uint32_t>& terminals, DestinationTree& tree) {
  tree.follow(tables, destination);
  const Fabric& fabric = model.fabric();
  const auto switches = static_cast<std::uint32_t>(fabric.num_switches());
  const Switch home = tree.destination();
  RowPaths paths{.loops = static_cast<std::uint32_t>(tree.loops().size())};
  if (tree.reached().size() == switches) return paths;
  const auto& component = model.components().component;
  for (const Switch s : ids<Switch>(switches)) {
    if (tree.reaches(index(s))) continue;
    // The destination is no source of its own.
    const std::uint32_t self = s == home ? 1 : 0;
    const std::uint32_t own_switch = tables.is_switch(destination) ? self : 0;
    const std::uint32_t on = terminals[s] - (self - own_switch);
    paths.switches += 1 - own_switch;
    paths.terminals += on;
    if (home == kNone<Switch> || component[s] != component[home]) continue;
    paths.lost_switches += 1 - own_switch;
    paths.lost_terminals += on;
  }
  return paths;
}

// An entry that leads elsewhere in another model.
struct ChangedHop {
  Switch at;
  Port port;
};
std::vector<ChangedHop> changed_hops(const Model& before, const Model& after) {
  const Fabric& fabric = before.fabric();
  std::vector<ChangedHop> changed;
  for (const Switch s : ids<Switch>(fabric.num_switches())) {
    for (const Port port : ids<Port>(fabric.ports(fabric.node(s)) + 1)) {
      if (before.hop_map().at(s, port) != after.hop_map().at(s, port)) changed.push_back({s, port});
    }
  }
  return changed;
}

}  // namespace

KnownTables::KnownTables(const PlacedTables& placed, int threads)
    : paths_(placed.tables.num_destinations()),
      looks_(placed.tables.num_destinations()),
      to_look_at_(placed.tables.num_destinations(), 1),
      use_(placed.tables.num_switches() << 8),
      dependencies_(placed, threads) {
  std::vector<Destination> rows;
  for (const Destination d : ids<Destination>(paths_.size())) rows.push_back(d);
  follow(placed, rows, threads);
  // By switch, so that no two threads write the same number.
  constexpr std::size_t kSwitches = 64;
  const std::size_t switches = placed.tables.num_switches();
  parallel_for((switches + kSwitches - 1) / kSwitches, threads, [&](std::size_t part, int) {
    const std::size_t end = std::min(switches, (part + 1) * kSwitches);
    for (const Destination destination : rows) {
      const auto row = placed.tables.row(destination);
      for (std::size_t s = part * kSwitches; s < end; ++s) ++use_[(s << 8) | index(row[s])];
    }
  });
}

void KnownTables::follow(const PlacedTables& placed, std::span<const Destination> rows,
                         int threads) {
  const Table<Switch, std::uint32_t> terminals = terminals_on(placed.model.fabric());
  parallel_with(
      DestinationTree(placed.model.fabric(), placed.model.hop_map()), rows.size(), threads,
      [&](std::size_t i, DestinationTree& tree) {
        paths_[rows[i]] = paths_of_row(placed.model, placed.tables, rows[i], terminals, tree);
      },
      16);
}

const Table<Destination, RowLook>& KnownTables::looks(const PlacedTables& placed, int threads) {
  const std::vector<Switch> ascending = by_level(placed.model.levels());
  parallel_for(
      looks_.size(), threads,
      [&](std::size_t i, int) {
        const auto destination = static_cast<Destination>(i);
        if (to_look_at_[destination] == 0) return;
        looks_[destination] = look_at_row(placed.model, placed.tables, destination, ascending);
        to_look_at_[destination] = 0;
      },
      64);
  return looks_;
}

void KnownTables::change(const PlacedTables& before, const PlacedTables& after,
                         std::span<const Destination> rows, int threads) {
  for (const Destination destination : rows) {
    const auto old_row = before.tables.row(destination);
    const auto new_row = after.tables.row(destination);
    for_each_difference(old_row, new_row, [&](std::uint32_t s) {
      --use_[(std::size_t{s} << 8) | index(old_row[s])];
      ++use_[(std::size_t{s} << 8) | index(new_row[s])];
    });
  }
  dependencies_.change(before, after, rows);
  follow(after, rows, threads);
  for (const Destination destination : rows) to_look_at_[destination] = 1;
  if (&before.model == &after.model) return;
  // A legal path that such a row did not use may be gone.
  for (const Destination destination : ids<Destination>(looks_.size())) {
    if (looks_[destination].kind == RowKind::kUnsettled) to_look_at_[destination] = 1;
  }
}

void KnownTables::change(const Model& model, const ForwardingTables& before,
                         const ForwardingTables& after, int threads) {
  change({model, before}, {model, after}, changed_rows(before, after), threads);
}

bool KnownTables::may_change(const Model& before, const Model& after) {
  const Fabric& a = before.fabric();
  const Fabric& b = after.fabric();
  if (a.num_switches() != b.num_switches() || a.num_terminals() != b.num_terminals()) return false;
  const auto same_terminal = [&](Terminal t) {
    return a.leaf(t) == b.leaf(t) &&
           (a.leaf(t) == kNone<Switch> || a.leaf_port(t) == b.leaf_port(t));
  };
  const auto same_switch = [&](Switch s) {
    return a.id(a.node(s)) == b.id(b.node(s)) && a.ports(a.node(s)) == b.ports(b.node(s));
  };
  return std::ranges::all_of(ids<Terminal>(a.num_terminals()), same_terminal) &&
         std::ranges::all_of(ids<Switch>(a.num_switches()), same_switch) &&
         before.levels().is_tree() && after.levels().is_tree() &&
         before.levels().level == after.levels().level &&
         before.components().component == after.components().component &&
         std::ranges::all_of(changed_hops(before, after), [&](const ChangedHop& changed) {
           return !after.hop_map().at(changed.at, changed.port).to_switch();
         });
}

LostPaths KnownTables::lost() const {
  LostPaths lost;
  const std::size_t to_terminals = paths_.size() - (use_.size() >> 8);
  for (const Destination destination : ids<Destination>(paths_.size())) {
    const RowPaths& paths = paths_[destination];
    lost.loops += paths.loops;
    lost.all += std::uint64_t{paths.lost_switches} + paths.lost_terminals;
    if (index(destination) < to_terminals) lost.terminals += paths.lost_terminals;
  }
  return lost;
}

std::vector<Destination> rows_led_elsewhere(const Model& before, const Model& after,
                                            const ForwardingTables& tables) {
  std::vector<std::uint8_t> led(tables.num_destinations());
  for (const ChangedHop& changed : changed_hops(before, after)) {
    for (const Destination destination : ids<Destination>(led.size())) {
      if (tables.at(destination, changed.at) == changed.port) led[index(destination)] = 1;
    }
  }
  std::vector<Destination> rows;
  for (const Destination destination : ids<Destination>(led.size())) {
    if (led[index(destination)] != 0) rows.push_back(destination);
  }
  return rows;
}

std::vector<Destination> changed_rows(const ForwardingTables& old, const ForwardingTables& after) {
  std::vector<Destination> rows;
  for (const Destination destination : ids<Destination>(old.num_destinations())) {
    if (!std::ranges::equal(bytes_of(old.row(destination)), bytes_of(after.row(destination)))) {
      rows.push_back(destination);
    }
  }
  return rows;
}

}  // namespace fatwood
