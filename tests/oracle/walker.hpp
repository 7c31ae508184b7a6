// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The slow checker of routings: every pair walked one by one, hop by hop, as a packet goes; the
// dependencies collected in plain sets; cycles by depth-first search. Shares no code with verify.

#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "routing/tables/routing.hpp"
#include "verify/reach/endpoint.hpp"
#include "verify/reach/reachability.hpp"

namespace fatwood::oracle {

struct PacketWalk {
  std::vector<Channel> channels;  // from the source's own on
  bool arrives = false;
  bool loops = false;
  std::size_t switches = 0;  // visited
};

PacketWalk walk_packet(const Fabric& fabric, const Routing& routing, const Endpoint& source,
                       Destination destination);
// The same for an end that source routes lead to.
PacketWalk walk_packet(const Fabric& fabric, const Routing& routing, const Endpoint& source,
                       const Endpoint& destination);

using Edges = std::set<std::pair<Channel, Channel>>;

struct Findings {
  PairCounts unreachable;
  std::uint64_t loops = 0;
  std::map<std::size_t, std::uint64_t> terminal_hops;  // pairs by switch-to-switch hops
  std::vector<Edges> dependencies;                     // by lane, packets of all sources
  std::vector<Edges> terminal_dependencies;            // by lane, terminals to terminals
};

Findings walk_all(const Fabric& fabric, const Routing& routing);

bool has_cycle(const Edges& edges);
// 0 when there is none.
std::size_t shortest_cycle_length(const Edges& edges);

}  // namespace fatwood::oracle
