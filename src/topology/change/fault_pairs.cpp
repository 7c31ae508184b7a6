// SPDX-License-Identifier: BSD-3-Clause
#include "topology/change/fault_pairs.hpp"

#include <algorithm>
#include <map>

#include "core/parallel.hpp"
#include "core/random.hpp"

namespace fatwood {

namespace {

constexpr std::uint32_t kNobody = 0xffffffffU;

// Switches, the cables between them, and how many terminals that count each switch has.
struct Net {
  struct Arc {
    std::uint32_t to;
    std::uint32_t cable;
  };
  std::vector<std::uint32_t> first;  // by switch, and the end
  std::vector<Arc> arcs;
  std::vector<Channel> channel;  // by cable: its lower channel
  std::vector<std::uint64_t> hosts;

  std::span<const Arc> of(std::uint32_t s) const {
    return {arcs.data() + first[s], arcs.data() + first[s + 1]};
  }
  std::size_t size() const { return hosts.size(); }
};

Net net_of(const Model& model) {
  const Fabric& fabric = model.fabric();
  Net net;
  net.hosts.resize(fabric.num_switches());
  for (const Terminal t : model.adapters().all_terminals()) {
    if (fabric.leaf(t) != kNone<Switch>) ++net.hosts[index(fabric.leaf(t))];
  }
  Table<Channel, std::uint32_t> cable(fabric.num_channels(), kNobody);
  for (const Switch s : ids<Switch>(fabric.num_switches())) {
    net.first.push_back(static_cast<std::uint32_t>(net.arcs.size()));
    for (const Channel c : fabric.switch_channels(s)) {
      if (fabric.next_switch(c) == s) continue;
      const Channel low = std::min(c, fabric.peer(c));
      if (cable[low] == kNobody) {
        cable[low] = static_cast<std::uint32_t>(net.channel.size());
        net.channel.push_back(low);
      }
      net.arcs.push_back({index(fabric.next_switch(c)), cable[low]});
    }
  }
  net.first.push_back(static_cast<std::uint32_t>(net.arcs.size()));
  return net;
}

// A depth-first search of the net without one switch: what parts it, and how many hosts are on the
// far side.
class Search {
 public:
  explicit Search(const Net& net)
      : net_(net), order_(net.size()), low_(net.size()), below_(net.size()) {}

  struct Part {
    std::uint32_t at;       // a switch, or a cable
    std::uint64_t cut_off;  // hosts in the smaller part
  };
  std::vector<Part> switches, cables;

  void run(std::uint32_t without) {
    std::ranges::fill(order_, kNobody);
    switches.clear();
    cables.clear();
    time_ = 0;
    if (without != kNobody) order_[without] = kNobody - 1;
    for (std::uint32_t s = 0; s < net_.size(); ++s) {
      if (order_[s] == kNobody) part_from(s);
    }
  }

 private:
  struct Step {
    std::uint32_t at, by_cable, next;
    std::uint64_t parted = 0, largest = 0;  // hosts of sub-trees that need this switch
  };

  void part_from(std::uint32_t root) {
    std::vector<Step> path, finished;
    std::vector<Part> bridges;
    enter(path, root, kNobody);
    while (true) {
      Step& step = path.back();
      const auto arcs = net_.of(step.at);
      if (step.next < arcs.size()) {
        const Net::Arc arc = arcs[step.next++];
        if (arc.cable == step.by_cable || order_[arc.to] == kNobody - 1) continue;
        if (order_[arc.to] == kNobody) {
          enter(path, arc.to, arc.cable);
        } else {
          low_[step.at] = std::min(low_[step.at], order_[arc.to]);
        }
        continue;
      }
      const Step done = finished.emplace_back(step);
      path.pop_back();
      if (path.empty()) break;
      Step& up = path.back();
      low_[up.at] = std::min(low_[up.at], low_[done.at]);
      below_[up.at] += below_[done.at];
      if (low_[done.at] > order_[up.at]) bridges.push_back({done.by_cable, below_[done.at]});
      if (low_[done.at] >= order_[up.at]) {
        up.parted += below_[done.at];
        up.largest = std::max(up.largest, below_[done.at]);
      }
    }
    const std::uint64_t all = below_[root];
    const auto add = [](std::vector<Part>& parts, std::uint32_t at, std::uint64_t cut_off) {
      if (cut_off > 0) parts.push_back({at, cut_off});
    };
    for (const auto& [cable, below] : bridges) add(cables, cable, std::min(below, all - below));
    for (const Step& step : finished) {
      // The parts: each sub-tree that needs the switch, and the rest.
      const std::uint64_t others = all - net_.hosts[step.at];
      add(switches, step.at, others - std::max(step.largest, others - step.parted));
    }
  }

  void enter(std::vector<Step>& path, std::uint32_t s, std::uint32_t by_cable) {
    order_[s] = low_[s] = time_++;
    below_[s] = net_.hosts[s];
    path.push_back({s, by_cable, 0});
  }

  const Net& net_;
  std::vector<std::uint32_t> order_, low_;
  std::vector<std::uint64_t> below_;  // hosts
  std::uint32_t time_ = 0;
};

// Random numbers of cables: equal ones part the net together.
std::vector<std::uint64_t> circle_numbers(const Net& net) {
  std::vector<std::uint64_t> number(net.channel.size());
  std::vector<std::uint32_t> parent_cable(net.size(), kNobody), parent(net.size(), kNobody), order;
  std::vector<std::uint8_t> seen(net.size());
  for (std::uint32_t root = 0; root < net.size(); ++root) {
    if (seen[root] != 0) continue;
    seen[root] = 1;
    std::size_t next = order.size();
    order.push_back(root);
    for (; next < order.size(); ++next) {
      for (const Net::Arc arc : net.of(order[next])) {
        if (seen[arc.to] != 0) continue;
        seen[arc.to] = 1;
        parent[arc.to] = order[next];
        parent_cable[arc.to] = arc.cable;
        order.push_back(arc.to);
      }
    }
  }
  std::vector<std::uint64_t> at(net.size());
  for (std::uint32_t s = 0; s < net.size(); ++s) {
    for (const Net::Arc arc : net.of(s)) {
      if (arc.to < s || parent_cable[arc.to] == arc.cable || parent_cable[s] == arc.cable) continue;
      number[arc.cable] = Random(1, arc.cable).next64();
      at[s] ^= number[arc.cable];
      at[arc.to] ^= number[arc.cable];
    }
  }
  for (const std::uint32_t s : std::ranges::reverse_view(order)) {
    if (parent[s] == kNobody) continue;
    number[parent_cable[s]] = at[s];
    at[parent[s]] ^= at[s];
  }
  return number;
}

// Hosts in the smaller part when both cables are gone; 0 when nobody is parted.
std::uint64_t cut_off_by(const Net& net, std::uint32_t a, std::uint32_t b, std::uint32_t from) {
  std::vector<std::uint8_t> seen(net.size());
  const auto hosts_with = [&](std::vector<std::uint32_t>& found) {
    std::uint64_t hosts = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
      hosts += net.hosts[found[i]];
      for (const Net::Arc arc : net.of(found[i])) {
        if (arc.cable == a || arc.cable == b || seen[arc.to] != 0) continue;
        seen[arc.to] = 1;
        found.push_back(arc.to);
      }
    }
    return hosts;
  };
  std::vector<std::uint32_t> found{from};
  seen[from] = 1;
  const std::uint64_t hosts = hosts_with(found);
  // The switches that the other ends of the two reach: all of the other component, or none.
  std::vector<std::uint32_t> rest;
  for (const std::uint32_t s : found) {
    for (const Net::Arc arc : net.of(s)) {
      if ((arc.cable != a && arc.cable != b) || seen[arc.to] != 0) continue;
      seen[arc.to] = 1;
      rest.push_back(arc.to);
    }
  }
  return std::min(hosts, hosts_with(rest));
}

void add_cable_pairs(const Net& net, const std::vector<std::uint8_t>& alone, std::size_t most,
                     FaultPairs& found) {
  const std::vector<std::uint64_t> number = circle_numbers(net);
  std::vector<std::uint32_t> end(net.channel.size(), kNobody);
  for (std::uint32_t s = 0; s < net.size(); ++s) {
    for (const Net::Arc arc : net.of(s)) end[arc.cable] = s;
  }
  std::map<std::uint64_t, std::vector<std::uint32_t>> alike;
  for (std::uint32_t i = 0; i < number.size(); ++i) {
    if (number[i] != 0 && alone[i] == 0) alike[number[i]].push_back(i);
  }
  std::vector<std::vector<std::uint32_t>> classes;
  for (auto& [value, members] : alike) {
    if (members.size() > 1) classes.push_back(std::move(members));
  }
  std::ranges::sort(classes);
  for (const std::vector<std::uint32_t>& members : classes) {
    for (std::size_t i = 0; i < members.size(); ++i) {
      for (std::size_t j = i + 1; j < members.size(); ++j) {
        if (found.pairs.size() >= most) {
          found.all = false;
          return;
        }
        const std::uint64_t hosts = cut_off_by(net, members[i], members[j], end[members[i]]);
        if (hosts == 0) continue;
        found.pairs.push_back({.cable_a = net.channel[members[i]],
                               .cable_b = net.channel[members[j]],
                               .cut_off = hosts});
      }
    }
  }
}

}  // namespace

FaultPairs find_fault_pairs(const Model& model, int threads, std::size_t most) {
  const Net net = net_of(model);
  Search whole(net);
  whole.run(kNobody);
  std::vector<std::uint8_t> switch_alone(net.size()), cable_alone(net.channel.size());
  for (const Search::Part& part : whole.switches) switch_alone[part.at] = 1;
  for (const Search::Part& part : whole.cables) cable_alone[part.at] = 1;

  FaultPairs found;
  add_cable_pairs(net, cable_alone, most, found);
  std::vector<std::vector<FaultPair>> by_switch(net.size());
  std::vector<Search> searches(static_cast<std::size_t>(thread_count(threads)), Search(net));
  parallel_for(
      net.size(), threads,
      [&](std::size_t i, int thread) {
        if (switch_alone[i] != 0) return;
        Search& search = searches[static_cast<std::size_t>(thread)];
        const auto gone = static_cast<std::uint32_t>(i);
        search.run(gone);
        for (const Search::Part& part : search.switches) {
          if (part.at < gone || switch_alone[part.at] != 0) continue;
          by_switch[i].push_back(
              {.switch_a = Switch{gone}, .switch_b = Switch{part.at}, .cut_off = part.cut_off});
        }
        for (const Search::Part& part : search.cables) {
          if (cable_alone[part.at] != 0) continue;
          by_switch[i].push_back(
              {.switch_a = Switch{gone}, .cable_b = net.channel[part.at], .cut_off = part.cut_off});
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
