// SPDX-License-Identifier: BSD-3-Clause
#include "verify/losses/loss_rows.hpp"

#include <algorithm>

#include "core/parallel.hpp"
#include "routing/adaptive/destination_classes.hpp"
#include "topology/graph/hop_map.hpp"

namespace fatwood {

LossRows::LossRows(const Fabric& fabric, const Routing& routing, Sources sources, int threads)
    : fabric_(fabric), map_(fabric), senders_(fabric, sources), hosts_(fabric.num_switches()) {
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
    if (fabric.leaf(t) != kNone<Switch> && senders_.counts(t)) ++hosts_[fabric.leaf(t)];
  }
  const DestinationClasses classes = destination_classes(fabric, routing, threads);
  for (std::size_t c = 0; c < classes.size(); ++c) {
    RouteRow row;
    for (const Destination destination : classes.of(c)) {
      if (!senders_.counts(routing.tables, destination)) continue;
      if (row.destinations++ == 0) row.first = destination;
    }
    if (row.destinations == 0) continue;
    row.home = home_of(fabric, routing.tables, row.first);
    if (row.home != kNone<Switch>) rows_.push_back(row);
  }
  const std::size_t switches = fabric.num_switches();
  groups_.resize(rows_.size() * switches);
  parallel_for(rows_.size(), threads, [&](std::size_t r, int) {
    for (const Switch s : ids<Switch>(switches)) {
      if (s == rows_[r].home) continue;
      for (const Port port : routing.ports(s, rows_[r].first)) {
        if (map_.at(s, port).to_switch()) put(groups_[r * switches + index(s)], port);
      }
    }
  });
  const DependencyGraph numbering(fabric);
  for (const Switch s : ids<Switch>(switches)) {
    first_slot_.push_back(numbering.vertex(fabric.channel(fabric.node(s), kOwnPort)));
  }
}

namespace {

template <class Visit>
void each_dead(const Fabric& fabric, const Loss& loss, const Visit& visit) {
  for (const Channel c : loss.cut) {
    visit(c);
    visit(fabric.peer(c));
  }
  if (loss.removed == kNone<Switch>) return;
  for (const SwitchLink& link : fabric.links(loss.removed)) {
    visit(link.channel);
    visit(fabric.peer(link.channel));
  }
}

}  // namespace

std::vector<Switch> LossRows::ends(const Loss& loss) const {
  std::vector<Switch> found;
  each_dead(fabric_, loss,
            [&](Channel c) { found.push_back(fabric_.as_switch(fabric_.owner(c))); });
  std::ranges::sort(found);
  const auto rest = std::ranges::unique(found);
  found.erase(rest.begin(), rest.end());
  return found;
}

void LossRows::mark(const Loss& loss, std::uint8_t mark, std::vector<std::uint8_t>& dead) const {
  each_dead(fabric_, loss, [&](Channel c) { dead[index(c)] = mark; });
}

bool LossRows::empties(std::size_t row, const std::vector<std::uint8_t>& dead,
                       std::span<const Switch> ends) const {
  const std::span<const PortMask> all = groups(row);
  return std::ranges::any_of(ends, [&](Switch s) {
    const PortMask& group = all[index(s)];
    bool any = false, left = false;
    each_port(group, [&](Port port) {
      any = true;
      left = left || dead[index(fabric_.channel(fabric_.node(s), port))] == 0;
    });
    return any && !left;
  });
}

void LossRows::lay(std::size_t row, std::span<const PortMask> groups, Switch removed,
                   DependencyGraph& graph) const {
  const RouteRow& its = rows_[row];
  std::vector<std::uint8_t> seen(groups.size());
  std::vector<std::uint32_t> queue;
  for (const Switch s : ids<Switch>(groups.size())) {
    const bool alone = s == its.home && hosts_[s] == 1 && !senders_.switches();
    if (s == removed || alone || !senders_.starts_at(s)) continue;
    seen[index(s)] = 1;
    queue.push_back(index(s));
  }
  for (std::size_t i = 0; i < queue.size(); ++i) {
    each_port(groups[queue[i]], [&](Port port) {
      const Hop hop = map_.at(queue[i], port);
      if (!hop.to_switch()) return;
      const std::uint32_t y = hop.next();
      graph.add(first_slot_[y] + index(hop.arrival()), groups[y]);
      if (seen[y] != 0) return;
      seen[y] = 1;
      queue.push_back(y);
    });
  }
}

std::uint64_t LossRows::lost_pairs(std::size_t row, std::span<const PortMask> groups,
                                   Switch removed) const {
  const RouteRow& its = rows_[row];
  // From the owner backwards: a switch is good if all its ports lead to good ones.
  std::vector<std::uint32_t> open(groups.size());
  for (std::size_t s = 0; s < groups.size(); ++s) {
    open[s] = static_cast<std::uint32_t>(count_ports(groups[s]));
  }
  std::uint64_t sending = 0, good = 0;
  std::vector<Switch> queue;
  const auto take = [&](Switch s) {
    queue.push_back(s);
    good += hosts_[s];
  };
  for (const Switch s : ids<Switch>(groups.size())) sending += hosts_[s];
  if (its.home != removed) take(its.home);
  for (std::size_t i = 0; i < queue.size(); ++i) {
    for (const SwitchLink& link : fabric_.links(queue[i])) {
      const Port port = fabric_.port(fabric_.peer(link.channel));
      if (link.to == removed || link.to == its.home || !has(groups[index(link.to)], port)) continue;
      if (--open[index(link.to)] == 0) take(link.to);
    }
  }
  // A host sends nothing to itself.
  const std::uint64_t self = its.home == removed ? its.destinations : 0;
  return (sending - good) * its.destinations - self;
}

}  // namespace fatwood
