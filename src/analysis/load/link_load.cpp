// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/load/link_load.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <stdexcept>

#include "analysis/load/even_split.hpp"
#include "core/common_multiple.hpp"
#include "core/parallel.hpp"
#include "topology/channel_speeds.hpp"

namespace fatwood {

namespace {

// The load of one batch of flows by number of paths: units of flow / that number.
using ByPathCount = std::map<std::size_t, Table<Channel, std::int64_t>>;

void add(ByPathCount& loads, const Model& model, const PathSource& paths, const Flow& flow) {
  const PathList list = paths.paths(flow.source, flow.destination);
  if (list.empty()) throw no_path(model, flow.source, flow.destination);
  auto [at, fresh] = loads.try_emplace(list.size());
  if (fresh) at->second.resize(model.fabric().num_channels());
  for (const Channel c : list.all()) at->second[c] += flow.units;
}

void check_total(const Traffic& traffic) {
  __int128 total = 0;
  for (const Flow& flow : traffic.flows) total += flow.units;
  if (total * 1024 > kMostUnits) throw std::overflow_error("the traffic's amounts are too large");
}

}  // namespace

LinkLoads link_loads(const Model& model, const PathSource& paths, const Traffic& traffic,
                     int threads, Weighing weighing) {
  const Fabric& fabric = model.fabric();
  if (const Routing* adaptive = paths.adaptive()) {
    return even_split_loads(model, *adaptive, traffic, threads);
  }
  check_total(traffic);
  // Integer sums do not depend on who adds them up, so each thread keeps its own.
  constexpr std::size_t kBatch = 4096;
  if (traffic.flows.size() <= 2 * kBatch) threads = 1;  // not worth waking a team
  const auto add_batch = [&](std::size_t batch, ByPathCount& loads) {
    const std::size_t end = std::min(traffic.flows.size(), (batch + 1) * kBatch);
    for (std::size_t i = batch * kBatch; i < end; ++i) add(loads, model, paths, traffic.flows[i]);
  };
  const auto part = parallel_with(ByPathCount{}, (traffic.flows.size() + kBatch - 1) / kBatch,
                                  threads, add_batch);
  std::int64_t lcm = 1;
  for (const ByPathCount& loads : part) {
    for (const auto& [count, table] : loads) {
      lcm = common_multiple(lcm, static_cast<std::int64_t>(count), kMostUnits);
      if (lcm == 0) throw std::overflow_error("too many different shares");
    }
  }
  LinkLoads result;
  if (lcm > kMostUnits / traffic.units_in_one) {
    throw std::overflow_error("too many different shares");
  }
  result.units_in_one = lcm * traffic.units_in_one;
  result.units.resize(fabric.num_channels());
  for (const ByPathCount& loads : part) {
    for (const auto& [count, table] : loads) {
      const std::int64_t scale = lcm / static_cast<std::int64_t>(count);
      for (const Channel c : ids<Channel>(fabric.num_channels())) {
        if (table[c] > (kMostUnits - result.units[c]) / scale) {
          throw std::overflow_error("the loads do not fit 62 bits");
        }
        result.units[c] += table[c] * scale;
      }
    }
  }
  return weighing == Weighing::kSpeeds ? weighed(model, std::move(result)) : result;
}

LinkLoads weighed(const Model& model, LinkLoads loads) {
  const ChannelSpeeds& speeds = model.speeds();
  if (speeds.uniform()) return loads;
  if (loads.units_in_one > kMostUnits / speeds.weight_of_one()) {
    throw std::overflow_error("too many different shares and speeds");
  }
  loads.units_in_one *= speeds.weight_of_one();
  for (const Channel c : ids<Channel>(loads.units.size())) {
    if (loads.units[c] > kMostUnits / speeds.weight(c)) {
      throw std::overflow_error("the loads do not fit 62 bits");
    }
    loads.units[c] *= speeds.weight(c);
  }
  return loads;
}

Fraction max_load(const LinkLoads& loads) {
  if (loads.units.empty()) return 0;
  return {*std::max_element(loads.units.begin(), loads.units.end()), loads.units_in_one};
}

std::vector<ChannelLoad> most_loaded(const LinkLoads& loads, std::size_t count) {
  std::vector<Channel> order;
  for (const Channel c : ids<Channel>(loads.units.size())) {
    if (loads.units[c] > 0) order.push_back(c);
  }
  count = std::min(count, order.size());
  std::ranges::partial_sort(order, order.begin() + static_cast<std::ptrdiff_t>(count), {},
                            [&](Channel c) { return std::pair(-loads.units[c], c); });
  std::vector<ChannelLoad> top;
  for (std::size_t i = 0; i < count; ++i) top.push_back({order[i], loads.load(order[i])});
  return top;
}

namespace {

unsigned tree_level(const TreeShape& shape, Node node) {
  unsigned level = 0;
  while (index(node) >= shape.first_at(level + 1)) ++level;
  return level;
}

std::string group_of(const Fabric& fabric, Channel c) {
  const Node from = fabric.owner(c);
  const Node to = fabric.neighbour(c);
  if (fabric.tree()) {
    const unsigned a = tree_level(*fabric.tree(), from);
    const unsigned b = tree_level(*fabric.tree(), to);
    return fmt::format("{} {}-{}", a < b ? "up" : "down", a, b);
  }
  if (!fabric.is_switch(from)) return "from terminals";
  return fabric.is_switch(to) ? "between switches" : "to terminals";
}

}  // namespace

std::vector<LevelLoad> loads_by_level(const Fabric& fabric, const LinkLoads& loads) {
  std::vector<LevelLoad> groups;
  std::vector<std::pair<std::int64_t, __int128>> units;  // by group: the largest, the sum
  Node owner = kNone<Node>;
  Node other = kNone<Node>;
  std::size_t at = 0;
  for (const Channel c : ids<Channel>(fabric.num_channels())) {
    if (!fabric.connected(c)) continue;
    // Names are only made where the kind of channel can change: at another node on either end.
    if (fabric.owner(c) != owner || fabric.neighbour(c) != other) {
      owner = fabric.owner(c);
      other = fabric.neighbour(c);
      const std::string name = group_of(fabric, c);
      const auto found = std::ranges::find(groups, name, &LevelLoad::name);
      at = static_cast<std::size_t>(found - groups.begin());
      if (found == groups.end()) {
        groups.push_back({name, 0, 0, 0});
        units.emplace_back(0, 0);
      }
    }
    ++groups[at].channels;
    units[at].first = std::max(units[at].first, loads.units[c]);
    units[at].second += loads.units[c];
  }
  for (std::size_t i = 0; i < groups.size(); ++i) {
    groups[i].max = {units[i].first, loads.units_in_one};
    groups[i].sum = {static_cast<std::int64_t>(units[i].second), loads.units_in_one};
  }
  return groups;
}

}  // namespace fatwood
