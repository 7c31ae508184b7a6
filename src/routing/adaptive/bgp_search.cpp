// SPDX-License-Identifier: BSD-3-Clause
#include "routing/adaptive/bgp_search.hpp"

#include <algorithm>

namespace fatwood {

Table<Switch, std::uint32_t> own_as_numbers(const Fabric& fabric) {
  Table<Switch, std::uint32_t> number(fabric.num_switches());
  for (const Switch s : ids<Switch>(fabric.num_switches())) number[s] = index(s) + 1;
  return number;
}

BgpSearch::BgpSearch(const Fabric& fabric, const Table<Switch, std::uint32_t>& as)
    : fabric_(fabric),
      as_(as),
      path_(fabric.num_switches()),
      ports_(fabric.num_switches()),
      place_(fabric.num_switches()) {
  std::vector<std::uint32_t> numbers(as.begin(), as.end());
  std::ranges::sort(numbers);
  shared_ = std::ranges::adjacent_find(numbers) != numbers.end();
}

const std::vector<PortMask>& BgpSearch::run(Switch destination) {
  std::ranges::fill(path_, AsPath{});
  std::ranges::fill(ports_, PortMask{});
  destination_ = destination;
  search(destination, nullptr);
  return ports_;
}

void BgpSearch::search(Switch destination, const std::vector<std::uint8_t>* dead) {
  path_[index(destination)] = {as_[destination]};
  std::vector<Switch> front{destination};
  while (!front.empty()) front = step(front, dead);
}

void BgpSearch::take(std::span<const PortMask> ports) {
  std::ranges::fill(path_, AsPath{});
  ports_.assign(ports.begin(), ports.end());
  destination_ = kNone<Switch>;
}

bool BgpSearch::may_use(const AsPath& path, Switch s) const {
  return !path.empty() && std::ranges::find(path, as_[s]) == path.end();
}

std::vector<Switch> BgpSearch::step(const std::vector<Switch>& front,
                                    const std::vector<std::uint8_t>* dead) {
  std::vector<Switch> next, best;
  for (const Switch from : front) {
    const AsPath& path = path_[index(from)];
    for (const SwitchLink& link : fabric_.links(from)) {
      if (dead != nullptr && (*dead)[index(link.channel)] != 0) continue;
      if (!path_[index(link.to)].empty() || !may_use(path, link.to)) continue;
      PortMask& ports = ports_[index(link.to)];
      if (count_ports(ports) == 0) {
        next.push_back(link.to);
        best.push_back(from);
      }
      put(ports, fabric_.port(fabric_.peer(link.channel)));
    }
  }
  for (std::size_t i = 0; i < next.size(); ++i) {
    path_[index(next[i])] = path_[index(best[i])];
    path_[index(next[i])].push_back(as_[next[i]]);
  }
  return next;
}

std::span<const BgpSearch::Change> BgpSearch::lose(const std::vector<std::uint8_t>& dead,
                                                   std::span<const Switch> ends) {
  for (const Change& change : changes_) place_[index(change.at)] = 0;
  changes_.clear();
  drop_ports(dead, ends);
  if (destination_ == kNone<Switch> || std::ranges::none_of(changes_, &Change::rerouted)) {
    return changes_;
  }
  if (shared_) {
    search_all(dead, destination_);
  } else {
    search_again(dead);
  }
  return changes_;
}

// Switches lose dead ports, and ports to switches that have none left.
void BgpSearch::drop_ports(const std::vector<std::uint8_t>& dead, std::span<const Switch> ends) {
  const auto change = [&](Switch s) -> Change& {
    std::uint32_t& place = place_[index(s)];
    if (place == 0) {
      changes_.push_back({s, ports_[index(s)]});
      place = static_cast<std::uint32_t>(changes_.size());
    }
    return changes_[place - 1];
  };
  std::vector<Switch> emptied;
  const auto lose_port = [&](Switch s, Port port) {
    if (!has(ports_[index(s)], port)) return;
    Change& its = change(s);
    if (!has(its.ports, port)) return;
    drop(its.ports, port);
    if (count_ports(its.ports) > 0) return;
    its.rerouted = true;
    emptied.push_back(s);
  };
  for (const Switch s : ends) {
    for (const SwitchLink& link : fabric_.links(s)) {
      if (dead[index(link.channel)] != 0) lose_port(s, link.port);
    }
  }
  for (std::size_t i = 0; i < emptied.size(); ++i) {
    for (const SwitchLink& link : fabric_.links(emptied[i])) {
      lose_port(link.to, fabric_.port(fabric_.peer(link.channel)));
    }
  }
}

// The emptied switches take the shortest paths over the others, and over each other.
void BgpSearch::search_again(const std::vector<std::uint8_t>& dead) {
  again_.assign(changes_.size(), 0);
  const auto length_of = [&](Switch s) -> std::size_t {
    const std::uint32_t place = place_[index(s)];
    return place != 0 && changes_[place - 1].rerouted ? again_[place - 1] : path_[index(s)].size();
  };
  // Calls visit(change, its number, port, length there) for each cable of switches without a path.
  const auto each_open = [&](const auto& visit) {
    for (std::size_t i = 0; i < changes_.size(); ++i) {
      if (!changes_[i].rerouted || again_[i] != 0) continue;
      for (const SwitchLink& link : fabric_.links(changes_[i].at)) {
        const std::size_t length = length_of(link.to);
        if (dead[index(link.channel)] == 0 && length != 0) visit(i, link.port, length);
      }
    }
  };
  for (;;) {
    std::size_t best = 0;  // length of the shortest path that a switch without one can use
    each_open([&](std::size_t, Port, std::size_t length) {
      if (best == 0 || length < best) best = length;
    });
    if (best == 0) return;
    std::vector<std::size_t> found;
    each_open([&](std::size_t i, Port port, std::size_t length) {
      if (length != best) return;
      put(changes_[i].ports, port);
      found.push_back(i);
    });
    for (const std::size_t i : found) again_[i] = best + 1;
  }
}

// Where switches share an AS, paths that were hidden can appear: all routes are made again.
void BgpSearch::search_all(const std::vector<std::uint8_t>& dead, Switch destination) {
  std::vector<AsPath> path(path_.size());
  std::vector<PortMask> ports(ports_.size());
  path.swap(path_);
  ports.swap(ports_);
  search(destination, &dead);
  path.swap(path_);
  ports.swap(ports_);  // `ports` has those after the loss
  for (const Change& change : changes_) place_[index(change.at)] = 0;
  changes_.clear();
  for (const Switch s : ids<Switch>(ports.size())) {
    if (ports[index(s)] == ports_[index(s)]) continue;
    const bool fewer = without(ports[index(s)], ports_[index(s)]) == PortMask{};
    changes_.push_back({s, ports[index(s)], !fewer || count_ports(ports[index(s)]) == 0});
    place_[index(s)] = static_cast<std::uint32_t>(changes_.size());
  }
}

}  // namespace fatwood
