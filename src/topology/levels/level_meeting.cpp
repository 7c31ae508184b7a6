// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "topology/levels/level_steps.hpp"

namespace fatwood {
namespace {

constexpr std::size_t kSampledLeaves = 64;

// Marks the leaves that can be reached from a leaf by going up and then down.
class Walker {
 public:
  Walker(const PortGraph& graph, const Table<Switch, Level>& level)
      : mark_(graph.size()), is_leaf_(graph.size()) {
    first_.reserve(graph.size() + 1);
    first_down_.reserve(graph.size());
    for (const Switch s : ids<Switch>(graph.size())) {
      first_.push_back(static_cast<std::uint32_t>(next_.size()));
      for (const Switch to : graph.neighbours(s)) {
        if (level[to] > level[s]) next_.push_back(to);
      }
      first_down_.push_back(static_cast<std::uint32_t>(next_.size()));
      for (const Switch to : graph.neighbours(s)) {
        if (level[to] < level[s]) next_.push_back(to);
      }
    }
    first_.push_back(static_cast<std::uint32_t>(next_.size()));
  }

  void add_leaf(Switch s) { is_leaf_[s] = 1; }

  // Stops as soon as all leaves of the component are marked. Goes down from the highest switch
  // first: in a complete tree that is enough.
  const Table<Switch, std::uint32_t>& from(Switch leaf, std::size_t leaves) {
    ++walk_;
    missing_ = leaves;
    reached_.clear();
    mark(leaf);
    for (std::size_t i = 0; i < reached_.size(); ++i) {
      const std::uint32_t s = index(reached_[i]);
      mark_all(first_[s], first_down_[s]);
    }
    for (std::size_t up = reached_.size(); up-- > 0 && missing_ > 0;) {
      const std::size_t before = reached_.size();
      go_down(reached_[up]);
      for (std::size_t i = before; i < reached_.size(); ++i) go_down(reached_[i]);
    }
    return mark_;
  }
  std::uint32_t walk() const { return walk_; }

 private:
  void mark(Switch s) {
    mark_[s] = walk_;
    reached_.push_back(s);
    missing_ -= is_leaf_[s];
  }
  void mark_all(std::uint32_t begin, std::uint32_t end) {
    for (std::uint32_t i = begin; i < end; ++i) {
      if (mark_[next_[i]] != walk_) mark(next_[i]);
    }
  }
  void go_down(Switch s) { mark_all(first_down_[index(s)], first_[index(s) + 1]); }

  std::vector<Switch> next_;               // of each switch: those above it, then those below
  std::vector<std::uint32_t> first_;       // by switch, and the end
  std::vector<std::uint32_t> first_down_;  // by switch
  Table<Switch, std::uint32_t> mark_;
  Table<Switch, std::uint8_t> is_leaf_;
  std::uint32_t walk_ = 0;
  std::size_t missing_ = 0;  // leaves not yet marked
  std::vector<Switch> reached_;
};

// The switch of its level that a leaf is cabled to, if there is exactly one.
Switch twin(const PortGraph& graph, const Table<Switch, Level>& level, Switch s) {
  Switch found = kNone<Switch>;
  for (const Switch to : graph.neighbours(s)) {
    if (level[to] != level[s]) continue;
    if (found != kNone<Switch>) return kNone<Switch>;
    found = to;
  }
  return found;
}

// Two leaves cabled to each other, and to no others of their level.
bool twins(const PortGraph& graph, const Table<Switch, Level>& level, Switch a, Switch b) {
  return level[a] == 1 && level[b] == 1 && twin(graph, level, a) == b && twin(graph, level, b) == a;
}

}  // namespace

std::vector<Meeting> leaf_meetings(const PortGraph& graph, const Components& components,
                                   const Table<Switch, std::uint32_t>& terminals,
                                   const Table<Switch, Level>& level) {
  std::vector<Meeting> meetings(components.count);
  std::vector<std::vector<Switch>> leaves(components.count);
  std::size_t total = 0;
  Walker walker(graph, level);
  for (const Switch s : ids<Switch>(graph.size())) {
    if (terminals[s] > 0) meetings[components.component[s]].terminals = true;
  }
  for (const Switch s : ids<Switch>(graph.size())) {
    for (const Switch to : graph.neighbours(s)) {
      if (level[to] != level[s]) continue;
      Meeting& meeting = meetings[components.component[s]];
      meeting.horizontal = true;
      meeting.sideways = meeting.sideways || !twins(graph, level, s, to);
    }
    if (meetings[components.component[s]].terminals ? terminals[s] == 0 : level[s] != 1) continue;
    leaves[components.component[s]].push_back(s);
    walker.add_leaf(s);
    ++total;
  }
  const std::size_t stride = std::max<std::size_t>(1, total / kSampledLeaves);
  for (std::uint32_t component = 0; component < components.count; ++component) {
    Meeting& meeting = meetings[component];
    for (std::size_t i = 0; i < leaves[component].size(); i += stride) {
      const Switch a = leaves[component][i];
      const auto& mark = walker.from(a, leaves[component].size());
      for (const Switch b : leaves[component]) {
        if (b == a) continue;
        ++meeting.seen;
        if (mark[b] == walker.walk() || twins(graph, level, a, b)) continue;
        ++meeting.disconnected;
        if (meeting.a == kNone<Switch>) meeting.a = a, meeting.b = b;
      }
    }
  }
  return meetings;
}

}  // namespace fatwood
