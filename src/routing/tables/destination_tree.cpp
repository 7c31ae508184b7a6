// SPDX-License-Identifier: BSD-3-Clause
#include "routing/tables/destination_tree.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"

namespace fatwood {

namespace {
constexpr std::uint32_t kUnknown = 0xfffffffdU;
constexpr std::uint32_t kOnPath = 0xfffffffcU;
}  // namespace

DestinationTree::DestinationTree(const Fabric& fabric, const HopMap& map)
    : fabric_(fabric),
      map_(map),
      hop_(fabric.num_switches()),
      hops_(fabric.num_switches()),
      order_(fabric.num_switches()),
      guess_(fabric.num_switches()) {}

void DestinationTree::follow(const ForwardingTables& tables, Destination destination) {
  const std::span<const Port> row = tables.row(destination);
  const auto switches = static_cast<std::uint32_t>(hop_.size());
  for (std::uint32_t s = 0; s < switches; ++s) hop_[s] = map_.at(s, row[s]);
  std::swap(order_, guess_);
  const std::span guess(guess_.data(), num_reached_);
  std::uint32_t* reached = begin(tables, destination, order_.data());
  // Most trees resemble the last one: in its order, most next hops are already known.
  const Hop* const hop = hop_.data();
  std::uint32_t* const hops = hops_.data();
  for (const std::uint32_t s : guess) {
    if (hops[s] != kUnknown) continue;
    if (!hop[s].to_switch() || hops[hop[s].next()] >= kFurthest) {
      reached = evaluate_from(s, reached);
    } else {
      hops[s] = hops[hop[s].next()] + 1;
      *reached++ = s;
    }
  }
  if (reached != order_.data() + switches) {
    for (std::uint32_t s = 0; s < switches; ++s) {
      if (hops[s] == kUnknown) reached = evaluate_from(s, reached);
    }
  }
  num_reached_ = static_cast<std::size_t>(reached - order_.data());
}

void DestinationTree::follow_from(const ForwardingTables& tables, Destination destination,
                                  std::span<const std::uint32_t> starts) {
  if (2 * starts.size() >= hop_.size()) {  // most switches: follow() is quicker
    follow(tables, destination);
    return;
  }
  const std::span<const Port> row = tables.row(destination);
  std::uint32_t* reached = begin(tables, destination, order_.data());
  if (destination_ != kNone<Switch>) {
    hop_[index(destination_)] = map_.at(destination_, row[index(destination_)]);
  }
  for (const std::uint32_t start : starts) {
    if (hops_[start] != kUnknown) continue;
    std::uint32_t at = start;
    hop_[at] = map_.at(at, row[at]);
    if (hop_[at].to_switch() && reaches(hop_[at].next())) {
      hops_[at] = hops_[hop_[at].next()] + 1;
      *reached++ = at;
      continue;
    }
    // Hops of the path up to the first switch that is already known.
    for (std::size_t steps = 0; hop_[at].to_switch() && steps < hop_.size(); ++steps) {
      at = hop_[at].next();
      if (hops_[at] != kUnknown) break;
      hop_[at] = map_.at(at, row[at]);
    }
    reached = evaluate_from(start, reached);
  }
  num_reached_ = static_cast<std::size_t>(reached - order_.data());
}

std::uint32_t* DestinationTree::begin(const ForwardingTables& tables, Destination destination,
                                      std::uint32_t* reached) {
  std::fill(hops_.begin(), hops_.end(), kUnknown);
  loops_.clear();
  destination_ = home_of(fabric_, tables, destination);
  if (destination_ != kNone<Switch> &&
      tables.at(destination, destination_) == own_port(fabric_, tables, destination)) {
    hops_[index(destination_)] = 0;
    *reached++ = index(destination_);
  }
  return reached;
}

std::uint32_t* DestinationTree::evaluate_from(std::uint32_t start, std::uint32_t* reached) {
  path_.clear();
  std::uint32_t at = start;
  std::uint32_t verdict = kLost;
  while (true) {
    if (hops_[at] == kOnPath) {
      verdict = kLooping;
      loops_.push_back(at);
      break;
    }
    if (hops_[at] != kUnknown) {
      verdict = hops_[at];
      break;
    }
    hops_[at] = kOnPath;
    path_.push_back(at);
    if (!hop_[at].to_switch()) break;
    at = hop_[at].next();
  }
  const bool ends_well = verdict < kFurthest;
  for (std::size_t i = path_.size(); i-- > 0;) {
    if (ends_well) {
      ++verdict;
      *reached++ = path_[i];
    }
    hops_[path_[i]] = verdict;
  }
  return reached;
}

bool source_route_arrives(const Fabric& fabric, const SourceRoutes& routes, Switch source,
                          Switch destination) {
  Node at = fabric.node(source);
  for (const Channel c : routes.at(source, destination)) {
    if (index(c) >= fabric.num_channels() || fabric.owner(c) != at || !fabric.connected(c)) {
      return false;
    }
    at = fabric.neighbour(c);
    if (!fabric.is_switch(at)) return false;
  }
  return at == fabric.node(destination);
}

void check_size(const Fabric& fabric, const Routing& routing) {
  const ForwardingTables& tables = routing.tables;
  if (!routing.source_routes.empty()) {
    if (routing.source_routes.switches == fabric.num_switches()) return;
    throw InputError(fmt::format("routes between {} switches; the fabric has {}",
                                 routing.source_routes.switches, fabric.num_switches()));
  }
  if (tables.num_switches() != fabric.num_switches() ||
      tables.num_terminals() != fabric.num_terminals()) {
    throw InputError(fmt::format(
        "tables for {} terminals and {} switches; the fabric has {} terminals and {} switches",
        tables.num_terminals(), tables.num_switches(), fabric.num_terminals(),
        fabric.num_switches()));
  }
  if (routing.lanes.lane.empty()) return;
  const auto high = [&](std::uint8_t lane) { return lane >= routing.lanes.count; };
  if (routing.lanes.switches != tables.num_switches() ||
      routing.lanes.row_of.size() != tables.num_destinations() ||
      std::any_of(routing.lanes.lane.begin(), routing.lanes.lane.end(), high)) {
    throw InputError("lanes that do not fit the tables");
  }
}

void require_same_lmc(const ForwardingTables& old, const ForwardingTables& after,
                      const Location& where) {
  if (old.lmc() == after.lmc()) return;
  throw InputError(where, fmt::format("expected tables of LMC {}, as the old ones have, found {}",
                                      old.lmc(), after.lmc()));
}

}  // namespace fatwood
