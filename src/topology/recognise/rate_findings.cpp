// SPDX-License-Identifier: BSD-3-Clause
// Finds cables that are slower than their peers: cables between the same two levels, and cables of
// hosts. The usual rate is the most frequent one (the faster on a tie). Slow cables between
// switches are named one by one, slow hosts together by switch and rate.

#include <map>
#include <optional>

#include "topology/recognise/recognition.hpp"

namespace fatwood {
namespace {

using EndLevels = std::pair<Level, Level>;  // levels of the two ends; 0 for a host

struct Usual {
  Rate rate;
  std::uint64_t count = 0;
};

EndLevels group_of(const Fabric& fabric, const Levels& levels, Channel c) {
  const auto level = [&](Node node) {
    return fabric.is_switch(node) ? levels.level[fabric.as_switch(node)] : Level{0};
  };
  return std::minmax({level(fabric.owner(c)), level(fabric.neighbour(c))});
}

bool is_internal(const Fabric& fabric, const Levels& levels, Channel c) {
  for (const Channel end : {c, fabric.peer(c)}) {
    const Terminal t = fabric.terminal_at(end);
    if (t != kNone<Terminal> && levels.role[t] == TerminalRole::kAggregation) return true;
  }
  return false;
}

template <class Visit>
void for_cables(const Fabric& fabric, const Levels& levels, const Visit& visit) {
  for (const Channel c : ids<Channel>(fabric.num_channels())) {
    if (!fabric.connected(c) || index(fabric.peer(c)) < index(c)) continue;
    if (gigabits(fabric.rate(c)) > 0 && !is_internal(fabric, levels, c)) visit(c);
  }
}

// Whether no cable can be slower than another.
bool all_alike(const Fabric& fabric) {
  std::optional<Rate> first;
  for (const Channel c : ids<Channel>(fabric.num_channels())) {
    if (!fabric.connected(c)) continue;
    if (!first) first = fabric.rate(c);
    if (fabric.rate(c) != *first) return false;
  }
  return true;
}

std::map<EndLevels, Usual> usual_rates(const Fabric& fabric, const Levels& levels) {
  std::map<EndLevels, std::map<Rate, std::uint64_t>> counts;
  for_cables(fabric, levels, [&](Channel c) {
    EndLevels group = group_of(fabric, levels, c);
    if (group.first == 0) group.second = 0;  // all hosts are peers
    ++counts[group][fabric.rate(c)];
  });
  std::map<EndLevels, Usual> usual;
  for (const auto& [group, rates] : counts) {
    Usual& best = usual[group];
    for (const auto& [rate, count] : rates) {
      const bool faster = gigabits(rate) > gigabits(best.rate);
      if (count > best.count || (count == best.count && faster)) best = {rate, count};
    }
  }
  return usual;
}

}  // namespace

std::vector<Finding> rate_findings(const Fabric& fabric, const Recognition& known) {
  if (all_alike(fabric)) return {};
  std::vector<Finding> found;
  const auto usual = usual_rates(fabric, known.levels);
  std::map<std::pair<Node, Rate>, std::vector<Channel>> slow_hosts;  // ports of switches
  for_cables(fabric, known.levels, [&](Channel c) {
    const EndLevels group = group_of(fabric, known.levels, c);
    const bool host = group.first == 0;
    const Usual& best = usual.at(host ? EndLevels{0, 0} : group);
    if (gigabits(fabric.rate(c)) >= gigabits(best.rate)) return;
    if (host) {
      const Channel port = fabric.is_switch(fabric.owner(c)) ? c : fabric.peer(c);
      slow_hosts[{fabric.owner(port), fabric.rate(c)}].push_back(port);
      return;
    }
    const Channel from = step(fabric, known.levels, c) < 0 ? fabric.peer(c) : c;
    found.push_back({FindingKind::kSlowCable,
                     {from, fabric.peer(from)},
                     {},
                     UsualRate{fabric.rate(c), best.rate, best.count}});
  });
  for (const auto& [where, ports] : slow_hosts) {
    const Usual& best = usual.at({0, 0});
    Finding finding{FindingKind::kSlowHost,
                    ports,
                    {where.first},
                    UsualRate{where.second, best.rate, best.count}};
    for (const Channel c : ports) finding.nodes.push_back(fabric.neighbour(c));
    found.push_back(std::move(finding));
  }
  return found;
}

}  // namespace fatwood
