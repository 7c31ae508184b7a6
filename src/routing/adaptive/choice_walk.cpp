// SPDX-License-Identifier: BSD-3-Clause
#include "routing/adaptive/choice_walk.hpp"

#include <algorithm>

#include "routing/adaptive/destination_classes.hpp"

namespace fatwood {

ChoiceWalk::ChoiceWalk(const Fabric& fabric, const HopMap& map, const Routing& routing)
    : fabric_(fabric),
      map_(map),
      routing_(routing),
      ports_(fabric.num_switches()),
      state_(fabric.num_switches()),
      fate_(fabric.num_switches()),
      most_(fabric.num_switches()),
      fewest_(fabric.num_switches()) {
  std::uint32_t slots = 0;
  for (const Switch s : ids<Switch>(fabric.num_switches())) {
    slot_.push_back(slots);
    slots += fabric.ports(fabric.node(s)) + 1;
    owner_.resize(slots, index(s));
  }
  slot_.push_back(slots);
}

// The second search. Nodes are (switch, port of arrival), 0 where a packet starts. Switches that
// the first search found good are not searched: no choice leads from them into a loop, so a packet
// never goes back, and its port of arrival makes no difference.
class ChoiceWalk::Exact {
 public:
  explicit Exact(ChoiceWalk& walk) : walk_(walk), node_(walk.node_), owner_(walk.owner_) {
    node_.resize(owner_.size());
  }

  void run() {
    for (std::uint32_t s = 0; s < walk_.fate_.size(); ++s) {
      if (walk_.state_[s] == kGood) continue;
      if (node_[walk_.slot_[s]].number == 0) visit(walk_.slot_[s]);
      const Node& found = node_[walk_.slot_[s]];
      walk_.fate_[s] = found.fate;
      walk_.most_[s] = found.most;
      walk_.fewest_[s] = found.fewest;
    }
    for (const std::uint32_t slot : visited_) node_[slot] = {};
  }

 private:
  // Calls visit(port, successor) with kNowhere for a port that leads to no switch.
  static constexpr std::uint32_t kNowhere = 0xffffffffU;
  template <class Visit>
  void each_port(std::uint32_t slot, const Visit& visit) const {
    const std::uint32_t s = owner_[slot];
    const auto in = static_cast<Port>(slot - walk_.slot_[s]);
    const std::span<const Port> ports = walk_.ports_[s];
    for (const Port port : ports) {
      if (port == in && in != kOwnPort && ports.size() > 1 && !walk_.routing_.may_return) continue;
      const Hop hop = walk_.map_.at(s, port);
      const bool goes_on = hop.to_switch() && !walk_.delivers(s, port);
      visit(port, goes_on ? walk_.slot_[hop.next()] + index(hop.arrival()) : kNowhere);
    }
  }

  bool is_good(std::uint32_t slot) const { return walk_.state_[owner_[slot]] == kGood; }

  void visit(std::uint32_t start) {
    struct Frame {
      std::uint32_t slot;
      std::vector<std::uint32_t> next;
    };
    std::vector<Frame> path;
    const auto open = [&](std::uint32_t slot) {
      visited_.push_back(slot);
      node_[slot].number = node_[slot].low = static_cast<std::uint32_t>(visited_.size());
      node_[slot].on_stack = true;
      stack_.push_back(slot);
      path.push_back({slot, {}});
      each_port(slot, [&](Port, std::uint32_t next) {
        if (next != kNowhere && !is_good(next)) path.back().next.push_back(next);
      });
    };
    open(start);
    while (!path.empty()) {
      const std::uint32_t slot = path.back().slot;
      if (!path.back().next.empty()) {
        const std::uint32_t next = path.back().next.back();
        path.back().next.pop_back();
        if (node_[next].number == 0) {
          open(next);
        } else if (node_[next].on_stack) {
          node_[slot].low = std::min(node_[slot].low, node_[next].number);
        }
        continue;
      }
      path.pop_back();
      if (!path.empty()) {
        Node& before = node_[path.back().slot];
        before.low = std::min(before.low, node_[slot].low);
      }
      if (node_[slot].low == node_[slot].number) close(slot);
    }
  }

  // Closes the component whose first node is `root`; everything that it leads to is known.
  void close(std::uint32_t root) {
    std::vector<std::uint32_t> members;
    do {
      members.push_back(stack_.back());
      stack_.pop_back();
      node_[members.back()].on_stack = false;
    } while (members.back() != root);
    bool circle = members.size() > 1;
    bool some = false;
    for (const std::uint32_t slot : members) {
      Node& here = node_[slot];
      bool all = true;
      bool any = false;
      here.most = 0;
      here.fewest = kNowhere;
      std::size_t ports = 0;
      each_port(slot, [&](Port port, std::uint32_t next) {
        ++ports;
        if (next == slot) circle = true;
        const bool there = walk_.delivers(owner_[slot], port);
        if (next == kNowhere) {
          all = all && there;
          any = any || there;
          if (there) here.fewest = 0;
          return;
        }
        const std::uint32_t good = is_good(next) ? owner_[next] : kNowhere;
        const Fate fate = good != kNowhere ? Fate::kArrives : node_[next].fate;
        all = all && fate == Fate::kArrives;
        any = any || fate != Fate::kNever;
        here.most =
            std::max(here.most, (good != kNowhere ? walk_.most_[good] : node_[next].most) + 1);
        here.fewest = std::min(here.fewest,
                               (good != kNowhere ? walk_.fewest_[good] : node_[next].fewest) + 1);
      });
      some = some || any;
      here.fate = all && ports > 0 ? Fate::kArrives : any ? Fate::kSometimes : Fate::kNever;
    }
    if (!circle) return;
    for (const std::uint32_t slot : members) {
      node_[slot].fate = some ? Fate::kSometimes : Fate::kNever;
    }
    walk_.loops_.push_back(circle_through(members));
  }

  // A shortest loop through the lowest member, by breadth-first search inside the component.
  std::vector<Switch> circle_through(std::vector<std::uint32_t> members) const {
    std::ranges::sort(members);
    const std::uint32_t start = members.front();
    const auto place = [&](std::uint32_t slot) {
      const auto at = std::ranges::lower_bound(members, slot);
      return at != members.end() && *at == slot ? static_cast<std::size_t>(at - members.begin())
                                                : members.size();
    };
    std::vector<std::uint32_t> before(members.size(), kNowhere);
    std::vector<std::uint32_t> queue{start};
    std::uint32_t last = kNowhere;
    for (std::size_t i = 0; i < queue.size() && last == kNowhere; ++i) {
      each_port(queue[i], [&](Port, std::uint32_t next) {
        if (next == kNowhere || last != kNowhere) return;
        if (next == start) {
          last = queue[i];
          return;
        }
        const std::size_t at = place(next);
        if (at == members.size() || before[at] != kNowhere) return;
        before[at] = queue[i];
        queue.push_back(next);
      });
    }
    std::vector<Switch> circle;
    for (std::uint32_t slot = last; slot != start; slot = before[place(slot)]) {
      circle.push_back(static_cast<Switch>(owner_[slot]));
    }
    circle.push_back(static_cast<Switch>(owner_[start]));
    std::ranges::reverse(circle);
    return circle;
  }

  ChoiceWalk& walk_;
  std::vector<Node>& node_;
  const std::vector<std::uint32_t>& owner_;
  std::vector<std::uint32_t> stack_, visited_;
};

void ChoiceWalk::follow(Destination destination) {
  const ForwardingTables& tables = routing_.tables;
  home_ = home_of(fabric_, tables, destination);
  delivers_ = own_port(fabric_, tables, destination);
  for (const Switch s : ids<Switch>(fabric_.num_switches())) {
    ports_[index(s)] = routing_.ports(s, destination);
  }
  loops_.clear();
  search();
  if (all_arrive()) return;
  Exact(*this).run();
}

void ChoiceWalk::search() {
  // In the order of the last destination, most switches come after all that they may send to.
  const std::vector<std::uint32_t> guess(order_);
  std::ranges::fill(state_, kUnknown);
  order_.clear();
  const auto settle = [&](std::uint32_t s) {
    std::uint32_t most = 0;
    std::uint32_t fewest = 0xffffffffU;
    for (const Port port : ports_[s]) {
      if (delivers(s, port)) {
        fewest = 0;
        continue;
      }
      const Hop hop = map_.at(s, port);
      if (!hop.to_switch() || state_[hop.next()] != kGood) return false;
      most = std::max(most, most_[hop.next()] + 1);
      fewest = std::min(fewest, fewest_[hop.next()] + 1);
    }
    if (ports_[s].empty()) return false;
    state_[s] = kGood;
    most_[s] = most;
    fewest_[s] = fewest;
    order_.push_back(s);
    return true;
  };
  for (const std::uint32_t s : guess) {
    if (state_[s] == kUnknown && !settle(s)) search_from(s);
  }
  for (std::uint32_t s = 0; s < state_.size(); ++s) {
    if (state_[s] == kUnknown) search_from(s);
    fate_[s] = state_[s] == kGood ? Fate::kArrives : Fate::kNever;
  }
}

void ChoiceWalk::search_from(std::uint32_t start) {
  constexpr std::uint32_t kEndless = 0xffffffffU;
  const auto open = [&](std::uint32_t s) {
    state_[s] = kOnPath;
    path_.push_back({s, 0, !ports_[s].empty(), 0, kEndless});
  };
  path_.clear();
  open(start);
  while (!path_.empty()) {
    Frame top = path_.back();
    const std::span<const Port> ports = ports_[top.at];
    const bool home = top.at == index(home_);
    std::uint32_t down = kEndless;
    for (; top.next_port < ports.size(); ++top.next_port) {
      const Port port = ports[top.next_port];
      if (home && port == delivers_) {
        top.fewest = 0;
        continue;
      }
      const Hop hop = map_.at(top.at, port);
      const State state = hop.to_switch() ? state_[hop.next()] : kBad;
      if (state == kGood) {
        top.most = std::max(top.most, most_[hop.next()] + 1);
        top.fewest = std::min(top.fewest, fewest_[hop.next()] + 1);
        continue;
      }
      if (state == kUnknown) {
        down = hop.next();
      } else {
        top.good = false;
      }
      break;
    }
    if (down != kEndless) {
      path_.back() = top;
      open(down);
      continue;
    }
    path_.pop_back();
    state_[top.at] = top.good ? kGood : kBad;
    if (!top.good) continue;
    most_[top.at] = top.most;
    fewest_[top.at] = top.fewest;
    order_.push_back(top.at);
  }
}

}  // namespace fatwood
