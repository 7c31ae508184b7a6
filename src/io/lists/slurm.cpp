// SPDX-License-Identifier: BSD-3-Clause
// Slurm's topologies (slurm.hpp has the rules). Cost: O(ports log ports).

#include "io/lists/slurm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/error.hpp"
#include "core/text/hostlist.hpp"
#include "core/text/parse_number.hpp"
#include "core/union_find.hpp"
#include "topology/hosts/own_name.hpp"
#include "topology/hosts/rails.hpp"
#include "topology/hosts/roles.hpp"

namespace fatwood {
namespace {

bool slurm_name_char(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' ||
         c == '_' || c == '.';
}

constexpr std::size_t kLongest = 63;
constexpr std::size_t kMostDigits = 18;

class TreeMaker {
 public:
  TreeMaker(const Model& model, SlurmHosts which)
      : model_(model),
        fabric_(model.fabric()),
        map_(model.hosts()),
        compute_only_(which == SlurmHosts::kCompute && model.roles().hosts(Role::kCompute) > 0) {}

  SlurmTree run() {
    find_leaves();
    // A number for each part that holds together below a level; first the leaves alone.
    std::vector<std::uint32_t> part(groups_.size());
    for (std::uint32_t i = 0; i < part.size(); ++i) part[i] = i;
    std::vector<std::string> name;
    for (Group& group : groups_) {
      group.name = unique(group.name);
      name.push_back(group.name);
      tree_.switches.push_back({group.name, group.hosts, {}});
    }
    for (const Joining& joining : joinings()) raise(joining, part, name);
    return std::move(tree_);
  }

 private:
  struct Group {  // hosts under one leaf of the tree
    std::string name;
    std::vector<std::string> hosts;
    std::vector<Switch> switches;
  };
  // Groups with the same number are joined; what the joined are called.
  struct Joining {
    std::vector<std::uint32_t> number;            // by group
    std::map<std::uint32_t, std::string> called;  // by number
  };

  std::string unique(const std::string& text) {
    std::string name = slurm_name(text);
    for (unsigned i = 2; !names_.insert(name).second; ++i) {
      name = slurm_name(fmt::format("{}_{}", text.substr(0, kLongest - 8), i));
    }
    return name;
  }

  std::string switch_name(Switch s) const {
    const Node node = fabric_.node(s);
    const std::string_view name = display_name(fabric_, node);
    const bool good = !name.empty() && std::all_of(name.begin(), name.end(), slurm_name_char);
    return std::string(good && !fabric_.shares_name(node) ? name : fabric_.id(node));
  }

  // The switch that most ports of a host are on. Those for jobs count, if it has others, too.
  Switch home(Host m) const {
    std::map<Switch, std::size_t> all, compute;
    for (const Terminal t : terminals_of(fabric_, map_.hosts, m)) {
      const Switch leaf = fabric_.leaf(t);
      if (leaf == kNone<Switch>) continue;
      ++all[leaf];
      const Adapter a = model_.adapters().of(t);
      if (a != kNone<Adapter> && model_.roles().of(a) == Role::kCompute) ++compute[leaf];
    }
    const std::map<Switch, std::size_t>& ports = compute.empty() ? all : compute;
    Switch best = kNone<Switch>;
    for (const auto& [s, count] : ports) {
      if (best == kNone<Switch> || count > ports.at(best)) best = s;
    }
    return best;
  }

  void find_leaves() {
    const Rails& rails = map_.rails;
    for (const ScalableUnit unit : ids<ScalableUnit>(rails.units.size())) {
      Group group{fmt::format("unit{}", index(unit) + 1), {}, {}};
      for (const Switch s : rails.units[unit].leaf) {
        if (s != kNone<Switch>) group.switches.push_back(s);
      }
      for (const Host m : rails.units[unit].members) add_host(group, m);
      if (!group.hosts.empty()) groups_.push_back(std::move(group));
    }
    std::map<Switch, Group> single;
    for (const Host m : ids<Host>(map_.hosts.size())) {
      const Switch s = home(m);
      if (s == kNone<Switch> || rails.member_of[m] != kNone<ScalableUnit>) continue;
      Group& group = single.try_emplace(s).first->second;
      add_host(group, m);
      const bool upper = model_.levels().level[s] > 1;
      group.name = switch_name(s) + (upper ? ".hosts" : "");
      group.switches = {s};
    }
    for (auto& [s, group] : single) {
      if (!group.hosts.empty()) groups_.push_back(std::move(group));
    }
  }

  void add_host(Group& group, Host m) {
    const std::string name(map_.hosts.name(m));
    if (compute_only_ && model_.roles().of(m).role != Role::kCompute) {
      tree_.service.push_back(name);
      return;
    }
    if (!has_own_name(map_.hosts, m) || !std::all_of(name.begin(), name.end(), slurm_name_char)) {
      tree_.left_out.push_back(name);
      return;
    }
    if (hosts_.insert(name).second) group.hosts.push_back(name);
  }

  // Parts of the fabric below each level, then pods where there are rails, and the whole.
  std::vector<Joining> joinings() const {
    std::vector<Joining> all;
    if (map_.rails.any()) {
      if (map_.rails.pods > 1) all.push_back(pods());
    } else {
      for (Level level = 2; level <= model_.levels().height; ++level) all.push_back(below(level));
    }
    all.push_back(whole());
    return all;
  }

  Joining pods() const {
    Joining joining;
    for (std::uint32_t i = 0; i < groups_.size(); ++i) {
      const ScalableUnit unit = map_.rails.unit_of[groups_[i].switches.front()];
      const bool member = unit != kNone<ScalableUnit> && groups_[i].switches.size() > 1;
      // Others stay alone until all are joined.
      const std::uint32_t number = member ? index(map_.rails.units[unit].pod)
                                          : static_cast<std::uint32_t>(map_.rails.pods) + i;
      joining.number.push_back(number);
      if (member) joining.called[number] = fmt::format("pod{}", number + 1);
    }
    return joining;
  }

  Joining below(Level level) const {
    UnionFind sets(fabric_.num_switches());
    join_switches(sets, level);
    Joining joining = numbered(sets);
    for (const Switch s : ids<Switch>(fabric_.num_switches())) {
      if (model_.levels().level[s] == level) {
        joining.called.try_emplace(sets.find(index(s)), switch_name(s));
      }
    }
    return joining;
  }

  Joining whole() const {
    UnionFind sets(fabric_.num_switches());
    join_switches(sets, model_.levels().height);
    for (const Group& group : groups_) {  // the leaves of a unit hold planes together
      for (const Switch s : group.switches) sets.join(index(s), index(group.switches.front()));
    }
    Joining joining = numbered(sets);
    const std::set<std::uint32_t> parts(joining.number.begin(), joining.number.end());
    std::size_t i = 0;
    for (const std::uint32_t number : parts) {
      joining.called[number] = parts.size() == 1 ? "fabric" : fmt::format("fabric{}", ++i);
    }
    return joining;
  }

  void join_switches(UnionFind& sets, Level level) const {
    for (const Switch s : ids<Switch>(fabric_.num_switches())) {
      for (const SwitchLink& link : fabric_.links(s)) {
        if (std::max(model_.levels().level[s], model_.levels().level[link.to]) <= level) {
          sets.join(index(s), index(link.to));
        }
      }
    }
  }

  Joining numbered(UnionFind& sets) const {
    Joining joining;
    for (const Group& group : groups_) {
      joining.number.push_back(sets.find(index(group.switches.front())));
    }
    return joining;
  }

  // One switch for each part that joins several; `part` and `name` are brought up to date.
  void raise(const Joining& joining, std::vector<std::uint32_t>& part,
             std::vector<std::string>& name) {
    std::map<std::uint32_t, std::vector<std::uint32_t>> children;  // parts, each once, in order
    for (std::uint32_t i = 0; i < groups_.size(); ++i) {
      std::vector<std::uint32_t>& list = children[joining.number[i]];
      if (std::find(list.begin(), list.end(), part[i]) == list.end()) list.push_back(part[i]);
    }
    std::map<std::uint32_t, std::uint32_t> new_part;
    for (const auto& [number, list] : children) {
      if (list.size() < 2) continue;
      const auto called = joining.called.find(number);
      SlurmSwitch made{unique(called == joining.called.end() ? "switch" : called->second), {}, {}};
      for (const std::uint32_t child : list) {
        made.switches.push_back(name[child]);
        new_part[child] = static_cast<std::uint32_t>(name.size());
      }
      name.push_back(made.name);
      tree_.switches.push_back(std::move(made));
    }
    for (std::uint32_t& number : part) {
      const auto at = new_part.find(number);
      if (at != new_part.end()) number = at->second;
    }
  }

  const Model& model_;
  const Fabric& fabric_;
  const HostMap& map_;
  const bool compute_only_;
  std::vector<Group> groups_;
  std::set<std::string> names_;  // of switches
  std::set<std::string> hosts_;
  SlurmTree tree_;
};

void write_left_out(std::ostream& out, const SlurmTree& tree) {
  if (!tree.left_out.empty()) {
    out << "# left out, without a name that Slurm could know: " << hostlist(tree.left_out) << '\n';
  }
  if (!tree.service.empty()) {
    out << "# left out, because no jobs run there: " << hostlist(tree.service) << '\n';
  }
}

// Base size and its doubles.
std::vector<std::size_t> block_sizes(const SlurmTree& tree) {
  std::size_t least = SIZE_MAX;
  std::size_t blocks = 0;
  for (const SlurmSwitch& row : tree.switches) {
    if (row.nodes.empty()) continue;
    least = std::min(least, row.nodes.size());
    ++blocks;
  }
  std::vector<std::size_t> sizes;
  for (std::size_t times = 1; times <= blocks && sizes.size() < 16; times *= 2) {
    sizes.push_back(least * times);
  }
  return sizes;
}

}  // namespace

std::string slurm_name(std::string_view text) {
  std::string name;
  for (const char c : text.substr(0, kLongest)) name += slurm_name_char(c) ? c : '_';
  const auto digits = static_cast<std::size_t>(
      std::find_if_not(name.rbegin(), name.rend(), is_digit) - name.rbegin());
  if (name.empty() || digits > kMostDigits) {
    name.resize(std::min(name.size(), kLongest - 1));
    name += '_';
  }
  return name;
}

SlurmTree slurm_tree(const Model& model, SlurmHosts which) { return TreeMaker(model, which).run(); }

SlurmTree named_slurm_tree(const Model& model, SlurmHosts which) {
  SlurmTree tree = slurm_tree(model, which);
  const auto has_nodes = [](const SlurmSwitch& row) { return !row.nodes.empty(); };
  if (!tree.left_out.empty() && std::ranges::none_of(tree.switches, has_nodes)) {
    throw InputError(
        fmt::format("no host has a name that a scheduler could know: the first is {}. Name them "
                    "with {}",
                    tree.left_out.front(), param("node_name_map")));
  }
  return tree;
}

void write_slurm(std::ostream& out, const Model& model) {
  const SlurmTree tree = named_slurm_tree(model);
  out << "# topology.conf for Slurm's topology/tree, written by fatwood\n";
  write_left_out(out, tree);
  for (const SlurmSwitch& row : tree.switches) {
    out << "SwitchName=" << row.name;
    if (!row.nodes.empty()) out << " Nodes=" << hostlist(row.nodes);
    if (!row.switches.empty()) out << " Switches=" << hostlist(row.switches);
    out << '\n';
  }
}

void write_slurm_blocks(std::ostream& out, const Model& model) {
  const SlurmTree tree = named_slurm_tree(model, SlurmHosts::kCompute);
  out << "# topology.conf for Slurm's topology/block, written by fatwood\n";
  write_left_out(out, tree);
  for (const SlurmSwitch& row : tree.switches) {
    if (!row.nodes.empty()) {
      out << "BlockName=" << row.name << " Nodes=" << hostlist(row.nodes) << '\n';
    }
  }
  out << fmt::format("BlockSizes={}\n", fmt::join(block_sizes(tree), ","));
}

void write_slurm_yaml(std::ostream& out, const Model& model) {
  const SlurmTree tree = named_slurm_tree(model);
  out << "# topology.yaml for Slurm 25.05 and newer, written by fatwood\n";
  write_left_out(out, tree);
  out << "- topology: tree\n  cluster_default: true\n  tree:\n    switches:\n";
  for (const SlurmSwitch& row : tree.switches) {
    out << "      - switch: \"" << row.name << "\"\n";
    if (!row.nodes.empty()) out << "        nodes: \"" << hostlist(row.nodes) << "\"\n";
    if (!row.switches.empty()) out << "        children: \"" << hostlist(row.switches) << "\"\n";
  }
  const SlurmTree blocks = named_slurm_tree(model, SlurmHosts::kCompute);
  out << "- topology: block\n  cluster_default: false\n  block:\n    block_sizes: ["
      << fmt::format("{}", fmt::join(block_sizes(blocks), ", ")) << "]\n    blocks:\n";
  for (const SlurmSwitch& row : blocks.switches) {
    if (row.nodes.empty()) continue;
    out << "      - block: \"" << row.name << "\"\n        nodes: \"" << hostlist(row.nodes)
        << "\"\n";
  }
}

}  // namespace fatwood
