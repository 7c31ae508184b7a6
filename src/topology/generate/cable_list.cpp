// SPDX-License-Identifier: BSD-3-Clause
#include "topology/generate/cable_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <queue>

#include "core/error.hpp"
#include "topology/builder.hpp"

namespace fatwood {

namespace {
constexpr std::uint64_t kMaxSwitches = 1U << 20;
constexpr std::uint64_t kMaxCables = 1U << 23;
}  // namespace

void check_cables(std::uint64_t cables) {
  if (cables <= kMaxCables) return;
  throw InputError(
      fmt::format("a formula makes at most {} cables, and this one has {}", kMaxCables, cables));
}

Fabric with_terminals(const CableList& list, std::uint32_t terminals) {
  check_cables(list.cables.size() + terminals);
  std::vector<std::uint32_t> degree(list.switches);
  for (const auto& [a, b] : list.cables) {
    ++degree[a];
    ++degree[b];
  }
  using Candidate = std::pair<std::uint32_t, std::uint32_t>;
  std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> smallest;
  for (std::uint32_t s = 0; s < list.switches; ++s) {
    if (degree[s] > kMaxPorts) {
      throw InputError(
          fmt::format("switch {} would have {} links: {} ports at most", s, degree[s], kMaxPorts));
    }
    smallest.emplace(degree[s], s);
  }
  std::vector<std::uint32_t> switch_of(terminals);
  for (std::uint32_t t = 0; t < terminals; ++t) {
    const auto [ports, s] = smallest.top();
    if (ports == kMaxPorts) {
      throw InputError(
          fmt::format("only {} of {} terminals find a port: a switch can have {} ports at most", t,
                      terminals, kMaxPorts));
    }
    smallest.pop();
    switch_of[t] = s;
    smallest.emplace(++degree[s], s);
  }

  std::ranges::sort(switch_of);  // terminals are numbered by their switches, as in every fabric

  FabricBuilder builder;
  std::vector<FabricBuilder::Handle> switches;
  std::vector<std::uint32_t> used(list.switches);
  const auto next_port = [&](std::uint32_t s) { return static_cast<Port>(++used[s]); };
  for (std::uint32_t t = 0; t < terminals; ++t) builder.add_adapter(fmt::format("H{}", t), 1);
  for (std::uint32_t s = 0; s < list.switches; ++s) {
    switches.push_back(builder.add_switch(fmt::format("S{}", s), degree[s]));
  }
  for (const auto& [a, b] : list.cables) {
    const Port port_a = next_port(a);
    const Port port_b = next_port(b);
    builder.connect(switches[a], port_a, switches[b], port_b);
  }
  for (std::uint32_t t = 0; t < terminals; ++t) {
    builder.connect(static_cast<FabricBuilder::Handle>(t), Port{1}, switches[switch_of[t]],
                    next_port(switch_of[t]));
  }
  return builder.build();
}

CableList make_ring(std::uint32_t switches) {
  if (switches < 3)
    throw InputError(fmt::format("a ring needs at least 3 switches, not {}", switches));
  return make_torus({switches}, 1);
}

CableList make_torus(const std::vector<std::uint32_t>& dimensions, std::uint32_t wrapped) {
  std::uint64_t switches = 1;
  for (std::size_t i = 0; i < dimensions.size(); ++i) {
    if (dimensions[i] < 2) {
      throw InputError(fmt::format("dimension {} is {}: 2 at least", i + 1, dimensions[i]));
    }
    switches *= dimensions[i];
    if (switches > kMaxSwitches) {
      throw InputError(fmt::format("dimension {} is {}: that makes more than {} switches", i + 1,
                                   dimensions[i], kMaxSwitches));
    }
  }
  if (wrapped > dimensions.size()) {
    throw InputError(
        fmt::format("wrap is {}: there are {} dimensions", wrapped, dimensions.size()));
  }
  CableList list{static_cast<std::uint32_t>(switches), {}};
  std::uint32_t stride = list.switches;
  for (std::size_t i = 0; i < dimensions.size(); ++i) {
    const std::uint32_t length = dimensions[i];
    stride /= length;
    const bool closed = length > 2 && i + wrapped >= dimensions.size();
    for (std::uint32_t s = 0; s < list.switches; ++s) {
      const std::uint32_t x = s / stride % length;
      if (x + 1 < length) {
        list.cables.emplace_back(s, s + stride);
      } else if (closed) {
        list.cables.emplace_back(s, s - (length - 1) * stride);
      }
    }
  }
  return list;
}

CableList make_hypercube(std::uint32_t dimension) {
  if (dimension < 1 || dimension > 20) {
    throw InputError(fmt::format("a hypercube of dimension {}: 1 to 20", dimension));
  }
  return make_torus(std::vector<std::uint32_t>(dimension, 2), dimension);
}

}  // namespace fatwood
