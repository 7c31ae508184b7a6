// SPDX-License-Identifier: BSD-3-Clause
#include "routing/adaptive/least_hop_groups.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"
#include "core/parallel.hpp"
#include "routing/adaptive/port_sets_builder.hpp"
#include "routing/shortest/balance.hpp"

namespace fatwood {

namespace {

constexpr std::size_t kTogether = 64;  // switches that are processed together for one destination

void check_groups(const Fabric& fabric, const GroupTable& found, std::string_view engine,
                  const RouteOptions& options) {
  if (!options.max_groups || found.sets.empty()) return;
  const auto largest = std::ranges::max_element(found.sets, {}, &std::vector<PortMask>::size);
  const std::size_t most = largest->size() - 1;  // the first set is empty
  if (most <= *options.max_groups) return;
  const auto where = static_cast<Switch>(largest - found.sets.begin());
  throw PromiseError(fmt::format("{} takes {} groups of ports on {}; {} are allowed", engine, most,
                                 unique_name(fabric, where), *options.max_groups));
}

std::vector<Port> list_of(const PortMask& mask) {
  std::vector<Port> ports;
  each_port(mask, [&](Port port) { ports.push_back(port); });
  return ports;
}

// Kinds by (switch, number of a set). A default port outside its set makes a kind of its own.
class Kinds {
 public:
  Kinds(const Fabric& fabric, const GroupTable& found, EntryState state)
      : found_(found), state_(state), builder_(fabric), kind_(fabric.num_switches()) {
    for (const Switch s : ids<Switch>(fabric.num_switches())) {
      const std::vector<PortMask>& sets = found.sets[index(s)];
      kind_[s].resize(sets.size());
      for (std::size_t i = 1; i < sets.size(); ++i) {
        std::vector<Port> ports = list_of(sets[i]);
        const Port first = ports.front();
        const auto number = static_cast<GroupNumber>(i);
        builder_.add_group(s, number, {{.ports = std::move(ports), .weight = 0}});
        kind_[s][i] = builder_.kind(s, state, number, first);
      }
    }
  }

  // All destinations of destination d, whose default ports are in `tables`.
  void set_rows(std::span<const Destination> destinations, std::size_t d,
                const ForwardingTables& tables) {
    const std::size_t switches = kind_.size();
    const std::uint16_t* number = found_.number.data() + d * switches;
    row_.resize(switches);
    for (std::size_t s = 0; s < switches; ++s) row_[s] = kind_[static_cast<Switch>(s)][number[s]];
    for (const Destination destination : destinations) {
      const std::span<const Port> own = tables.row(destination);
      std::vector<std::size_t> changed;
      for (std::size_t s = 0; s < switches; ++s) {
        if (number[s] == 0 || has(found_.sets[s][number[s]], own[s])) continue;
        changed.push_back(s);
        row_[s] = builder_.kind(static_cast<Switch>(s), state_, number[s], own[s]);
      }
      builder_.set_row(destination, row_);
      for (const std::size_t s : changed) row_[s] = kind_[static_cast<Switch>(s)][number[s]];
    }
  }

  PortSets build(std::size_t destinations) && { return std::move(builder_).build(destinations); }

 private:
  const GroupTable& found_;
  EntryState state_;
  PortSetsBuilder builder_;
  Table<Switch, std::vector<PortSets::Kind>> kind_;
  std::vector<PortSets::Kind> row_;
};

}  // namespace

std::uint16_t GroupTable::number_of(std::size_t s, const PortMask& mask) {
  const auto found = static_cast<std::uint16_t>(find(s, mask));
  if (found == sets[s].size()) sets[s].push_back(mask);
  return found;
}

std::size_t GroupTable::find(std::size_t s, const PortMask& mask) const {
  // Most masks differ in the first word; comparing it by itself saves calls.
  const auto is_same = [&](const PortMask& set) { return set[0] == mask[0] && set == mask; };
  return static_cast<std::size_t>(std::ranges::find_if(sets[s], is_same) - sets[s].begin());
}

GroupTable least_hop_table(const PortGraph& graph, const std::vector<std::uint16_t>& distance,
                           int threads) {
  const std::size_t switches = graph.size();
  GroupTable found{std::vector<std::vector<PortMask>>(switches, {PortMask{}}),
                   std::vector<std::uint16_t>(switches * switches),
                   {}};
  parallel_for((switches + kTogether - 1) / kTogether, threads, [&](std::size_t block, int) {
    const std::size_t end = std::min(switches, (block + 1) * kTogether);
    for (std::size_t d = 0; d < switches; ++d) {
      const std::uint16_t* row = distance.data() + d * switches;
      for (std::size_t s = block * kTogether; s < end; ++s) {
        const PortMask ports = nearer_ports(graph, row, static_cast<std::uint32_t>(s));
        if (count_ports(ports) < 2) continue;
        found.number[d * switches + s] = found.number_of(s, ports);
      }
    }
  });
  return found;
}

GroupTable without_unused(const GroupTable& table) {
  const std::size_t switches = table.sets.size();
  GroupTable used{std::vector<std::vector<PortMask>>(switches, {PortMask{}}),
                  std::vector<std::uint16_t>(table.number.size()), table.class_of};
  std::vector<std::vector<std::uint16_t>> renamed(switches);  // old number to new; 0: not met yet
  for (std::size_t s = 0; s < switches; ++s) renamed[s].resize(table.sets[s].size());
  for (std::size_t first = 0; first < table.number.size(); first += switches) {
    for (std::size_t s = 0; s < switches; ++s) {
      const std::uint16_t old = table.number[first + s];
      if (old == 0) continue;
      if (renamed[s][old] == 0) renamed[s][old] = used.number_of(s, table.sets[s][old]);
      used.number[first + s] = renamed[s][old];
    }
  }
  return used;
}

PortSets sets_of(const Fabric& fabric, const GroupTable& found, const ForwardingTables& tables,
                 std::string_view engine, const RouteOptions& options) {
  check_groups(fabric, found, engine, options);
  Kinds kinds(fabric, found, options.choice);
  const std::size_t switches = std::max<std::size_t>(1, fabric.num_switches());  // 0: no classes
  std::vector<std::vector<Destination>> at(found.number.size() / switches);
  for (const Destination destination : ids<Destination>(tables.num_destinations())) {
    const Switch home = home_of(fabric, tables, destination);
    if (home == kNone<Switch>) continue;
    at[found.class_of.empty() ? index(home) : found.class_of[index(destination)]].push_back(
        destination);
  }
  for (std::size_t d = 0; d < at.size(); ++d) kinds.set_rows(at[d], d, tables);
  return std::move(kinds).build(tables.num_destinations());
}

}  // namespace fatwood
