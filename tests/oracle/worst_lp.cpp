// SPDX-License-Identifier: BSD-3-Clause
#include "oracle/worst_lp.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <stdexcept>

#include "topology/generate/tree.hpp"

namespace fatwood::oracle {

namespace {

using Pair = std::pair<std::uint32_t, std::uint32_t>;
using Shares = std::map<Pair, Fraction>;

// Which terminals lie below a switch of a tree, by walking down.
void terminals_below(const Fabric& fabric, Node node, std::set<std::uint32_t>& found) {
  if (!fabric.is_switch(node)) {
    found.insert(index(node));
    return;
  }
  for (const Channel c : fabric.channels(node)) {
    if (fabric.connected(c) && fabric.neighbour(c) < node) {  // levels are numbered upwards
      terminals_below(fabric, fabric.neighbour(c), found);
    }
  }
}

// Each set of terminals below some node, with the cables that go up from all nodes of that set.
std::map<std::set<std::uint32_t>, std::uint32_t> sub_trees(const Fabric& fabric) {
  std::map<std::set<std::uint32_t>, std::uint32_t> cables;
  for (const Node node : ids<Node>(fabric.num_nodes())) {
    std::set<std::uint32_t> below;
    terminals_below(fabric, node, below);
    for (const Channel c : fabric.channels(node)) {
      if (fabric.connected(c) && fabric.neighbour(c) > node) ++cables[below];
    }
  }
  return cables;
}

std::string variable(const Pair& pair) { return fmt::format("t{}_{}", pair.first, pair.second); }

Fraction solve(const std::string& program) {
  static std::map<std::string, Fraction> solved;  // engines often agree
  if (const auto known = solved.find(program); known != solved.end()) return known->second;
  const std::string stem =
      (std::filesystem::temp_directory_path() / fmt::format("fatwood-lp-{}", getpid())).string();
  const std::string lp = stem + ".lp";
  const std::string solution = stem + ".sol";
  std::ofstream(lp) << program;
  const std::string command = fmt::format("esolver -L -O {} {} >/dev/null 2>&1", solution, lp);
  if (std::system(command.c_str()) != 0) throw std::runtime_error("esolver failed");
  std::ifstream in(solution);
  std::string word;
  while (in >> word) {
    if (word != "Value") continue;
    in >> word >> word;  // "= 39/5"
    break;
  }
  std::filesystem::remove(lp);
  std::filesystem::remove(solution);
  return solved[program] = parse_fraction(word);
}

// Of a complete tree whose channels carry these shares of the pairs' traffic.
Fraction worst_of_channels(const Fabric& fabric, const std::map<Channel, Shares>& load) {
  const auto nodes = static_cast<std::uint32_t>(fabric.num_adapters());
  std::string constraints;
  unsigned row = 0;
  for (const auto& [inside, cables] : sub_trees(fabric)) {
    std::string out;
    std::string in;
    for (const std::uint32_t a : inside) {
      for (std::uint32_t b = 0; b < nodes; ++b) {
        if (inside.contains(b)) continue;
        out += " + " + variable({a, b});
        in += " + " + variable({b, a});
      }
    }
    constraints +=
        fmt::format(" c{}:{} <= {}\n c{}:{} <= {}\n", row, out, cables, row + 1, in, cables);
    row += 2;
  }

  Fraction worst;
  for (const auto& [channel, shares] : load) {
    std::int64_t scale = 1;
    for (const auto& [pair, share] : shares) scale = std::lcm(scale, share.den());
    std::string objective;
    for (const auto& [pair, share] : shares) {
      objective += fmt::format(" + {} {}", share.num() * (scale / share.den()), variable(pair));
    }
    const Fraction value = solve("Problem\n worst\nMaximize\n obj:" + objective + "\nSubject To\n" +
                                 constraints + "End\n");
    worst = std::max(worst, value / Fraction(scale));
  }
  return worst;
}

}  // namespace

std::optional<Fraction> worst_ratio_by_lp(const AlgebraicRouting& routing) {
  if (std::system("command -v esolver >/dev/null 2>&1") != 0) return std::nullopt;
  const Fabric fabric = make_tree(routing.space().shape());
  const auto nodes = static_cast<std::uint32_t>(fabric.num_adapters());
  std::map<Channel, Shares> load;
  for (std::uint32_t s = 0; s < nodes; ++s) {
    for (std::uint32_t d = 0; d < nodes; ++d) {
      if (s == d) continue;
      const std::vector<PathIndex> paths = routing.paths(s, d);
      for (const PathIndex t : paths) {
        for (const Channel c : routing.space().channels(s, d, t)) {
          load[c][{s, d}] += Fraction(1, static_cast<std::int64_t>(paths.size()));
        }
      }
    }
  }
  return worst_of_channels(fabric, load);
}

std::optional<Fraction> worst_ratio_of_tree_by_lp(const Model& model, const PathSource& paths) {
  if (std::system("command -v esolver >/dev/null 2>&1") != 0) return std::nullopt;
  std::map<Channel, Shares> load;
  for (const Adapter s : ids<Adapter>(model.adapters().size())) {
    for (const Adapter d : ids<Adapter>(model.adapters().size())) {
      if (s == d) continue;
      const PathList list = paths.paths(s, d);
      for (const Channel c : list.all()) {
        load[c][{index(s), index(d)}] += Fraction(1, static_cast<std::int64_t>(list.size()));
      }
    }
  }
  return worst_of_channels(model.fabric(), load);
}

std::optional<Fraction> least_load_by_lp(const Model& model, const Traffic& traffic) {
  if (std::system("command -v esolver >/dev/null 2>&1") != 0) return std::nullopt;
  const Fabric& fabric = model.fabric();
  // One commodity for each destination, over all channels; hosts pass nothing on.
  std::map<Adapter, std::map<Node, std::int64_t>> sent;  // [destination][node of source]
  const auto node_of = [&](Adapter adapter) {
    return fabric.adapter_node(model.adapters().terminals(adapter).front());
  };
  for (const Flow& flow : traffic.flows) sent[flow.destination][node_of(flow.source)] += flow.units;
  std::string rows;
  unsigned row = 0;
  std::map<Channel, std::string> carried;
  for (const auto& [to, sources] : sent) {
    std::map<Node, std::string> balance;
    for (const Channel c : ids<Channel>(fabric.num_channels())) {
      if (!fabric.connected(c)) continue;
      const Node tail = fabric.owner(c);
      const Node head = fabric.neighbour(c);
      if (!fabric.is_switch(head) && head != node_of(to)) continue;
      const std::string name = fmt::format("f{}_{}", index(to), index(c));
      carried[c] += " + " + name;
      balance[tail] += " + " + name;
      balance[head] += " - " + name;
    }
    for (const auto& [node, flows] : balance) {
      if (node == node_of(to)) continue;
      const auto source = sources.find(node);
      rows +=
          fmt::format(" r{}:{} = {}\n", row++, flows, source == sources.end() ? 0 : source->second);
    }
  }
  for (const auto& [channel, flows] : carried) {
    rows += fmt::format(" r{}:{} - z <= 0\n", row++, flows);
  }
  return solve("Problem\n least\nMinimize\n obj: z\nSubject To\n" + rows + "End\n") /
         Fraction(traffic.units_in_one);
}

std::optional<Fraction> worst_ratio_by_lp(const Model& model, const PathSource& paths) {
  if (std::system("command -v esolver >/dev/null 2>&1") != 0) return std::nullopt;
  const Fabric& fabric = model.fabric();
  const std::size_t hosts = model.adapters().size();
  const auto node_of = [&](Adapter adapter) {
    return fabric.adapter_node(model.adapters().terminals(adapter).front());
  };
  // What can be routed: flows to each destination over all channels, none of which carries above 1.
  std::string rows;
  unsigned row = 0;
  std::map<Channel, std::string> carried;
  std::map<Channel, std::string> objective;
  for (const Adapter to : ids<Adapter>(hosts)) {
    std::map<Node, std::string> balance;
    for (const Channel c : ids<Channel>(fabric.num_channels())) {
      if (!fabric.connected(c)) continue;
      const Node head = fabric.neighbour(c);
      if (!fabric.is_switch(head) && head != node_of(to)) continue;
      const std::string name = fmt::format("f{}_{}", index(to), index(c));
      carried[c] += " + " + name;
      balance[fabric.owner(c)] += " + " + name;
      balance[head] += " - " + name;
    }
    for (const Adapter from : ids<Adapter>(hosts)) {
      if (from == to) continue;
      const std::string sent = variable({index(from), index(to)});
      balance[node_of(from)] += " - " + sent;
      const PathList list = paths.paths(from, to);
      for (const Channel c : list.all()) objective[c] += " + " + sent;
    }
    for (const auto& [node, flows] : balance) {
      if (node != node_of(to)) rows += fmt::format(" r{}:{} = 0\n", row++, flows);
    }
  }
  for (const auto& [channel, flows] : carried) rows += fmt::format(" r{}:{} <= 1\n", row++, flows);
  Fraction worst = 0;
  for (const auto& [channel, sum] : objective) {
    worst = std::max(
        worst, solve("Problem\n worst\nMaximize\n obj:" + sum + "\nSubject To\n" + rows + "End\n"));
  }
  return worst;
}

}  // namespace fatwood::oracle
