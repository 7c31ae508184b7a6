// SPDX-License-Identifier: BSD-3-Clause
#include "routing/target_tree.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"

namespace fatwood {

namespace {
constexpr std::uint32_t kUnknown = 0xfffffffdU;
constexpr std::uint32_t kOnPath = 0xfffffffcU;
}  // namespace

TargetTree::TargetTree(const Fabric& fabric, const HopMap& map)
    : fabric_(fabric), map_(map), hop_(fabric.num_switches()), hops_(fabric.num_switches()) {
  reached_.reserve(fabric.num_switches());
}

void TargetTree::follow(const ForwardingTables& tables, Target target) {
  const std::span<const std::uint8_t> row = tables.row(target);
  const auto switches = static_cast<std::uint32_t>(hop_.size());
  for (std::uint32_t s = 0; s < switches; ++s) hop_[s] = map_.at(s, row[s]);
  std::fill(hops_.begin(), hops_.end(), kUnknown);
  std::swap(reached_, guess_);
  reached_.clear();
  loops_.clear();

  Port delivers = 0;
  if (tables.is_switch(target)) {
    destination_ = tables.as_switch(target);
  } else {
    const Terminal t = tables.terminal(target);
    destination_ = fabric_.leaf(t);
    delivers = fabric_.port(fabric_.peer(fabric_.terminal_channel(t)));
  }
  if (destination_ != kNone<Switch> && row[index(destination_)] == delivers) {
    hops_[index(destination_)] = 0;
    reached_.push_back(index(destination_));
  }
  // Most trees are much like the last one: in its order, most next hops are judged already.
  for (const std::uint32_t s : guess_) {
    if (hops_[s] != kUnknown) continue;
    if (!hop_[s].to_switch() || hops_[hop_[s].next()] >= kFurthest) {
      judge_from(s);
    } else {
      hops_[s] = hops_[hop_[s].next()] + 1;
      reached_.push_back(s);
    }
  }
  if (reached_.size() == switches) return;
  for (std::uint32_t s = 0; s < switches; ++s) {
    if (hops_[s] == kUnknown) judge_from(s);
  }
}

void TargetTree::judge_from(std::uint32_t start) {
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
      reached_.push_back(path_[i]);
    }
    hops_[path_[i]] = verdict;
  }
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
      routing.lanes.row_of.size() != tables.num_targets() ||
      std::any_of(routing.lanes.lane.begin(), routing.lanes.lane.end(), high)) {
    throw InputError("lanes that do not fit the tables");
  }
}

}  // namespace fatwood
