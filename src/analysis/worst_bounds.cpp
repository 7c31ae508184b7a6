#include "analysis/worst_bounds.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <numeric>

#include "analysis/flow_network.hpp"
#include "analysis/link_load.hpp"
#include "core/parallel.hpp"

namespace fatwood {

namespace {

constexpr std::size_t kTogether = 32;  // channels whose pairs are in memory at once

struct PairArc {
  Terminal source;
  Terminal destination;
  std::int64_t weight;  // in units of 1/units_in_one
};

// Terminals by leaf switch, and what each leaf may send.
struct Leaves {
  std::vector<std::vector<Terminal>> terminals;  // by leaf, those without one each alone
  std::vector<std::uint32_t> leaf_of;            // by terminal
  std::vector<std::int64_t> cables;              // of the leaf to other switches
};

Leaves leaves_of(const Fabric& fabric) {
  Leaves leaves;
  std::map<Switch, std::uint32_t> number;
  leaves.leaf_of.resize(fabric.num_terminals());
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
    const Switch leaf = fabric.leaf(t);
    auto next = static_cast<std::uint32_t>(leaves.terminals.size());
    if (leaf != kNone<Switch>) next = number.try_emplace(leaf, next).first->second;
    if (next == leaves.terminals.size()) {
      leaves.terminals.emplace_back();
      std::int64_t cables = leaf == kNone<Switch> ? 1 : 0;
      if (leaf != kNone<Switch>) {
        const Node node = fabric.node(leaf);
        for (Port port = 1; port <= fabric.ports(node); ++port) {
          const Channel c = fabric.channel(node, port);
          if (fabric.connected(c) && fabric.is_switch(fabric.neighbour(c))) ++cables;
        }
      }
      leaves.cables.push_back(cables);
    }
    leaves.terminals[next].push_back(t);
    leaves.leaf_of[index(t)] = next;
  }
  return leaves;
}

enum class End { kSource, kDestination };

// For each channel, the sum over leaves of what the leaf's terminals that are such an end of its
// pairs may carry, in units.
std::vector<std::int64_t> end_counts(const Fabric& fabric, const PathSource& paths,
                                     const Leaves& leaves, End end, const WorstOptions& options) {
  const auto units = static_cast<std::int64_t>(paths.units_in_one());
  const int threads = thread_count(options.threads);
  const std::size_t channels = fabric.num_channels();
  std::vector<std::vector<std::int64_t>> total(static_cast<std::size_t>(threads));
  parallel_for(leaves.terminals.size(), options.threads, [&](std::size_t leaf, int thread) {
    auto& sum = total[static_cast<std::size_t>(thread)];
    if (sum.empty()) sum.assign(channels, 0);
    std::vector<std::int64_t> of_leaf(channels, 0);
    std::vector<std::int64_t> of_one(channels, 0);
    for (const Terminal a : leaves.terminals[leaf]) {
      std::fill(of_one.begin(), of_one.end(), 0);
      for (const Terminal b : ids<Terminal>(fabric.num_terminals())) {
        if (a == b) continue;
        const PathList list = end == End::kSource ? paths.paths(a, b) : paths.paths(b, a);
        if (list.empty()) continue;
        const std::int64_t share = units / static_cast<std::int64_t>(list.size());
        if (list.size() == 1) {
          for (const Channel c : list.all()) of_one[index(c)] = std::max(of_one[index(c)], share);
          continue;
        }
        // The largest share of any one pair: paths of a pair that meet on a channel add up.
        std::map<Channel, std::int64_t> here;
        for (const Channel c : list.all()) here[c] += share;
        for (const auto& [c, weight] : here) of_one[index(c)] = std::max(of_one[index(c)], weight);
      }
      for (std::size_t c = 0; c < channels; ++c) of_leaf[c] += of_one[c];
    }
    const std::int64_t most = options.traffic == TrafficClass::kAny
                                  ? leaves.cables[leaf] * units
                                  : std::numeric_limits<std::int64_t>::max();
    for (std::size_t c = 0; c < channels; ++c) sum[c] += std::min(of_leaf[c], most);
  });
  std::vector<std::int64_t> counts(channels, 0);
  for (const auto& part : total) {
    for (std::size_t c = 0; c < part.size(); ++c) counts[c] += part[c];
  }
  return counts;
}

// The pairs of each of the chosen channels.
std::vector<std::vector<PairArc>> pairs_of(const Fabric& fabric, const PathSource& paths,
                                           std::span<const Channel> chosen, int threads) {
  std::vector<std::uint32_t> slot(fabric.num_channels(), 0xffffffffU);
  for (std::uint32_t i = 0; i < chosen.size(); ++i) slot[index(chosen[i])] = i;
  const std::size_t terminals = fabric.num_terminals();
  std::vector<std::vector<std::pair<std::uint32_t, PairArc>>> found(terminals);
  parallel_for(terminals, threads, [&](std::size_t i, int) {
    const auto s = static_cast<Terminal>(i);
    for (const Terminal d : ids<Terminal>(terminals)) {
      if (s == d) continue;
      const PathList list = paths.paths(s, d);
      if (list.empty()) continue;
      const std::int64_t share = paths.units_in_one() / static_cast<std::int64_t>(list.size());
      for (const Channel c : list.all()) {
        if (slot[index(c)] == 0xffffffffU) continue;
        auto& mine = found[i];
        if (!mine.empty() && mine.back().first == slot[index(c)] &&
            mine.back().second.destination == d) {
          mine.back().second.weight += share;
        } else {
          mine.push_back({slot[index(c)], {s, d, share}});
        }
      }
    }
  });
  std::vector<std::vector<PairArc>> pairs(chosen.size());
  for (auto& mine : found) {
    for (const auto& [i, arc] : mine) pairs[i].push_back(arc);
  }
  return pairs;
}

struct Solved {
  std::int64_t weight = 0;
  std::vector<Flow> flows;
};

// Vertices: source, sink, terminals as sources, terminals as destinations, leaves likewise.
Solved solve(const Fabric& fabric, const Leaves& leaves, const std::vector<PairArc>& arcs,
             TrafficClass traffic) {
  const auto terminals = static_cast<std::uint32_t>(fabric.num_terminals());
  const auto count = static_cast<std::uint32_t>(leaves.terminals.size());
  FlowNetwork network(2 + 2 * std::size_t{terminals} + 2 * std::size_t{count});
  const std::uint32_t to = 2 + terminals;
  const std::uint32_t from_leaf = to + terminals;
  const std::uint32_t to_leaf = from_leaf + count;
  std::vector<char> sends(terminals, 0);
  std::vector<char> receives(terminals, 0);
  for (const PairArc& arc : arcs) sends[index(arc.source)] = receives[index(arc.destination)] = 1;
  for (std::uint32_t leaf = 0; leaf < count; ++leaf) {
    const std::int64_t most = traffic == TrafficClass::kAny ? leaves.cables[leaf] : terminals;
    network.add_arc(0, from_leaf + leaf, most);
    network.add_arc(to_leaf + leaf, 1, most);
  }
  for (std::uint32_t t = 0; t < terminals; ++t) {
    if (sends[t] != 0) network.add_arc(from_leaf + leaves.leaf_of[t], 2 + t, 1);
    if (receives[t] != 0) network.add_arc(to + t, to_leaf + leaves.leaf_of[t], 1);
  }
  const auto first = static_cast<FlowNetwork::Arc>(network.num_arcs());
  bool equal = true;
  for (const PairArc& arc : arcs) {
    network.add_arc(2 + index(arc.source), to + index(arc.destination), 1, arc.weight);
    equal = equal && arc.weight == arcs.front().weight;
  }
  Solved solved;
  solved.weight = arcs.empty() ? 0
                  : equal      ? arcs.front().weight * max_flow(network, 0, 1)
                               : max_weight_flow(network, 0, 1);
  for (std::uint32_t i = 0; i < arcs.size(); ++i) {
    if (network.flow(first + 2 * i) == 0) continue;
    solved.flows.push_back({arcs[i].source, arcs[i].destination, network.flow(first + 2 * i)});
  }
  return solved;
}

}  // namespace

double even_split_load(const Fabric& fabric, const Traffic& traffic) {
  std::map<Switch, std::vector<const Flow*>> by_leaf;
  std::vector<double> load(fabric.num_channels(), 0);
  for (const Flow& flow : traffic.flows) {
    const double amount = traffic.amount(flow).value();
    load[index(fabric.terminal_channel(flow.source))] += amount;
    load[index(fabric.peer(fabric.terminal_channel(flow.destination)))] += amount;
    if (fabric.leaf(flow.destination) != kNone<Switch>) {
      by_leaf[fabric.leaf(flow.destination)].push_back(&flow);
    }
  }
  for (const auto& [leaf, flows] : by_leaf) {
    std::vector<std::uint32_t> hops(fabric.num_switches(), 0xffffffffU);
    std::vector<double> amount(fabric.num_switches(), 0);
    std::vector<Switch> order{leaf};
    hops[index(leaf)] = 0;
    const auto each_cable = [&](Switch s, const auto& visit) {
      const Node node = fabric.node(s);
      for (Port port = 1; port <= fabric.ports(node); ++port) {
        const Channel c = fabric.channel(node, port);
        if (fabric.connected(c) && fabric.is_switch(fabric.neighbour(c))) {
          visit(c, fabric.as_switch(fabric.neighbour(c)));
        }
      }
    };
    for (std::size_t i = 0; i < order.size(); ++i) {
      each_cable(order[i], [&](Channel, Switch next) {
        if (hops[index(next)] != 0xffffffffU) return;
        hops[index(next)] = hops[index(order[i])] + 1;
        order.push_back(next);
      });
    }
    for (const Flow* flow : flows) {
      if (fabric.leaf(flow->source) == kNone<Switch>) continue;
      amount[index(fabric.leaf(flow->source))] += traffic.amount(*flow).value();
    }
    for (std::size_t i = order.size(); i-- > 1;) {
      const Switch s = order[i];
      if (amount[index(s)] == 0) continue;
      unsigned ways = 0;
      each_cable(s, [&](Channel, Switch next) {
        if (hops[index(next)] + 1 == hops[index(s)]) ++ways;
      });
      const double part = amount[index(s)] / ways;
      each_cable(s, [&](Channel c, Switch next) {
        if (hops[index(next)] + 1 != hops[index(s)]) return;
        load[index(c)] += part;
        amount[index(next)] += part;
      });
    }
  }
  return load.empty() ? 0 : *std::max_element(load.begin(), load.end());
}

WorstBounds worst_bounds(const Fabric& fabric, const PathSource& paths,
                         const WorstOptions& options) {
  const Leaves leaves = leaves_of(fabric);
  report(options.progress, 0.0, "sources of each channel");
  const auto sources = end_counts(fabric, paths, leaves, End::kSource, options);
  report(options.progress, 0.3, "destinations of each channel");
  const auto destinations = end_counts(fabric, paths, leaves, End::kDestination, options);
  std::vector<Channel> order;
  const auto count = [&](Channel c) { return std::min(sources[index(c)], destinations[index(c)]); };
  for (const Channel c : ids<Channel>(fabric.num_channels())) {
    if (count(c) > 0) order.push_back(c);
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](Channel a, Channel b) { return count(a) > count(b); });

  WorstBounds result;
  std::int64_t best = 0;
  std::vector<Flow> flows;
  std::size_t next = 0;
  const auto most = static_cast<double>(std::max<std::uint64_t>(1, options.most_solved));
  while (next < order.size() && next < options.most_solved && count(order[next]) > best) {
    report(options.progress, 0.6 + 0.4 * static_cast<double>(next) / most,
           "flows on the heaviest channels");
    const std::size_t together =
        std::min({kTogether, order.size() - next, std::size_t{options.most_solved} - next});
    const std::span<const Channel> chosen(order.data() + next, together);
    const auto arcs = pairs_of(fabric, paths, chosen, options.threads);
    for (std::size_t i = 0; i < together; ++i) {
      if (count(chosen[i]) <= best) break;
      Solved solved = solve(fabric, leaves, arcs[i], options.traffic);
      ++result.flows_solved;
      if (solved.weight <= best) continue;
      best = solved.weight;
      result.channel = chosen[i];
      flows = std::move(solved.flows);
    }
    next += together;
  }
  const bool all_solved = next >= order.size() || count(order[next]) <= best;
  const auto units = static_cast<std::int64_t>(paths.units_in_one());
  result.load = Fraction(best, units);
  result.at_most = all_solved ? result.load : Fraction(count(order[next]), units);
  result.exact = all_solved && options.traffic == TrafficClass::kPermutation;
  result.traffic = {fabric.num_terminals(), 1, std::move(flows)};
  if (!result.traffic.flows.empty()) {
    const Fraction mload = max_load(link_loads(fabric, paths, result.traffic, options.threads));
    result.oload_at_most = even_split_load(fabric, result.traffic);
    result.ratio_at_least = mload.value() / result.oload_at_most;
  }
  return result;
}

}  // namespace fatwood
