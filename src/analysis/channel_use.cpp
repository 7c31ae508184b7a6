#include "analysis/channel_use.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/parallel.hpp"
#include "routing/target_tree.hpp"
#include "topology/leaves.hpp"

namespace fatwood {

namespace {

struct Worker {
  TargetTree tree;
  std::vector<std::uint64_t> behind;  // sources whose packets come to each switch
  ChannelUse use;
};

void count(ChannelUse& use, Channel c, std::uint64_t flows) {
  use.flows[c] += flows;
  ++use.destinations[c];
}

void add_target(const Fabric& fabric, const ForwardingTables& tables, Target target,
                const Table<Switch, std::uint32_t>& on, Worker& worker) {
  const TargetTree& tree = worker.tree;
  const auto row = tables.row(target);
  const auto reached = tree.reached();
  for (const std::uint32_t s : reached) worker.behind[s] = on[static_cast<Switch>(s)];
  if (reached.empty()) return;
  --worker.behind[reached.front()];  // the target itself
  for (std::size_t i = reached.size(); i-- > 0;) {
    const std::uint32_t s = reached[i];
    if (worker.behind[s] == 0) continue;
    count(worker.use, fabric.channel(fabric.node(static_cast<Switch>(s)), row[s]),
          worker.behind[s]);
    if (i > 0) worker.behind[tree.hop(s).next()] += worker.behind[s];
  }
}

void add_source_routes(const Fabric& fabric, const SourceRoutes& routes, ChannelUse& use) {
  const Table<Switch, std::uint32_t> on = terminals_on(fabric);
  for (const Switch d : ids<Switch>(fabric.num_switches())) {
    if (on[d] == 0) continue;
    // Destinations behind one switch are all carried, or none.
    Table<Channel, std::uint8_t> carries(fabric.num_channels(), 0);
    for (const Switch s : ids<Switch>(fabric.num_switches())) {
      if (on[s] == 0) continue;
      for (const Channel c : routes.at(s, d)) {
        use.flows[c] += std::uint64_t{on[s]} * on[d];
        if (carries[c] == 0) use.destinations[c] += on[d];
        carries[c] = 1;
      }
    }
  }
}

template <class Count>
UseSpread spread(const Fabric& fabric, const Table<Channel, Count>& use) {
  UseSpread result;
  double sum = 0;
  double squares = 0;
  double channels = 0;
  for (const Channel c : ids<Channel>(fabric.num_channels())) {
    if (!fabric.connected(c) || !fabric.is_switch(fabric.owner(c)) ||
        !fabric.is_switch(fabric.neighbour(c))) {
      continue;
    }
    const auto value = static_cast<double>(use[c]);
    result.largest = std::max<std::uint64_t>(result.largest, use[c]);
    sum += value;
    squares += value * value;
    ++channels;
  }
  if (channels == 0) return result;
  result.mean = sum / channels;
  result.deviation = std::sqrt(std::max(0.0, squares / channels - result.mean * result.mean));
  return result;
}

}  // namespace

ChannelUse find_channel_use(const Fabric& fabric, const Routing& routing, int threads) {
  const std::size_t channels = fabric.num_channels();
  const ChannelUse none{Table<Channel, std::uint64_t>(channels, 0),
                        Table<Channel, std::uint32_t>(channels, 0)};
  ChannelUse all = none;
  if (!routing.source_routes.empty()) {
    add_source_routes(fabric, routing.source_routes, all);
    return all;
  }
  const HopMap map(fabric);
  const Table<Switch, std::uint32_t> on = terminals_on(fabric);
  const ForwardingTables& tables = routing.tables;
  std::vector<Worker> workers(
      static_cast<std::size_t>(thread_count(threads)),
      Worker{TargetTree(fabric, map), std::vector<std::uint64_t>(fabric.num_switches()), none});
  parallel_for(
      tables.num_targets() - tables.num_switches(), threads,
      [&](std::size_t item, int thread) {
        Worker& worker = workers[static_cast<std::size_t>(thread)];
        const auto target = static_cast<Target>(item);
        worker.tree.follow(tables, target);
        add_target(fabric, tables, target, on, worker);
      },
      16);
  for (const Worker& worker : workers) {
    for (const Channel c : ids<Channel>(channels)) {
      all.flows[c] += worker.use.flows[c];
      all.destinations[c] += worker.use.destinations[c];
    }
  }
  return all;
}

UseSpread spread_of_flows(const Fabric& fabric, const ChannelUse& use) {
  return spread(fabric, use.flows);
}

UseSpread spread_of_destinations(const Fabric& fabric, const ChannelUse& use) {
  return spread(fabric, use.destinations);
}

}  // namespace fatwood
