// SPDX-License-Identifier: BSD-3-Clause
#include "routing/shortest/opensm_balance.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "core/parallel.hpp"
#include "routing/shortest/alternatives.hpp"
#include "routing/shortest/balance.hpp"

namespace fatwood {

namespace {

constexpr std::size_t kRunOfLeaf = 256;  // destinations of a run at most

// The order of OpenSM's map of switches.
std::uint64_t map_key(std::uint64_t guid) { return __builtin_bswap64(guid); }

std::vector<Terminal> opensm_order(const Fabric& fabric, const RouteOptions& options) {
  const Table<Switch, std::uint32_t> end_ports = terminals_on(fabric);
  std::vector<Terminal> order = laying_order(fabric, options);  // checks options.order
  const auto key = [&](Terminal t) {
    const Switch leaf = fabric.leaf(t);
    return std::tuple(~end_ports[leaf], map_key(fabric.guid(fabric.node(leaf))),
                      fabric.leaf_port(t));
  };
  const auto rest = order.begin() + static_cast<std::ptrdiff_t>(options.order.size());
  const auto cabled = [&](Terminal t) { return fabric.leaf(t) != kNone<Switch>; };
  order.erase(std::stable_partition(rest, order.end(), cabled), order.end());
  std::ranges::sort(order.begin() + static_cast<std::ptrdiff_t>(options.order.size()), order.end(),
                    {}, key);
  return order;
}

Weight weight_of(const Model& model, Terminal t) {
  const ModelHints& hints = model.hints();
  const bool excluded = std::ranges::binary_search(hints.uncounted, t) ||
                        (!hints.compute.empty() && !std::ranges::binary_search(hints.compute, t));
  return excluded ? Weight::kUncounted : Weight::kCounted;
}

// Runs of one address number each, in OpenSM's order. The switches follow the first addresses.
Runs opensm_runs(const Model& model, const ForwardingTables& tables, const RouteOptions& options) {
  const Fabric& fabric = model.fabric();
  Runs result;
  bool fresh = true;  // no run of this address number yet
  const auto add = [&](Switch at, Destination destination, Weight weight) {
    const bool grows = !fresh && result.runs.back().at == at &&
                       result.runs.back().weight == weight && result.runs.back().count < kRunOfLeaf;
    fresh = false;
    if (!grows) {
      result.runs.push_back(
          {at, static_cast<std::uint32_t>(result.destinations.size()), 0, weight});
    }
    ++result.runs.back().count;
    result.destinations.push_back(destination);
  };
  const std::vector<Terminal> order = opensm_order(fabric, options);
  for (std::uint32_t offset = 0; offset < 1U << tables.lmc(); ++offset) {
    fresh = true;
    for (const Terminal t : order) {
      if (fabric.leaf(t) == kNone<Switch>) continue;
      add(fabric.leaf(t), tables.destination(t, offset), weight_of(model, t));
    }
    if (offset > 0) continue;
    for (const Switch s : ids<Switch>(fabric.num_switches())) {
      add(s, tables.destination(s), Weight::kSwitch);
    }
  }
  return result;
}

// The alternatives of a switch, with the switches that they lead to.
struct LeadingPorts : Alternatives {
  std::array<Switch, kSlots> to;
};

class OpensmBlock {
 public:
  OpensmBlock(const Model& model, const LeadingTrunks& leading, const Runs& runs,
              ForwardingTables& tables, std::uint32_t begin, std::uint32_t width)
      : fabric_(model.fabric()),
        graph_(model.port_graph()),
        leading_(leading),
        runs_(runs),
        tables_(tables),
        begin_(begin),
        width_(width),
        counts_(width),
        alternatives_(width) {}

  void route() {
    std::vector<Port> ports;
    Switch at = kNone<Switch>;
    for (const Run& run : runs_.runs) {
      ports.assign(run.count * kLine, kNoRoute);
      const std::span<const Destination> destinations{runs_.destinations.data() + run.first,
                                                      run.count};
      for (std::uint32_t i = 0; i < width_; ++i) {
        if (run.at != at) find_ports(index(run.at), begin_ + i, alternatives_[i]);
        route_run(run, destinations, i, ports.data() + i);
      }
      at = run.at;
      for (std::size_t k = 0; k < destinations.size(); ++k) {
        std::copy_n(ports.data() + k * kLine, width_, tables_.row(destinations[k]).data() + begin_);
      }
    }
  }

 private:
  // Adds the ports of the trunks of s that lead(g).
  template <class Leads>
  void add_ports(std::uint32_t s, LeadingPorts& found, const Leads& leads) const {
    std::uint32_t size = 0;
    for (const Trunk g : graph_.trunks(Switch{s})) {
      if (!leads(g)) continue;
      for (const Port port : graph_.ports(g)) {
        found.to[size] = graph_.neighbour(g);
        found.port[size++] = port;
      }
    }
    found.size = size;
  }

  void find_ports(std::uint32_t destination, std::uint32_t s, LeadingPorts& found) const {
    found.size = 0;
    if (destination == s) return;
    if (leading_.bits.empty()) {
      const std::uint16_t* hops = leading_.hops.data() + std::size_t{destination} * graph_.size();
      const int nearer = hops[s] - 1;
      add_ports(s, found, [&](Trunk g) { return hops[index(graph_.neighbour(g))] == nearer; });
    } else {
      const std::uint64_t* bits = leading_.bits.data() + destination * leading_.words;
      add_ports(s, found,
                [&](Trunk g) { return (bits[index(g) / 64] >> (index(g) % 64) & 1) != 0; });
    }
    if (tables_.lmc() > 0) sort_by_port(found);
  }

  static void sort_by_port(LeadingPorts& found) {
    for (std::uint32_t i = 1; i < found.size; ++i) {
      for (std::uint32_t k = i; k > 0 && found.port[k - 1] > found.port[k]; --k) {
        std::swap(found.port[k - 1], found.port[k]);
        std::swap(found.to[k - 1], found.to[k]);
      }
    }
  }

  // The entries of switch begin_ + i; out gets one every kLine bytes.
  void route_run(const Run& run, std::span<const Destination> destinations, std::uint32_t i,
                 Port* out) {
    const LeadingPorts& from = alternatives_[i];
    const bool observes = run.weight == Weight::kSwitch;
    Counts& counts = counts_[i][run.weight == Weight::kUncounted ? 1 : 0];
    const std::uint32_t offset =
        observes ? 0 : index(destinations.front()) & ((1U << tables_.lmc()) - 1);
    if (begin_ + i == index(run.at)) {
      for (std::size_t k = 0; k < destinations.size(); ++k) {
        out[k * kLine] = own_port(fabric_, tables_, destinations[k]);
      }
    } else if (from.size == 0) {
      return;
    } else if (observes) {
      *out = least_used(from, counts);
    } else if (offset == 0) {
      fill(from, counts, destinations.size(), out);
    } else {
      for (std::size_t k = 0; k < destinations.size(); ++k) {
        const std::uint32_t best = next_address(from, counts, destinations[k], offset, begin_ + i);
        out[k * kLine] = from.port[best];
        ++counts[index(from.port[best])];
      }
    }
  }

  // A later address of a terminal; the index of its port in `from`.
  std::uint32_t next_address(const LeadingPorts& from, const Counts& counts,
                             Destination destination, std::uint32_t offset, std::uint32_t s) const {
    std::array<Switch, 1U << 7U> used;  // by the earlier addresses
    std::uint32_t start = 0;            // after the port of the last of them
    for (std::uint32_t k = 0; k < offset; ++k) {
      const auto earlier = static_cast<Destination>(index(destination) - offset + k);
      const Port port = tables_.row(earlier)[s];
      const auto at = static_cast<std::uint32_t>(
          std::find(from.port.begin(), from.port.begin() + from.size, port) - from.port.begin());
      used[k] = from.to[at];
      start = at + 1;
    }
    const auto system = [&](Switch n) { return fabric_.hardware(fabric_.node(n)).system_guid; };
    struct Best {
      std::uint32_t at = kNone<std::uint32_t>, count = kNone<std::uint32_t>;
    } other_system, other_node, any;
    std::size_t fewest_uses = kNone<std::uint32_t>;
    for (std::uint32_t i = 0; i < from.size; ++i) {
      const std::uint32_t at = (start + i) % from.size;
      const std::uint32_t count = counts[index(from.port[at])];
      const std::span<const Switch> before{used.data(), offset};
      const auto uses = static_cast<std::size_t>(std::ranges::count(before, from.to[at]));
      if (std::ranges::find(before, system(from.to[at]), system) == before.end()) {
        if (count < other_system.count) other_system = {at, count};
      } else if (uses == 0) {
        if (count < other_node.count) other_node = {at, count};
      }
      if (count < any.count) {
        any = {at, count};
        fewest_uses = std::min(fewest_uses, uses);
      } else if (count == any.count && uses < fewest_uses) {
        any = {at, count};
        fewest_uses = uses;
      }
    }
    if (other_system.at != kNone<std::uint32_t>) return other_system.at;
    return other_node.at != kNone<std::uint32_t> ? other_node.at : any.at;
  }

  const Fabric& fabric_;
  const PortGraph& graph_;
  const LeadingTrunks& leading_;
  const Runs& runs_;
  ForwardingTables& tables_;
  std::uint32_t begin_, width_;
  std::vector<std::array<Counts, 2>> counts_;  // of counted and uncounted terminals
  std::vector<LeadingPorts> alternatives_;
};

}  // namespace

ForwardingTables opensm_balance(const Model& model, const LeadingTrunks& leading,
                                const RouteOptions& options) {
  const Fabric& fabric = model.fabric();
  const std::size_t n = fabric.num_switches();
  ForwardingTables tables(fabric.num_terminals(), n, options.lmc);
  const Runs runs = opensm_runs(model, tables, options);
  parallel_for((n + kLine - 1) / kLine, options.threads, [&](std::size_t block, int) {
    const std::size_t begin = block * kLine;
    OpensmBlock(model, leading, runs, tables, static_cast<std::uint32_t>(begin),
                static_cast<std::uint32_t>(std::min(kLine, n - begin)))
        .route();
  });
  return tables;
}

}  // namespace fatwood
