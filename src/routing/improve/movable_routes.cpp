// SPDX-License-Identifier: BSD-3-Clause
#include "routing/improve/movable_routes.hpp"

#include <algorithm>
#include <bit>

#include "core/error.hpp"
#include "routing/tables/destination_tree.hpp"
#include "topology/fabric.hpp"
#include "topology/graph/hop_map.hpp"

namespace fatwood {

namespace {

constexpr unsigned kLanesOfMask = 64;
constexpr std::uint32_t kMovesToForget = 1000;
// How many links the search for a cycle may visit; a longer search counts as a cycle.
constexpr std::size_t kEffort = 20'000;

template <class Visit>
void for_each_bit(std::uint64_t bits, const Visit& visit) {
  for (; bits != 0; bits &= bits - 1) visit(static_cast<std::size_t>(std::countr_zero(bits)));
}

}  // namespace

MovableRoutes::MovableRoutes(const Fabric& fabric, Routing routing, const LinkRanks& ranks)
    : fabric_(&fabric),
      routing_(std::move(routing)),
      links_(link_graph(fabric, port_graph(fabric))),
      addresses_(static_cast<std::uint32_t>(fabric.num_terminals() << routing_.tables.lmc())),
      terminals_on_(fatwood::terminals_on(fabric)) {
  if (routing_.tables.num_destinations() == 0) {
    throw InputError("engine " + routing_.engine + " gives source routes: there are no tables");
  }
  check_size(fabric, routing_);
  if (routing_.lanes.count > kLanesOfMask) {
    throw InputError("routes in " + std::to_string(routing_.lanes.count) + " lanes: 64 at most");
  }
  for (std::uint32_t s = 0; s < links_.switches; ++s) {
    stride_ = std::max(stride_, links_.of(s).size());
  }
  count_hops_and_dependencies();
  if (!ranks.empty()) {
    keep_rule(ranks);
    count_hops_and_dependencies();
  }
  order_links();
}

// One pass over all tables: a switch is processed after the switches that forward through it.
void MovableRoutes::count_hops_and_dependencies() {
  const std::size_t switches = links_.switches;
  usage_ = Table<Link, std::uint64_t>(links_.size());
  counts_.assign(routing_.lanes.count, std::vector<std::uint32_t>(links_.size() * stride_));
  const HopMap map(*fabric_);
  DestinationTree tree(*fabric_, map);
  hops_.assign(std::size_t{addresses_} * switches, kNoHops);
  std::vector<std::uint64_t> flow(switches), lanes(switches);
  for (std::uint32_t t = 0; t < routing_.tables.num_destinations(); ++t) {
    tree.follow(routing_.tables, Destination{t});
    const auto row = routing_.tables.row(Destination{t});
    const auto reached = tree.reached();
    for (const std::uint32_t s : reached) {
      flow[s] = t < addresses_ ? terminals_on(s) : 0;
      lanes[s] = lane_bit(t, s);
      if (t < addresses_) {
        hops_[std::size_t{t} * switches + s] = static_cast<std::uint16_t>(tree.hops(s));
      }
    }
    for (auto at = reached.rbegin(); at != reached.rend(); ++at) {
      const std::uint32_t s = *at;
      if (tree.hops(s) == 0) continue;
      const Link link = links_.link(s, row[s]);
      const std::uint32_t parent = links_.to[link];
      usage_[link] += flow[s];
      flow[parent] += flow[s];
      lanes[parent] |= lanes[s];
      if (tree.hops(parent) == 0) continue;
      const Link further = links_.link(parent, row[parent]);
      for_each_bit(lanes[s], [&](std::size_t lane) { ++count(lane, link, further); });
    }
  }
}

void MovableRoutes::keep_rule(const LinkRanks& ranks) {
  ruled_out_.assign(addresses_ * links_.size(), true);
  for (std::uint32_t address = 0; address < addresses_; ++address) {
    const auto hops = std::span(hops_).subspan(address * links_.switches, links_.switches);
    const Table<Link, bool> kept = links_by_rule(links_, ranks, hops);
    const auto row = routing_.tables.row(Destination{address});
    for (std::uint32_t s = 0; s < links_.switches; ++s) {
      if (hops[s] == 0 || hops[s] == kNoHops) continue;
      const Link used = links_.link(s, row[s]);
      Link lowest = used;
      for (const Link link : links_.of(s)) {
        if (!kept[link]) continue;
        ruled_out_[address * links_.size() + index(link)] = false;
        if (!kept[lowest]) lowest = link;
      }
      row[s] = links_.port[lowest];
    }
  }
}

// Kahn's topological sort of each lane's dependencies; a cycle in any lane leaves all unguarded.
void MovableRoutes::order_links() {
  const auto size = static_cast<std::uint32_t>(links_.size());
  for (std::size_t lane = 0; lane < counts_.size(); ++lane) {
    Table<Link, std::uint32_t> waiting(size), position(size);
    std::vector<Link> free;
    const auto for_each_dependency = [&](Link a, const auto& visit) {
      const std::uint32_t s = links_.to[a];
      for (const Link b : links_.of(s)) {
        if (count(lane, a, b) > 0) visit(b);
      }
    };
    for (const Link a : ids<Link>(size)) for_each_dependency(a, [&](Link b) { ++waiting[b]; });
    for (const Link a : ids<Link>(size)) {
      if (waiting[a] == 0) free.push_back(a);
    }
    for (std::size_t i = 0; i < free.size(); ++i) {
      position[free[i]] = static_cast<std::uint32_t>(i);
      for_each_dependency(free[i], [&](Link b) {
        if (--waiting[b] == 0) free.push_back(b);
      });
    }
    if (free.size() < size) {
      layers_.clear();
      return;
    }
    layers_.emplace_back(links_, std::move(position), kEffort);
    for (const Link a : ids<Link>(size)) {
      for_each_dependency(a, [&](Link b) { layers_.back().add(a, b); });
    }
    layers_.back().commit();
  }
}

std::vector<Link> MovableRoutes::alternatives(std::uint32_t address, std::uint32_t s) const {
  std::vector<Link> found;
  const std::uint16_t left = hops(address, s);
  if (left == 0 || left == kNoHops) return found;
  const Link used = next(address, s);
  for (const Link link : links_.of(s)) {
    if (link == used || hops(address, links_.to[link]) + 1 != left) continue;
    if (ruled_out_.empty() || !ruled_out_[address * links_.size() + index(link)])
      found.push_back(link);
  }
  return found;
}

std::vector<Link> MovableRoutes::arrivals(std::uint32_t address, std::uint32_t s) const {
  std::vector<Link> found;
  for_each_arrival(address, s, [&](Link link) { found.push_back(link); });
  return found;
}

std::uint64_t MovableRoutes::flow(std::uint32_t address, std::uint32_t s) const {
  std::uint64_t sum = terminals_on(s);
  for_each_arrival(address, s, [&](Link link) { sum += flow(address, links_.from[link]); });
  return sum;
}

std::uint64_t MovableRoutes::lanes_through(std::uint32_t address, std::uint32_t s) const {
  if (counts_.size() == 1) return 1;
  std::uint64_t lanes = lane_bit(address, s);
  for_each_arrival(address, s,
                   [&](Link link) { lanes |= lanes_through(address, links_.from[link]); });
  return lanes;
}

MovableRoutes::Fork MovableRoutes::fork(std::uint32_t address, std::uint32_t s, Link link) const {
  Fork result{{next(address, s)}, {link}, 0};
  std::uint32_t a = links_.to[result.old_links[0]];
  std::uint32_t b = links_.to[link];
  while (a != b) {
    result.old_links.push_back(next(address, a));
    result.new_links.push_back(next(address, b));
    a = links_.to[result.old_links.back()];
    b = links_.to[result.new_links.back()];
  }
  result.meeting = a;
  return result;
}

__int128 MovableRoutes::change_of_squares(std::uint32_t address, std::uint32_t s, Link link) const {
  const Fork paths = fork(address, s, link);
  const __int128 moved = flow(address, s);
  __int128 change = 0;
  for (const Link l : paths.old_links) change += moved * moved - 2 * moved * usage_[l];
  for (const Link l : paths.new_links) change += moved * moved + 2 * moved * usage_[l];
  return change;
}

bool MovableRoutes::move(std::uint32_t address, std::uint32_t s, Link link) {
  const Fork paths = fork(address, s, link);
  if (guarded() && !move_dependencies(address, s, link, paths)) return false;
  const std::uint64_t moved = flow(address, s);
  for (const Link l : paths.old_links) usage_[l] -= moved;
  for (const Link l : paths.new_links) usage_[l] += moved;
  routing_.tables.row(Destination{address})[s] = links_.port[link];
  return true;
}

bool MovableRoutes::move_dependencies(std::uint32_t address, std::uint32_t s, Link link,
                                      const Fork& paths) {
  std::vector<Dependency> added, gone;
  const Link used = paths.old_links[0];
  for (const Link in : arrivals(address, s)) {
    const std::uint64_t lanes = lanes_through(address, links_.from[in]);
    gone.push_back({in, used, lanes});
    added.push_back({in, link, lanes});
  }
  // Further along the path, a lane is lost if no other packets bring it, and added if none had it.
  std::uint64_t lost = lanes_through(address, s);
  std::uint64_t gained = lost;
  for (const Link in : paths.old_links) {
    const std::uint32_t at = links_.to[in];
    if (is_last(address, at)) break;
    gone.push_back({in, next(address, at), lost});
    if (at == paths.meeting) break;
    lost &= ~lane_bit(address, at);
    for (const Link other : arrivals(address, at)) {
      if (other != in) lost &= ~lanes_through(address, links_.from[other]);
    }
    if (lost == 0) break;
  }
  for (const Link in : paths.new_links) {
    const std::uint32_t at = links_.to[in];
    if (is_last(address, at)) break;
    added.push_back({in, next(address, at), gained});
    if (at == paths.meeting) break;
    gained &= ~lanes_through(address, at);
    if (gained == 0) break;
  }
  if (!add_dependencies(added)) return false;
  remove_dependencies(gone);
  if (++moves_ == kMovesToForget) {
    for (Layer& layer : layers_) layer.forget_refusals();
    moves_ = 0;
  }
  return true;
}

bool MovableRoutes::add_dependencies(std::span<const Dependency> dependencies) {
  for (std::size_t i = 0; i < dependencies.size(); ++i) {
    const auto [a, b, lanes] = dependencies[i];
    for (std::uint64_t left = lanes; left != 0; left &= left - 1) {
      const auto lane = static_cast<std::size_t>(std::countr_zero(left));
      if (count(lane, a, b) > 0 || layers_[lane].add(a, b)) continue;
      for (Layer& layer : layers_) layer.undo();
      for (const auto& [c, d, mask] : dependencies.first(i)) {
        for_each_bit(mask, [&](std::size_t l) { --count(l, c, d); });
      }
      return false;
    }
    for_each_bit(lanes, [&](std::size_t lane) { ++count(lane, a, b); });
  }
  for (Layer& layer : layers_) layer.commit();
  return true;
}

void MovableRoutes::remove_dependencies(std::span<const Dependency> dependencies) {
  for (const auto& [a, b, lanes] : dependencies) {
    for_each_bit(lanes, [&](std::size_t lane) {
      if (--count(lane, a, b) == 0) layers_[lane].remove(a, b);
    });
  }
}

}  // namespace fatwood
