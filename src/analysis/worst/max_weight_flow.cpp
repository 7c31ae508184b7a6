// SPDX-License-Identifier: BSD-3-Clause
// Flow of largest total weight, by the primal-dual method: find the longest paths by weight, then a
// blocking flow on their arcs; repeat until the longest path has no weight left. Longest paths are
// found by correcting labels in first-in-first-out order, because weights have both signs in the
// residual network.
//
// Each round reduces the weight of the longest path. The pairs of a routing have few different
// shares, so there are few rounds. With equal weights one round is Dinic's method.
// Cost: rounds * O(V E) at worst.

#include <algorithm>
#include <deque>
#include <limits>
#include <vector>

#include "analysis/worst/flow_network.hpp"

namespace fatwood {

namespace {

using Vertex = FlowNetwork::Vertex;
using Arc = FlowNetwork::Arc;
constexpr std::int64_t kUnreached = std::numeric_limits<std::int64_t>::min() / 4;

struct PrimalDual {
  FlowNetwork& network;
  Vertex source;
  Vertex sink;
  std::vector<std::int64_t> longest;  // weight of the longest path from the source
  std::vector<Arc> at;
  std::vector<char> on_path;

  std::int64_t find_longest() {
    longest.assign(network.num_vertices(), kUnreached);
    std::vector<char> queued(network.num_vertices(), 0);
    std::deque<Vertex> queue{source};
    longest[source] = 0;
    while (!queue.empty()) {
      const Vertex v = queue.front();
      queue.pop_front();
      queued[v] = 0;
      for (Arc a = network.first(v); a != FlowNetwork::kNoArc; a = network.next(a)) {
        const Vertex w = network.to(a);
        if (network.capacity(a) <= 0 || longest[v] + network.weight(a) <= longest[w]) continue;
        longest[w] = longest[v] + network.weight(a);
        if (queued[w] == 0) {
          queued[w] = 1;
          queue.push_back(w);
        }
      }
    }
    return longest[sink];
  }

  // Arcs of longest paths can form cycles of weight 0: a vertex is entered once at a time.
  std::int64_t advance(Vertex v, std::int64_t most) {
    if (v == sink) return most;
    on_path[v] = 1;
    std::int64_t sent = 0;
    for (; at[v] != FlowNetwork::kNoArc; at[v] = network.next(at[v])) {
      const Arc a = at[v];
      const Vertex w = network.to(a);
      if (network.capacity(a) <= 0 || on_path[w] != 0) continue;
      if (longest[v] == kUnreached || longest[v] + network.weight(a) != longest[w]) continue;
      const std::int64_t more = advance(w, std::min(most - sent, network.capacity(a)));
      network.push_flow(a, more);
      sent += more;
      if (sent == most) break;
    }
    on_path[v] = 0;
    return sent;
  }
};

}  // namespace

std::int64_t max_weight_flow(FlowNetwork& network, Vertex source, Vertex sink) {
  PrimalDual state{network, source, sink, {}, {}, {}};
  std::int64_t total = 0;
  for (;;) {
    const std::int64_t gain = state.find_longest();
    if (gain <= 0) return total;
    state.at.resize(network.num_vertices());
    for (Vertex v = 0; v < network.num_vertices(); ++v) state.at[v] = network.first(v);
    state.on_path.assign(network.num_vertices(), 0);
    total += gain * state.advance(source, std::numeric_limits<std::int64_t>::max());
  }
}

}  // namespace fatwood
