// SPDX-License-Identifier: BSD-3-Clause
// A shortest cycle of a dependency graph: see deadlock.hpp for the method and its cost.

#include <algorithm>
#include <limits>
#include <numeric>

#include "verify/deadlock/deadlock.hpp"

namespace fatwood {

namespace {

class CycleSearch {
 public:
  explicit CycleSearch(const DependencyGraph& graph)
      : graph_(graph), alive_(graph.size(), 1), parent_(graph.size()), seen_(graph.size(), kNever) {
    list_predecessors();
    trim();
  }

  std::vector<std::uint32_t> run() {
    std::uint64_t since_trim = 0;
    for (std::uint32_t root = 0; root < graph_.size(); ++root) {
      if (alive_[root] == 0) continue;
      since_trim += search(root);
      alive_[root] = 0;  // all cycles through it are known
      if (since_trim >= edges_) {
        trim();
        since_trim = 0;
      }
    }
    return best_;
  }

 private:
  static constexpr std::uint32_t kNever = 0xffffffffU;

  void list_predecessors() {
    first_before_.assign(graph_.size() + 1, 0);
    for (std::uint32_t v = 0; v < graph_.size(); ++v) {
      graph_.for_each_successor(v, [&](std::uint32_t next) { ++first_before_[next + 1]; });
    }
    std::partial_sum(first_before_.begin(), first_before_.end(), first_before_.begin());
    before_.resize(first_before_.back());
    std::vector<std::uint32_t> fill(first_before_.begin(), first_before_.end() - 1);
    for (std::uint32_t v = 0; v < graph_.size(); ++v) {
      graph_.for_each_successor(v, [&](std::uint32_t next) { before_[fill[next]++] = v; });
    }
  }

  // Removes channels without a predecessor or successor: they are in no cycle.
  void trim() {
    std::vector<std::uint32_t> in(graph_.size(), 0);
    std::vector<std::uint32_t> out(graph_.size(), 0);
    edges_ = 1;
    for (std::uint32_t v = 0; v < graph_.size(); ++v) {
      if (alive_[v] == 0) continue;
      graph_.for_each_successor(v, [&](std::uint32_t next) {
        if (alive_[next] == 0) return;
        ++in[next];
        ++out[v];
        ++edges_;
      });
    }
    std::vector<std::uint32_t> dead;
    const auto kill = [&](std::uint32_t v) {
      if (alive_[v] == 0) return;
      alive_[v] = 0;
      dead.push_back(v);
    };
    for (std::uint32_t v = 0; v < graph_.size(); ++v) {
      if (in[v] == 0 || out[v] == 0) kill(v);
    }
    for (std::size_t i = 0; i < dead.size(); ++i) {
      graph_.for_each_successor(dead[i], [&](std::uint32_t next) {
        if (alive_[next] != 0 && --in[next] == 0) kill(next);
      });
      for (std::uint32_t e = first_before_[dead[i]]; e < first_before_[dead[i] + 1]; ++e) {
        if (alive_[before_[e]] != 0 && --out[before_[e]] == 0) kill(before_[e]);
      }
    }
  }

  // Breadth-first search from root. Takes the first cycle that is shorter than the best so far.
  // Returns the number of edges visited.
  std::uint64_t search(std::uint32_t root) {
    std::uint64_t looked = 0;
    std::vector<std::uint32_t>& front = front_;
    front.assign(1, root);
    seen_[root] = root;
    for (std::size_t length = 1; !front.empty() && length < shortest(); ++length) {
      for (const std::uint32_t v : front) {
        if (!graph_.depends(v, root)) continue;
        take(root, v);
        return looked;
      }
      if (length + 1 >= shortest()) return looked;
      next_.clear();
      for (const std::uint32_t v : front) {
        graph_.for_each_successor(v, [&](std::uint32_t next) {
          ++looked;
          if (alive_[next] == 0 || seen_[next] == root) return;
          seen_[next] = root;
          parent_[next] = v;
          next_.push_back(next);
        });
      }
      std::swap(front, next_);
    }
    return looked;
  }

  std::size_t shortest() const {
    return best_.empty() ? std::numeric_limits<std::size_t>::max() : best_.size();
  }

  void take(std::uint32_t root, std::uint32_t last) {
    best_.clear();
    for (std::uint32_t v = last; v != root; v = parent_[v]) best_.push_back(v);
    best_.push_back(root);
    std::reverse(best_.begin(), best_.end());
  }

  const DependencyGraph& graph_;
  std::vector<std::uint8_t> alive_;
  std::vector<std::uint32_t> first_before_, before_;  // predecessors, CSR
  std::vector<std::uint32_t> parent_;
  std::vector<std::uint32_t> seen_;  // the last root whose search met it
  std::vector<std::uint32_t> front_, next_;
  std::vector<std::uint32_t> best_;
  std::uint64_t edges_ = 1;  // among living channels, at the last trimming
};

}  // namespace

std::vector<std::uint32_t> shortest_cycle(const DependencyGraph& graph) {
  return CycleSearch(graph).run();
}

}  // namespace fatwood
