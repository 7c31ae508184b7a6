// SPDX-License-Identifier: BSD-3-Clause
// Findings about hosts, names and boxes: hosts above the leaves, uneven and empty leaves,
// aggregation adapters, boxes without a cable, names that several boxes have.

#include <algorithm>
#include <map>

#include "topology/recognise/recognition.hpp"

namespace fatwood {
namespace {

class OddHosts {
 public:
  OddHosts(const Fabric& fabric, const Recognition& known)
      : fabric_(fabric), labels_(fabric), known_(known), count_(known.levels.terminals) {}

  std::vector<Finding> run() {
    above_the_leaves();
    aggregation();
    several_ports();
    uneven();
    empty();
    without_cable();
    direct();
    same_name();
    return std::move(found_);
  }

 private:
  // One finding for each switch above the leaves that has hosts.
  void above_the_leaves() {
    std::map<Switch, std::vector<Terminal>> on;
    for (const Terminal t : ids<Terminal>(fabric_.num_terminals())) {
      if (known_.levels.role[t] == TerminalRole::kUpper) on[fabric_.leaf(t)].push_back(t);
    }
    for (const auto& [s, terminals] : on) {
      Finding finding{FindingKind::kUpperHost, {}, {fabric_.node(s)}};
      for (const Terminal t : terminals) {
        finding.ports.push_back(fabric_.peer(fabric_.terminal_channel(t)));
        finding.nodes.push_back(fabric_.adapter_node(t));
      }
      found_.push_back(std::move(finding));
    }
  }

  void aggregation() {
    Finding finding{FindingKind::kAggregation};
    for (const Terminal t : ids<Terminal>(fabric_.num_terminals())) {
      if (known_.levels.role[t] != TerminalRole::kAggregation) continue;
      finding.nodes.push_back(fabric_.adapter_node(t));
      finding.ports.push_back(fabric_.peer(fabric_.terminal_channel(t)));
    }
    if (!finding.nodes.empty()) found_.push_back(std::move(finding));
  }

  // Hosts with more than one cable into switches: the tables of levels count them once a switch, a
  // tree's shape by their cables.
  void several_ports() {
    Table<Node, std::uint32_t> ports(fabric_.num_nodes());
    for (const Terminal t : ids<Terminal>(fabric_.num_terminals())) {
      const TerminalRole role = known_.levels.role[t];
      if (role == TerminalRole::kOnLeaf || role == TerminalRole::kUpper) {
        ++ports[fabric_.adapter_node(t)];
      }
    }
    std::map<std::uint32_t, std::vector<Node>> by_ports;
    for (const Node node : ids<Node>(fabric_.num_adapters())) {
      if (ports[node] > 1) by_ports[ports[node]].push_back(node);
    }
    if (by_ports.empty()) return;
    Finding finding{FindingKind::kSeveralPorts};
    HostsByCables facts;
    for (const auto& [cables, nodes] : by_ports) {
      facts.hosts.emplace_back(cables, nodes.size());
      finding.nodes.insert(finding.nodes.end(), nodes.begin(), nodes.end());
    }
    finding.facts = std::move(facts);
    found_.push_back(std::move(finding));
  }

  std::vector<Switch> leaves() const {
    std::vector<Switch> result;
    for (const Switch s : ids<Switch>(fabric_.num_switches())) {
      if (known_.levels.level[s] == 1 && known_.side.off[s] == 0) result.push_back(s);
    }
    return result;
  }

  // Hosts a leaf, when not all leaves that have hosts have as many: from the fullest down.
  void uneven() {
    std::map<std::uint32_t, std::vector<Switch>, std::greater<>> by_count;
    for (const Switch s : leaves()) {
      if (count_[s] > 0) by_count[count_[s]].push_back(s);
    }
    if (by_count.size() < 2) return;
    Finding finding{FindingKind::kUnevenHosts};
    LeavesByHosts facts;
    for (const auto& [count, switches] : by_count) {
      facts.leaves.emplace_back(count, switches);
      if (count == by_count.begin()->first) continue;
      for (const Switch s : switches) finding.nodes.push_back(fabric_.node(s));
    }
    finding.facts = std::move(facts);
    found_.push_back(std::move(finding));
  }

  void empty() {
    if (std::ranges::none_of(leaves(), [&](Switch s) { return count_[s] > 0; })) return;
    for (const Switch s : leaves()) {
      if (count_[s] > 0 || known_.graph.width(s) == 0) continue;
      found_.push_back({FindingKind::kNoHosts, {}, {fabric_.node(s)}});
    }
  }

  void without_cable() {
    Finding finding{FindingKind::kNoCable};
    for (const Node node : ids<Node>(fabric_.num_nodes())) {
      const auto cabled = [&](Channel c) { return fabric_.connected(c); };
      if (std::ranges::none_of(fabric_.channels(node), cabled)) finding.nodes.push_back(node);
    }
    if (!finding.nodes.empty()) found_.push_back(std::move(finding));
  }

  void direct() {
    for (const Terminal t : ids<Terminal>(fabric_.num_terminals())) {
      const Channel c = fabric_.terminal_channel(t);
      if (fabric_.leaf(t) != kNone<Switch> || index(fabric_.peer(c)) < index(c)) continue;
      found_.push_back({FindingKind::kDirect, {c, fabric_.peer(c)}});
    }
  }

  void same_name() {
    std::map<std::pair<bool, std::string_view>, std::vector<Node>> groups;
    for (const Node node : ids<Node>(fabric_.num_nodes())) {
      if (!fabric_.shares_name(node) || is_part(node)) continue;
      groups[{fabric_.is_switch(node), display_name(fabric_, node)}].push_back(node);
    }
    for (const auto& [key, nodes] : groups) {
      if (nodes.size() > 1) found_.push_back({FindingKind::kSameName, {}, nodes});
    }
  }
  bool is_part(Node node) const {
    return std::ranges::any_of(fabric_.channels(node), [&](Channel c) {
      const Terminal t = fabric_.terminal_at(c);
      return t != kNone<Terminal> && known_.levels.role[t] == TerminalRole::kAggregation;
    });
  }

  const Fabric& fabric_;
  Labels labels_;
  const Recognition& known_;
  const Table<Switch, std::uint32_t>& count_;  // hosts
  std::vector<Finding> found_;
};

}  // namespace

std::vector<Finding> host_findings(const Fabric& fabric, const Recognition& known) {
  return OddHosts(fabric, known).run();
}

}  // namespace fatwood
