// SPDX-License-Identifier: BSD-3-Clause
#include "topology/generate/cable_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <queue>

#include "core/error.hpp"
#include "topology/builder.hpp"

namespace fatwood {

Fabric with_terminals(const CableList& list, std::uint32_t terminals) {
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
  std::vector<std::uint32_t> home(terminals);
  for (std::uint32_t t = 0; t < terminals; ++t) {
    const auto [ports, s] = smallest.top();
    if (ports == kMaxPorts) {
      throw InputError(
          fmt::format("only {} of {} terminals find a port: a switch can have {} ports at most", t,
                      terminals, kMaxPorts));
    }
    smallest.pop();
    home[t] = s;
    smallest.emplace(++degree[s], s);
  }

  std::ranges::sort(home);  // terminals are numbered by their switches, as in every fabric

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
    builder.connect(static_cast<FabricBuilder::Handle>(t), Port{1}, switches[home[t]],
                    next_port(home[t]));
  }
  return builder.build();
}

}  // namespace fatwood
