// SPDX-License-Identifier: BSD-3-Clause
#include "routing/shortest/turn_search.hpp"

#include <algorithm>
#include <span>
#include <vector>

#include "core/parallel.hpp"

namespace fatwood {

namespace {

constexpr std::uint8_t kNoPath = 255;  // OpenSM keeps hops in a byte

// The trunk back over the same cables.
Table<Trunk, Trunk> reverse_trunks(const PortGraph& graph) {
  Table<Trunk, Trunk> reverse(graph.num_trunks());
  for (const Switch s : ids<Switch>(graph.size())) {
    for (const Trunk g : graph.trunks(s)) {
      for (const Trunk back : graph.trunks(graph.neighbour(g))) {
        if (graph.neighbour(back) == s) reverse[g] = back;
      }
    }
  }
  return reverse;
}

// Working memory of one thread.
struct TurnSearch {
  const PortGraph& graph;
  const TurnRule& rule;
  const Table<Trunk, Trunk>& reverse;
  Table<Trunk, std::uint8_t> hops;    // to the destination, by this trunk
  Table<Switch, std::uint8_t> least;  // of its trunks
  Table<Switch, Turn> came;           // the step by which it entered the queue
  std::vector<std::uint8_t> waits;
  std::vector<Switch> queue;

  void run(Switch destination) {
    std::ranges::fill(hops, kNoPath);
    std::ranges::fill(least, kNoPath);
    waits.assign(graph.size(), 0);
    queue.assign(1, destination);
    least[destination] = 0;
    came[destination] = rule.first;
    for (std::size_t i = 0; i < queue.size(); ++i) {
      waits[index(queue[i])] = 0;
      step_from(queue[i]);
    }
  }

  void step_from(Switch u) {
    const bool limited = came[u] == rule.before;
    const unsigned next = least[u] + 1U;
    for (const Trunk g : graph.trunks(u)) {
      if (limited && rule.turn[g] == rule.after) continue;
      const Trunk back = reverse[g];
      if (next >= hops[back]) continue;
      const Switch v = graph.neighbour(g);
      hops[back] = static_cast<std::uint8_t>(next);
      least[v] = std::min(least[v], hops[back]);
      if (waits[index(v)] != 0) continue;
      waits[index(v)] = 1;
      came[v] = rule.turn[g];
      queue.push_back(v);
    }
  }

  void write(std::span<std::uint64_t> bits) const {
    for (const Switch s : ids<Switch>(graph.size())) {
      if (least[s] == kNoPath) continue;
      for (const Trunk g : graph.trunks(s)) {
        if (hops[g] == least[s]) bits[index(g) / 64] |= std::uint64_t{1} << (index(g) % 64);
      }
    }
  }
};

}  // namespace

LeadingTrunks search_turns(const PortGraph& graph, const TurnRule& rule, int threads) {
  const Table<Trunk, Trunk> reverse = reverse_trunks(graph);
  const std::size_t n = graph.size();
  const std::size_t words = (graph.num_trunks() + 63) / 64;
  LeadingTrunks leading{{}, std::vector<std::uint64_t>(n * words), words};
  constexpr std::size_t kTogether = 16;  // destinations of one working memory
  parallel_for((n + kTogether - 1) / kTogether, threads, [&](std::size_t block, int) {
    TurnSearch search{graph,
                      rule,
                      reverse,
                      Table<Trunk, std::uint8_t>(graph.num_trunks()),
                      Table<Switch, std::uint8_t>(n),
                      Table<Switch, Turn>(n),
                      {},
                      {}};
    for (std::size_t d = block * kTogether; d < std::min(n, (block + 1) * kTogether); ++d) {
      search.run(static_cast<Switch>(d));
      search.write({leading.bits.data() + d * words, words});
    }
  });
  return leading;
}

Table<Switch, std::uint32_t> hops_from(const PortGraph& graph, std::span<const Switch> sources) {
  Table<Switch, std::uint32_t> hops(graph.size(), kNone<std::uint32_t>);
  std::vector<Switch> queue(sources.begin(), sources.end());
  for (const Switch s : sources) hops[s] = 0;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const Switch s = queue[i];
    for (const Switch n : graph.neighbours(s)) {
      if (hops[n] != kNone<std::uint32_t>) continue;
      hops[n] = hops[s] + 1;
      queue.push_back(n);
    }
  }
  return hops;
}

}  // namespace fatwood
