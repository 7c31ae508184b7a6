// SPDX-License-Identifier: BSD-3-Clause
#include "verify/priorities/cycle_with.hpp"

#include <algorithm>

namespace fatwood {

namespace {

constexpr std::size_t kMostSearches = 64;

}  // namespace

CyclesWith::CyclesWith(const DependencyGraph& graph)
    : graph_(graph), component_(graph.size(), kAlone) {
  find_components();
}

void CyclesWith::find_components() {
  struct Frame {
    std::uint32_t at;
    std::vector<std::uint32_t> next;
  };
  std::vector<std::uint32_t> number(graph_.size(), 0), low(graph_.size(), 0), stack;
  std::vector<std::uint8_t> on_stack(graph_.size(), 0);
  std::vector<Frame> path;
  std::uint32_t found = 0, components = 0;
  const auto enter = [&](std::uint32_t v) {
    number[v] = low[v] = ++found;
    stack.push_back(v);
    on_stack[v] = 1;
    path.push_back({v, {}});
    graph_.for_each_successor(v, [&](std::uint32_t next) { path.back().next.push_back(next); });
  };
  for (std::uint32_t root = 0; root < graph_.size(); ++root) {
    if (number[root] == 0) enter(root);
    while (!path.empty()) {
      Frame& frame = path.back();
      const std::uint32_t v = frame.at;
      if (!frame.next.empty()) {
        const std::uint32_t next = frame.next.back();
        frame.next.pop_back();
        if (number[next] == 0) {
          enter(next);
        } else if (on_stack[next] != 0) {
          low[v] = std::min(low[v], number[next]);
        }
        continue;
      }
      path.pop_back();
      if (!path.empty()) low[path.back().at] = std::min(low[path.back().at], low[v]);
      if (low[v] != number[v]) continue;
      const bool cyclic = stack.back() != v || graph_.depends(v, v);
      for (std::uint32_t w = graph_.size(); w != v;) {
        w = stack.back();
        stack.pop_back();
        on_stack[w] = 0;
        if (cyclic) component_[w] = components;
      }
      ++components;
    }
  }
}

bool CyclesWith::any() const {
  return std::ranges::any_of(component_, [](std::uint32_t one) { return one != kAlone; });
}

std::vector<std::uint32_t> CyclesWith::through(std::uint32_t lane) const {
  std::vector<std::uint32_t> best;
  std::size_t searches = 0;
  for (std::uint32_t v = 0; v < graph_.size() && searches < kMostSearches; ++v) {
    if (component_[v] == kAlone || graph_.lane(v) != lane) continue;
    ++searches;
    std::vector<std::uint32_t> cycle =
        through_vertex(v, best.empty() ? graph_.size() + 1 : best.size());
    if (!cycle.empty()) best = std::move(cycle);
  }
  return best;
}

// A shortest cycle through the vertex, if it is shorter than `below`.
std::vector<std::uint32_t> CyclesWith::through_vertex(std::uint32_t start,
                                                      std::size_t below) const {
  std::vector<std::uint32_t> parent(graph_.size(), kAlone), front{start}, next;
  for (std::size_t length = 1; !front.empty() && length < below; ++length) {
    for (const std::uint32_t v : front) {
      if (!graph_.depends(v, start)) continue;
      std::vector<std::uint32_t> cycle{v};
      while (cycle.back() != start) cycle.push_back(parent[cycle.back()]);
      std::ranges::reverse(cycle);
      return cycle;
    }
    next.clear();
    for (const std::uint32_t v : front) {
      graph_.for_each_successor(v, [&](std::uint32_t w) {
        if (component_[w] != component_[start] || parent[w] != kAlone || w == start) return;
        parent[w] = v;
        next.push_back(w);
      });
    }
    front.swap(next);
  }
  return {};
}

}  // namespace fatwood
