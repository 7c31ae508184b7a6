// SPDX-License-Identifier: BSD-3-Clause
#include "verify/mixture.hpp"

#include <vector>

#include "routing/tables/row_differences.hpp"

namespace fatwood {

Mixture::Hops Mixture::hops_at(Destination destination, std::uint32_t s) const {
  const Port before = old_.row(destination)[s];
  const Port after = after_.row(destination)[s];
  return {.entry = {before, after},
          .hop = {map_.at(s, before), map_.at(s, after)},
          .count = before == after ? 1U : 2U};
}

bool Mixture::sends_in(Destination destination, std::uint32_t s, unsigned lane) const {
  const auto is = [&](const Lanes* lanes) {
    return (lanes == nullptr ? 0U : lanes->at(destination, Switch{s})) == lane;
  };
  return is(lanes_.old) || is(lanes_.after);
}

void Mixture::add(Destination destination, std::span<DependencyGraph> graphs) const {
  const std::size_t switches = old_.num_switches();
  std::vector<std::uint8_t> seen(switches);
  for (unsigned lane = 0; lane < graphs.size(); ++lane) {
    std::ranges::fill(seen, 0);
    std::vector<std::uint32_t> reached;
    for (std::uint32_t s = 0; s < switches; ++s) {
      if (!sends_in(destination, s, lane)) continue;
      seen[s] = 1;
      reached.push_back(s);
    }
    for (std::size_t i = 0; i < reached.size(); ++i) {
      add_from(destination, reached[i], graphs[lane]);
      const Hops hops = hops_at(destination, reached[i]);
      for (unsigned j = 0; j < hops.count; ++j) {
        if (!hops.hop[j].to_switch() || seen[hops.hop[j].next()] != 0) continue;
        seen[hops.hop[j].next()] = 1;
        reached.push_back(hops.hop[j].next());
      }
    }
  }
}

std::optional<MixedLoop> Mixture::loop_of(Destination destination) const {
  const auto before = old_.row(destination);
  const auto after = after_.row(destination);
  enum : std::uint8_t { kNew, kOpen, kDone };
  std::vector<std::uint8_t> state(before.size(), kNew);
  struct Step {
    std::uint32_t at;
    unsigned next;
  };
  for (std::uint32_t start = 0; start < before.size(); ++start) {
    if (state[start] != kNew) continue;
    std::vector<Step> path{{start, 0}};
    state[start] = kOpen;
    while (!path.empty()) {
      Step& step = path.back();
      const Hops hops = hops_at(destination, step.at);
      if (step.next == hops.count) {
        state[step.at] = kDone;
        path.pop_back();
        continue;
      }
      const Hop hop = hops.hop[step.next++];
      if (!hop.to_switch() || state[hop.next()] == kDone) continue;
      if (state[hop.next()] == kNew) {
        state[hop.next()] = kOpen;
        path.push_back({hop.next(), 0});
        continue;
      }
      MixedLoop loop{.destination = destination, .switches = {}, .written = {}};
      const auto first =
          std::ranges::find(path, hop.next(), [](const Step& taken) { return taken.at; });
      for (auto taken = first; taken != path.end(); ++taken) {
        const Switch s{taken->at};
        loop.switches.push_back(s);
        if (before[taken->at] != after[taken->at] && taken->next == 2) loop.written.push_back(s);
      }
      return loop;
    }
  }
  return std::nullopt;
}

// Adds dependencies of entries that change, and of entries that lead to them.
void Mixture::add_changes(Destination destination, DependencyGraph& graph) const {
  for_each_difference(old_.row(destination), after_.row(destination), [&](std::uint32_t s) {
    add_from(destination, s, graph);
    for (const Switch from : graph_.neighbours(Switch{s})) {
      add_from(destination, index(from), graph);
    }
  });
}

void Mixture::add_from(Destination destination, std::uint32_t u, DependencyGraph& graph) const {
  const Hops from = hops_at(destination, u);
  for (unsigned i = 0; i < (pairs_ == Which::kOld ? 1U : from.count); ++i) {
    if (!from.hop[i].to_switch()) continue;
    const std::uint32_t s = from.hop[i].next();
    const Channel in = fabric_.channel(fabric_.node(Switch{s}), from.hop[i].arrival());
    const Hops on = hops_at(destination, s);
    for (unsigned j = 0; j < (pairs_ == Which::kOld ? 1U : on.count); ++j) {
      if (on.hop[j].to_switch()) graph.add(graph.vertex(in), index(on.entry[j]));
    }
  }
}

}  // namespace fatwood
