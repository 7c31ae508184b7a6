// SPDX-License-Identifier: BSD-3-Clause
// Slurm's topology.conf (slurm.hpp has the rules). Cost: O(ports log ports).

#include "io/slurm.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace fatwood {

namespace {

bool plain_name(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' ||
           c == '_' || c == '.';
  });
}

std::vector<std::string_view> words(std::string_view text) {
  std::vector<std::string_view> found;
  while (true) {
    const std::size_t begin = text.find_first_not_of(' ');
    if (begin == std::string_view::npos) return found;
    text.remove_prefix(begin);
    const std::size_t end = std::min(text.find(' '), text.size());
    found.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
}

// Factory descriptions ("MT25408 ConnectX Mellanox Technologies") have more words.
std::string host_name(const Fabric& fabric, Node adapter) {
  const std::vector<std::string_view> parts = words(fabric.description(adapter));
  if (parts.empty() || parts.size() > 2 || !plain_name(parts[0]) || parts[0] == "localhost") {
    return std::string(fabric.id(adapter));
  }
  return std::string(parts[0]);
}

std::vector<std::string> switch_names(const Fabric& fabric) {
  std::map<std::string_view, std::size_t> count;
  for (const Switch s : ids<Switch>(fabric.num_switches())) {
    ++count[display_name(fabric, fabric.node(s))];
  }
  std::vector<std::string> names;
  for (const Switch s : ids<Switch>(fabric.num_switches())) {
    const std::string_view name = display_name(fabric, fabric.node(s));
    names.emplace_back(plain_name(name) && count[name] == 1 ? name : fabric.id(fabric.node(s)));
  }
  return names;
}

// The one leaf of each host: most ports, then the lowest number.
std::map<std::string, Switch> home_of_hosts(const Fabric& fabric, const Levels& levels) {
  std::map<std::string, std::map<Switch, std::size_t>> ports;
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
    if (levels.role[t] == TerminalRole::kAggregation || fabric.leaf(t) == kNone<Switch>) continue;
    ++ports[host_name(fabric, fabric.adapter(t))][fabric.leaf(t)];
  }
  std::map<std::string, Switch> home;
  for (const auto& [host, leaves] : ports) {
    home[host] = std::max_element(leaves.begin(), leaves.end(), [](const auto& a, const auto& b) {
                   return a.second < b.second;
                 })->first;
  }
  return home;
}

}  // namespace

namespace {

// The switches below each, by the levels, that have hosts below them.
std::vector<std::set<Switch>> children_with_hosts(const Fabric& fabric, const Levels& levels,
                                                  const std::vector<bool>& has_hosts) {
  std::vector<Switch> upwards;
  for (const Switch s : ids<Switch>(fabric.num_switches())) upwards.push_back(s);
  std::stable_sort(upwards.begin(), upwards.end(),
                   [&](Switch a, Switch b) { return levels.level[a] < levels.level[b]; });
  std::vector<std::set<Switch>> children(fabric.num_switches());
  for (const Switch s : upwards) {
    const Node node = fabric.node(s);
    for (Port port = 1; port <= fabric.ports(node); ++port) {
      const Channel c = fabric.channel(node, port);
      if (!fabric.connected(c) || !fabric.is_switch(fabric.neighbour(c))) continue;
      const Switch below = fabric.as_switch(fabric.neighbour(c));
      const bool counts = has_hosts[index(below)] || !children[index(below)].empty();
      if (counts && step(fabric, levels, c) < 0) children[index(s)].insert(below);
    }
  }
  return children;
}

}  // namespace

std::vector<SlurmSwitch> slurm_switches(const Fabric& fabric, const Levels& levels) {
  const std::vector<std::string> name = switch_names(fabric);
  std::vector<std::vector<std::string>> hosts(fabric.num_switches());
  std::vector<bool> has_hosts(fabric.num_switches(), false);
  for (const auto& [host, s] : home_of_hosts(fabric, levels)) {
    hosts[index(s)].push_back(host);
    has_hosts[index(s)] = true;
  }
  const std::vector<std::set<Switch>> children = children_with_hosts(fabric, levels, has_hosts);
  std::vector<SlurmSwitch> result;
  for (const Switch s : ids<Switch>(fabric.num_switches())) {
    SlurmSwitch row{.name = name[index(s)], .nodes = {}, .switches = {}};
    for (const Switch below : children[index(s)]) row.switches.push_back(name[index(below)]);
    if (row.switches.empty()) {
      row.nodes = hosts[index(s)];
    } else if (has_hosts[index(s)]) {
      result.push_back({.name = row.name + ".hosts", .nodes = hosts[index(s)], .switches = {}});
      row.switches.push_back(result.back().name);
    }
    if (!row.nodes.empty() || !row.switches.empty()) result.push_back(std::move(row));
  }
  return result;
}

void write_slurm(std::ostream& out, const Fabric& fabric, const Levels& levels) {
  out << "# topology.conf for Slurm's topology/tree, written by fatwood\n";
  for (const SlurmSwitch& row : slurm_switches(fabric, levels)) {
    out << "SwitchName=" << row.name;
    if (!row.nodes.empty()) out << " Nodes=" << hostlist(row.nodes);
    if (!row.switches.empty()) out << " Switches=" << hostlist(row.switches);
    out << '\n';
  }
}

}  // namespace fatwood
