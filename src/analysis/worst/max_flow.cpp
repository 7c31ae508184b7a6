// SPDX-License-Identifier: BSD-3-Clause
// Maximum flow by Dinic's method [Dinic70]: breadth-first levels from the source, then a blocking
// flow by depth-first search along arcs that go one level up; repeated until the sink cannot be
// reached.
// Cost: O(V^2 E) at worst; a few rounds on the bipartite networks used here.

#include <algorithm>
#include <limits>
#include <vector>

#include "analysis/worst/flow_network.hpp"

namespace fatwood {

namespace {

using Vertex = FlowNetwork::Vertex;
using Arc = FlowNetwork::Arc;
constexpr std::uint32_t kNotReached = 0xffffffffU;

struct Dinic {
  FlowNetwork& network;
  Vertex source;
  Vertex sink;
  std::vector<std::uint32_t> level;
  std::vector<Arc> at;  // the arc each vertex tries next

  bool find_levels() {
    level.assign(network.num_vertices(), kNotReached);
    std::vector<Vertex> queue{source};
    level[source] = 0;
    for (std::size_t i = 0; i < queue.size(); ++i) {
      for (Arc a = network.first(queue[i]); a != FlowNetwork::kNoArc; a = network.next(a)) {
        const Vertex v = network.to(a);
        if (network.capacity(a) <= 0 || level[v] != kNotReached) continue;
        level[v] = level[queue[i]] + 1;
        queue.push_back(v);
      }
    }
    return level[sink] != kNotReached;
  }

  // Recursion is as deep as the network has layers: two trees and a row of pairs.
  std::int64_t advance(Vertex v, std::int64_t most) {
    if (v == sink) return most;
    std::int64_t sent = 0;
    for (; at[v] != FlowNetwork::kNoArc; at[v] = network.next(at[v])) {
      const Arc a = at[v];
      const Vertex w = network.to(a);
      if (network.capacity(a) <= 0 || level[w] != level[v] + 1) continue;
      const std::int64_t more = advance(w, std::min(most - sent, network.capacity(a)));
      network.push_flow(a, more);
      sent += more;
      if (sent == most) return sent;  // the arc may have room left: try it again next time
    }
    return sent;
  }
};

}  // namespace

std::int64_t max_flow(FlowNetwork& network, Vertex source, Vertex sink) {
  Dinic dinic{network, source, sink, {}, {}};
  std::int64_t total = 0;
  while (dinic.find_levels()) {
    dinic.at.resize(network.num_vertices());
    for (Vertex v = 0; v < network.num_vertices(); ++v) dinic.at[v] = network.first(v);
    total += dinic.advance(source, std::numeric_limits<std::int64_t>::max());
  }
  return total;
}

}  // namespace fatwood
