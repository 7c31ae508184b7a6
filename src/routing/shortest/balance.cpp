// SPDX-License-Identifier: BSD-3-Clause
#include "routing/shortest/balance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/error.hpp"
#include "core/parallel.hpp"
#include "routing/shortest/alternatives.hpp"

namespace fatwood {

namespace {

constexpr std::size_t kRun = 256;                               // destinations of a run, about
constexpr std::size_t kCachedDistances = std::size_t{1} << 18;  // 512 kB, in a cache of each core

void find_alternatives(const PortGraph& graph, const std::uint16_t* distance, std::uint32_t s,
                       Alternatives& found) {
  found.size = 0;
  const std::uint16_t own = distance[s];
  const auto left = static_cast<std::uint16_t>(own & ~kUpward);
  if (left == kFar || left == 0) return;
  const bool upward = (own & kUpward) != 0;
  const auto mask = static_cast<std::uint16_t>(upward ? kFar : 0xffff);
  std::uint8_t trunks = 0;
  for (const Trunk g : upward ? graph.up(Switch{s}) : graph.down(Switch{s})) {
    if ((distance[index(graph.neighbour(g))] & mask) + 1 != left) continue;
    for (const Port port : graph.ports(g)) {
      found.trunk[found.size] = trunks;
      found.port[found.size++] = port;
    }
    ++trunks;
  }
}

// fill() for the 2^lmc addresses of each terminal: first the neighbour that has fewest of the
// terminal's earlier addresses, then the port that has, then the least count.
void fill_spread(const Alternatives& from, Counts& counts, std::size_t amount, unsigned lmc,
                 Port* out) {
  const std::size_t addresses = std::size_t{1} << lmc;
  std::array<std::uint8_t, kSlots> by_trunk;
  std::array<std::uint8_t, kSlots> by_port;
  for (std::size_t i = 0; i < amount; ++i) {
    if (i % addresses == 0) {
      by_trunk.fill(0);
      by_port.fill(0);
    }
    std::uint32_t best = 0;
    std::uint64_t best_key = ~std::uint64_t{0};
    for (std::uint32_t a = 0; a < from.size; ++a) {
      const std::uint32_t port = index(from.port[a]);
      const std::uint64_t key = std::uint64_t{by_trunk[from.trunk[a]]} << 56 |
                                std::uint64_t{by_port[port]} << 48 |
                                std::uint64_t{counts[port]} << kPortBits | port;
      if (key >= best_key) continue;
      best_key = key;
      best = a;
    }
    ++by_trunk[from.trunk[best]];
    ++by_port[index(from.port[best])];
    ++counts[index(from.port[best])];
    out[i * kLine] = from.port[best];
  }
}

// Rows of the destinations of some runs, columns [begin, begin + width). counts: of these switches.
void balance_block(const Fabric& fabric, const PortGraph& graph,
                   const std::vector<std::uint16_t>& distance, const Runs& runs,
                   std::span<const Run> group, std::array<Counts, 3>* counts,
                   ForwardingTables& tables, std::uint32_t begin, std::uint32_t width) {
  std::vector<Alternatives> alternatives(width);
  std::vector<Port> ports;
  Switch at = kNone<Switch>;
  for (const Run& run : group) {
    const std::uint16_t* row = distance.data() + std::size_t{index(run.at)} * graph.size();
    ports.assign(run.count * kLine, kNoRoute);
    const std::span<const Destination> destinations{runs.destinations.data() + run.first,
                                                    run.count};
    const bool spread = tables.lmc() > 0 && run.weight != Weight::kSwitch;
    for (std::uint32_t i = 0; i < width; ++i) {
      Alternatives& from = alternatives[i];
      if (run.at != at) find_alternatives(graph, row, begin + i, from);
      if (begin + i == index(run.at)) {
        for (std::size_t k = 0; k < destinations.size(); ++k) {
          ports[k * kLine + i] = own_port(fabric, tables, destinations[k]);
        }
      } else if (from.size > 0) {
        Counts& counter = counts[i][static_cast<std::size_t>(run.weight)];
        if (spread) {
          fill_spread(from, counter, destinations.size(), tables.lmc(), ports.data() + i);
        } else {
          fill(from, counter, destinations.size(), ports.data() + i);
        }
      }
    }
    at = run.at;
    for (std::size_t k = 0; k < destinations.size(); ++k) {
      std::copy_n(ports.data() + k * kLine, width, tables.row(destinations[k]).data() + begin);
    }
  }
}

void balance_runs(const Fabric& fabric, const PortGraph& graph,
                  const std::vector<std::uint16_t>& distance, const Runs& runs, int threads,
                  ForwardingTables& tables) {
  const std::size_t blocks = (graph.size() + kLine - 1) / kLine;
  std::vector<std::array<Counts, 3>> counts(graph.size());
  // The distances of one group stay in the cache while each block reads them.
  const std::size_t most =
      std::max<std::size_t>(1, kCachedDistances / std::max<std::size_t>(1, graph.size()));
  for (std::size_t first = 0; first < runs.runs.size(); first += most) {
    const std::span<const Run> group =
        std::span(runs.runs).subspan(first, std::min(most, runs.runs.size() - first));
    parallel_for(blocks, threads, [&](std::size_t block, int) {
      const std::size_t begin = block * kLine;
      const std::size_t width = std::min(kLine, graph.size() - begin);
      balance_block(fabric, graph, distance, runs, group, counts.data() + begin, tables,
                    static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(width));
    });
  }
}

}  // namespace

PortMask nearer_ports(const PortGraph& graph, const std::uint16_t* distance, std::uint32_t s) {
  Alternatives found;
  find_alternatives(graph, distance, s, found);
  PortMask mask{};
  for (std::uint32_t i = 0; i < found.size; ++i) put(mask, found.port[i]);
  return mask;
}

std::vector<Terminal> laying_order(const Fabric& fabric, const RouteOptions& options) {
  std::vector<Terminal> order;
  order.reserve(fabric.num_terminals());
  std::vector<char> placed(fabric.num_terminals());
  for (const Terminal t : options.order) {
    if (placed[index(t)] != 0) {
      throw InputError(fmt::format("the order of destinations names {} twice",
                                   port_name(fabric, fabric.terminal_channel(t))));
    }
    placed[index(t)] = 1;
    order.push_back(t);
  }
  // The terminals of a leaf are chained to its first.
  std::vector<std::uint32_t> next(fabric.num_terminals(), index(kNone<Terminal>));
  std::vector<std::uint32_t> last(fabric.num_switches(), index(kNone<Terminal>));
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
    if (placed[index(t)] != 0 || fabric.leaf(t) == kNone<Switch>) continue;
    std::uint32_t& before = last[index(fabric.leaf(t))];
    if (before != index(kNone<Terminal>)) {
      next[before] = index(t);
      placed[index(t)] = 1;
    }
    before = index(t);
  }
  for (const Terminal first : ids<Terminal>(fabric.num_terminals())) {
    if (placed[index(first)] != 0) continue;
    for (Terminal t = first; t != kNone<Terminal>; t = Terminal{next[index(t)]}) {
      order.push_back(t);
    }
  }
  return order;
}

Runs destination_runs(const Model& model, const ForwardingTables& tables,
                      const RouteOptions& options) {
  const Fabric& fabric = model.fabric();
  const Table<Terminal, std::uint8_t>& counted = model.counted();
  Runs result;
  result.destinations.reserve(tables.num_destinations());
  std::vector<char> done(fabric.num_switches());
  const auto push_switch = [&](Switch s) {
    if (s == kNone<Switch> || done[index(s)] != 0) return;
    done[index(s)] = 1;
    result.runs.push_back(
        {s, static_cast<std::uint32_t>(result.destinations.size()), 1, Weight::kSwitch});
    result.destinations.push_back(tables.destination(s));
  };
  Switch open = kNone<Switch>;  // the switch of the run that can still grow
  for (const Terminal t : laying_order(fabric, options)) {
    const Switch leaf = fabric.leaf(t);
    if (leaf == kNone<Switch>) continue;
    const Weight weight = counted[t] != 0 ? Weight::kCounted : Weight::kUncounted;
    if (leaf != open || result.runs.back().weight != weight || result.runs.back().count >= kRun) {
      if (leaf != open) push_switch(open);
      result.runs.push_back(
          {leaf, static_cast<std::uint32_t>(result.destinations.size()), 0, weight});
      open = leaf;
    }
    for (std::uint32_t offset = 0; offset < 1U << tables.lmc(); ++offset) {
      result.destinations.push_back(tables.destination(t, offset));
      ++result.runs.back().count;
    }
  }
  push_switch(open);
  for (const Switch s : ids<Switch>(fabric.num_switches())) push_switch(s);
  return result;
}

ForwardingTables balance(const Model& model, const PortGraph& graph,
                         const std::vector<std::uint16_t>& distance, const RouteOptions& options) {
  const Fabric& fabric = model.fabric();
  ForwardingTables tables(fabric.num_terminals(), graph.size(), options.lmc);
  const Runs runs = destination_runs(model, tables, options);
  balance_runs(fabric, graph, distance, runs, options.threads, tables);
  return tables;
}

ForwardingTables balance_switches(const Fabric& fabric, const PortGraph& graph,
                                  const std::vector<std::uint16_t>& distance,
                                  const RouteOptions& options) {
  ForwardingTables tables(0, graph.size(), 0);
  Runs runs;
  for (const Switch s : ids<Switch>(graph.size())) {
    runs.runs.push_back({s, index(s), 1, Weight::kSwitch});
    runs.destinations.push_back(tables.destination(s));
  }
  balance_runs(fabric, graph, distance, runs, options.threads, tables);
  return tables;
}

}  // namespace fatwood
