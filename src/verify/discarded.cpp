// SPDX-License-Identifier: BSD-3-Clause
#include "verify/discarded.hpp"

#include <vector>

#include "topology/hop_map.hpp"

namespace fatwood {

namespace {

struct Start {
  Endpoint source;
  Switch at;
  Port in;
};

std::vector<Start> starts_of(const Fabric& fabric) {
  std::vector<Start> starts;
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
    if (fabric.leaf(t) == kNone<Switch>) continue;
    starts.push_back(
        {endpoint(t), fabric.leaf(t), fabric.port(fabric.peer(fabric.terminal_channel(t)))});
  }
  for (const Switch s : ids<Switch>(fabric.num_switches())) starts.push_back({endpoint(s), s, 0});
  return starts;
}

// Whether a packet that arrives would take the management lane on its way.
bool is_discarded(const Fabric& fabric, const HopMap& map, const Routing& routing, Target target,
                  const Start& start) {
  const ForwardingTables& tables = routing.tables;
  const auto row = tables.row(target);
  const unsigned level = routing.lanes.at(target, start.at);
  bool discarded = false;
  std::uint32_t x = index(start.at);
  Port in = start.in;
  for (std::size_t steps = 0; steps <= row.size(); ++steps) {
    const Hop hop = map.at(x, row[x]);
    const auto s = static_cast<Switch>(x);
    if (!hop.to_switch()) {
      if (tables.is_switch(target)) return discarded && tables.target(s) == target && row[x] == 0;
      const Channel arrival = fabric.peer(fabric.terminal_channel(tables.terminal(target)));
      return discarded && fabric.channel(fabric.node(s), row[x]) == arrival;
    }
    const unsigned lane = routing.sl2vl.empty() ? level : routing.sl2vl.lane(s, in, row[x], level);
    discarded = discarded || lane == kManagementLane;
    x = hop.next();
    in = hop.arrival();
  }
  return false;  // it circles
}

}  // namespace

Discarded find_discarded(const Fabric& fabric, const Routing& routing) {
  Discarded found;
  const unsigned lanes = routing.sl2vl.empty() ? routing.lanes.count : routing.sl2vl.lanes();
  if (lanes <= kManagementLane || !routing.source_routes.empty()) return found;
  const HopMap map(fabric);
  const std::vector<Start> starts = starts_of(fabric);
  for (const Target target : ids<Target>(routing.tables.num_targets())) {
    const Endpoint to = endpoint(routing.tables, target);
    for (const Start& start : starts) {
      if (start.source == to || !is_discarded(fabric, map, routing, target, start)) continue;
      const bool from_switch = start.source.is_switch();
      std::uint64_t& count =
          to.is_switch()
              ? (from_switch ? found.pairs.switch_switch : found.pairs.terminal_switch)
              : (from_switch ? found.pairs.switch_terminal : found.pairs.terminal_terminal);
      ++count;
      if (!found.first) found.first = {start.source, to};
    }
  }
  return found;
}

}  // namespace fatwood
