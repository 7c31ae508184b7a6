// SPDX-License-Identifier: BSD-3-Clause
#include "topology/change/fault_pairs.hpp"

#include <algorithm>
#include <map>

#include "core/parallel.hpp"
#include "core/random.hpp"

namespace fatwood {

namespace {

struct Net {
  const Fabric& fabric;
  const PortGraph& graph;
  Table<Switch, std::uint64_t> hosts;  // terminals that count
};

Net net_of(const Model& model) {
  const Fabric& fabric = model.fabric();
  Net net{fabric, model.port_graph(), Table<Switch, std::uint64_t>(fabric.num_switches())};
  for (const Terminal t : model.adapters().all_terminals()) {
    if (fabric.leaf(t) != kNone<Switch>) ++net.hosts[fabric.leaf(t)];
  }
  return net;
}

// A cable is named by the lower of its channels.
Channel cable_of(const Fabric& fabric, Channel c) { return std::min(c, fabric.peer(c)); }

// A fault that disconnects hosts: a switch, or a cable.
template <class Id>
struct Part {
  Id at;
  std::uint64_t cut_off;  // hosts in the smaller component
};

// A depth-first search without one switch: what else disconnects the rest, and how many hosts are
// on the far side.
class Search {
 public:
  explicit Search(const Net& net)
      : net_(net), order_(net.graph.size()), low_(net.graph.size()), below_(net.graph.size()) {}

  std::vector<Part<Switch>> switches;
  std::vector<Part<Channel>> cables;

  void run(Switch without) {
    std::ranges::fill(order_, kUnseen);
    switches.clear();
    cables.clear();
    time_ = 0;
    if (without != kNone<Switch>) order_[without] = kGone;
    for (const Switch s : ids<Switch>(net_.graph.size())) {
      if (order_[s] == kUnseen) part_from(s);
    }
  }

 private:
  static constexpr std::uint32_t kUnseen = 0xffffffffU, kGone = kUnseen - 1;

  struct Step {
    Switch at, from;  // from: kNone for the first
    Trunk by;         // from there
    std::uint32_t next = 0;
    std::uint64_t parted = 0, largest = 0;  // hosts of sub-trees that need this switch
  };

  void part_from(Switch root) {
    std::vector<Step> path;
    const std::size_t first_cable = cables.size();
    std::vector<Step> left;
    enter(path, {.at = root, .from = kNone<Switch>, .by = kNone<Trunk>});
    while (true) {
      Step& step = path.back();
      const IdRange<Trunk> trunks = net_.graph.trunks(step.at);
      if (step.next < trunks.size()) {
        const Trunk g = trunks[step.next++];
        const Switch to = net_.graph.neighbour(g);
        if (order_[to] == kGone || (to == step.from && net_.graph.width(g) == 1)) continue;
        if (order_[to] == kUnseen) {
          enter(path, {.at = to, .from = step.at, .by = g});
        } else {
          low_[step.at] = std::min(low_[step.at], order_[to]);
        }
        continue;
      }
      const Step done = step;
      path.pop_back();
      left.push_back(done);
      if (path.empty()) break;
      Step& up = path.back();
      low_[up.at] = std::min(low_[up.at], low_[done.at]);
      below_[up.at] += below_[done.at];
      if (low_[done.at] > order_[up.at]) cables.push_back({cable(done), below_[done.at]});
      if (low_[done.at] >= order_[up.at]) {
        up.parted += below_[done.at];
        up.largest = std::max(up.largest, below_[done.at]);
      }
    }
    const std::uint64_t all = below_[root];
    for (std::size_t i = first_cable; i < cables.size(); ++i) {
      cables[i].cut_off = std::min(cables[i].cut_off, all - cables[i].cut_off);
    }
    for (const Step& step : left) {
      // The parts: each sub-tree that needs the switch, and the rest.
      const std::uint64_t others = all - net_.hosts[step.at];
      const std::uint64_t largest = std::max(step.largest, others - step.parted);
      if (others > largest) switches.push_back({step.at, others - largest});
    }
    std::erase_if(cables, [](const Part<Channel>& part) { return part.cut_off == 0; });
  }

  void enter(std::vector<Step>& path, const Step& step) {
    order_[step.at] = low_[step.at] = time_++;
    below_[step.at] = net_.hosts[step.at];
    path.push_back(step);
  }
  Channel cable(const Step& step) const {
    const Node from = net_.fabric.node(step.from);
    return cable_of(net_.fabric, net_.fabric.channel(from, net_.graph.ports(step.by).front()));
  }

  const Net& net_;
  Table<Switch, std::uint32_t> order_, low_;
  Table<Switch, std::uint64_t> below_;  // hosts
  std::uint32_t time_ = 0;
};

// Random numbers of cables: equal ones disconnect the fabric together.
Table<Channel, std::uint64_t> circle_numbers(const Fabric& fabric) {
  Table<Channel, std::uint64_t> number(fabric.num_channels());
  Table<Switch, Channel> parent(fabric.num_switches(), kNone<Channel>);  // the cable to it
  Table<Switch, std::uint8_t> seen(fabric.num_switches());
  std::vector<Switch> order;
  for (const Switch root : ids<Switch>(fabric.num_switches())) {
    if (seen[root] != 0) continue;
    seen[root] = 1;
    std::size_t next = order.size();
    order.push_back(root);
    for (; next < order.size(); ++next) {
      for (const SwitchLink& link : fabric.links(order[next])) {
        if (seen[link.to] != 0) continue;
        seen[link.to] = 1;
        parent[link.to] = fabric.peer(link.channel);
        order.push_back(link.to);
      }
    }
  }
  Table<Switch, std::uint64_t> at(fabric.num_switches());
  for (const Switch s : ids<Switch>(fabric.num_switches())) {
    for (const auto& [c, to, port] : fabric.links(s)) {
      if (to <= s || parent[to] == fabric.peer(c) || parent[s] == c) continue;
      number[cable_of(fabric, c)] = Random(1, index(c)).next64();
      at[s] ^= number[cable_of(fabric, c)];
      at[to] ^= number[cable_of(fabric, c)];
    }
  }
  for (const Switch s : std::ranges::reverse_view(order)) {
    if (parent[s] == kNone<Channel>) continue;
    number[cable_of(fabric, parent[s])] = at[s];
    at[fabric.next_switch(parent[s])] ^= at[s];
  }
  return number;
}

// Hosts in the smaller component when both cables are gone; 0 if nobody is disconnected.
std::uint64_t cut_off_by(const Net& net, Channel a, Channel b) {
  const Fabric& fabric = net.fabric;
  Table<Switch, std::uint8_t> seen(fabric.num_switches());
  // The hosts that `from` reaches.
  const auto reached = [&](Switch from) {
    if (seen[from] != 0) return std::uint64_t{0};
    seen[from] = 1;
    std::uint64_t hosts = 0;
    std::vector<Switch> found{from};
    for (std::size_t i = 0; i < found.size(); ++i) {
      hosts += net.hosts[found[i]];
      for (const auto& [c, to, port] : fabric.links(found[i])) {
        const Channel cable = cable_of(fabric, c);
        if (cable == a || cable == b || seen[to] != 0) continue;
        seen[to] = 1;
        found.push_back(to);
      }
    }
    return hosts;
  };
  // Both cables lead from one component to the other, if there are two.
  const std::uint64_t hosts = reached(fabric.as_switch(fabric.owner(a)));
  return std::min(hosts, reached(fabric.next_switch(a)));
}

void add_cable_pairs(const Net& net, const Table<Channel, std::uint8_t>& alone, std::size_t most,
                     FaultPairs& found) {
  const Table<Channel, std::uint64_t> number = circle_numbers(net.fabric);
  std::map<std::uint64_t, std::vector<Channel>> alike;
  for (const Channel c : ids<Channel>(number.size())) {
    if (number[c] != 0 && alone[c] == 0) alike[number[c]].push_back(c);
  }
  std::vector<std::vector<Channel>> classes;
  for (auto& [value, members] : alike) {
    if (members.size() > 1) classes.push_back(std::move(members));
  }
  std::ranges::sort(classes);
  for (const std::vector<Channel>& members : classes) {
    for (std::size_t i = 0; i < members.size(); ++i) {
      for (std::size_t j = i + 1; j < members.size(); ++j) {
        if (found.pairs.size() >= most) {
          found.all = false;
          return;
        }
        const std::uint64_t hosts = cut_off_by(net, members[i], members[j]);
        if (hosts == 0) continue;
        found.pairs.push_back({.cable_a = members[i], .cable_b = members[j], .cut_off = hosts});
      }
    }
  }
}

}  // namespace

FaultPairs find_fault_pairs(const Model& model, int threads, std::size_t most) {
  const Net net = net_of(model);
  Search whole(net);
  whole.run(kNone<Switch>);
  Table<Switch, std::uint8_t> switch_alone(net.graph.size());
  Table<Channel, std::uint8_t> cable_alone(net.fabric.num_channels());
  for (const Part<Switch>& part : whole.switches) switch_alone[part.at] = 1;
  for (const Part<Channel>& part : whole.cables) cable_alone[part.at] = 1;

  FaultPairs found;
  add_cable_pairs(net, cable_alone, most, found);
  std::vector<std::vector<FaultPair>> by_switch(net.graph.size());
  std::vector<Search> searches(static_cast<std::size_t>(thread_count(threads)), Search(net));
  parallel_for(
      net.graph.size(), threads,
      [&](std::size_t i, int thread) {
        const auto gone = static_cast<Switch>(i);
        if (switch_alone[gone] != 0) return;
        Search& search = searches[static_cast<std::size_t>(thread)];
        search.run(gone);
        for (const auto& [at, cut_off] : search.switches) {
          if (at < gone || switch_alone[at] != 0) continue;
          by_switch[i].push_back({.switch_a = gone, .switch_b = at, .cut_off = cut_off});
        }
        for (const auto& [at, cut_off] : search.cables) {
          if (cable_alone[at] != 0) continue;
          by_switch[i].push_back({.switch_a = gone, .cable_b = at, .cut_off = cut_off});
        }
      },
      4);
  for (const std::vector<FaultPair>& pairs : by_switch) {
    for (const FaultPair& pair : pairs) {
      if (found.pairs.size() >= most) {
        found.all = false;
        break;
      }
      found.pairs.push_back(pair);
    }
  }
  std::ranges::stable_sort(found.pairs, std::ranges::greater(), &FaultPair::cut_off);
  return found;
}

}  // namespace fatwood
