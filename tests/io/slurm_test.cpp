// SPDX-License-Identifier: BSD-3-Clause
// Slurm's topologies: every host once, a tree in the strict sense, names that its reader survives.
// tests/cli/traffic/slurm.bats has Slurm itself read them.

#include "io/lists/slurm.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "core/text/hostlist.hpp"
#include "io/fabric/load_fabric.hpp"
#include "io/fabric/spec.hpp"
#include "io/opensm/node_name_map.hpp"
#include "support/rail_fabric.hpp"
#include "support/real_fabrics.hpp"
#include "support/sketch.hpp"
#include "topology/hosts/rails.hpp"

namespace fatwood {
namespace {

struct Conf {
  std::map<std::string, std::set<std::string>> nodes, switches;
};
Conf parse_conf(std::istream& in) {
  Conf conf;
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string name;
    for (std::string word; words >> word && word[0] != '#';) {
      const std::string value = word.substr(word.find('=') + 1);
      if (word.starts_with("SwitchName=")) name = value;
      const std::vector<std::string> list = expand_hostlist(value);
      if (word.starts_with("Nodes=")) conf.nodes[name] = {list.begin(), list.end()};
      if (word.starts_with("Switches=")) conf.switches[name] = {list.begin(), list.end()};
    }
  }
  return conf;
}

Conf conf_of(const Model& model) {
  std::stringstream file;
  write_slurm(file, model);
  return parse_conf(file);
}

// The roots, after checking that hosts and switches have one parent each.
std::set<std::string> roots(const Conf& conf) {
  std::set<std::string> hosts, children, all;
  for (const auto& [name, nodes] : conf.nodes) {
    EXPECT_FALSE(conf.switches.contains(name)) << name;
    EXPECT_FALSE(nodes.empty());
    all.insert(name);
    for (const std::string& host : nodes) EXPECT_TRUE(hosts.insert(host).second) << host;
  }
  for (const auto& [name, below] : conf.switches) {
    all.insert(name);
    for (const std::string& child : below) {
      EXPECT_TRUE(conf.nodes.contains(child) || conf.switches.contains(child)) << child;
      EXPECT_TRUE(children.insert(child).second) << child;
    }
  }
  for (const std::string& child : children) all.erase(child);
  return all;
}

TEST(Slurm, TreesByTheirLevels) {
  const Conf conf = conf_of(Model(make_fabric("ft(4,3)")));
  EXPECT_EQ(conf.nodes.size(), 8U);
  EXPECT_EQ(conf.switches.size(), 5U);  // 4 pods, and all
  EXPECT_EQ(roots(conf).size(), 1U);
  EXPECT_EQ(conf_of(Model(make_fabric("xgft(1;24;1)"))).nodes.size(), 1U);
}

TEST(Slurm, UnitsAreLeaves) {
  const Model model(test::rail_fabric({.units = 3, .hosts = 6, .storage_leaf = true}));
  const Conf conf = conf_of(model);
  ASSERT_EQ(conf.nodes.size(), 3U);
  EXPECT_EQ(conf.nodes.at("unit2").size(), 6U);
  EXPECT_TRUE(conf.nodes.at("unit2").contains("host2-03"));
  EXPECT_EQ(roots(conf), std::set<std::string>{"fabric"});
}

TEST(Slurm, NoRootOverPartsThatNoCableJoins) {
  const Conf conf = conf_of(Model(test::sketch("A:4 B:4 C:4 D:4 S T A-S B-S C-T D-T")));
  EXPECT_EQ(conf.nodes.size(), 4U);
  EXPECT_EQ(roots(conf).size(), 2U);
}

TEST(Slurm, NamesThatTheReaderSurvives) {
  EXPECT_EQ(slurm_name("S-0008f10500108530"), "S-0008f10500108530");
  EXPECT_EQ(slurm_name("S-1234567890123456789"), "S-1234567890123456789_");
  EXPECT_EQ(slurm_name("Voltaire 4036 # x"), "Voltaire_4036___x");
  EXPECT_EQ(slurm_name(""), "_");
  EXPECT_LE(slurm_name(std::string(200, '7')).size(), 63U);
}

TEST(Slurm, BlocksAndYaml) {
  const Model model(test::rail_fabric({.units = 5, .hosts = 6}));
  std::stringstream blocks;
  write_slurm_blocks(blocks, model);
  EXPECT_NE(blocks.str().find("BlockName=unit5 Nodes=host5-[01-06]\n"), std::string::npos);
  EXPECT_NE(blocks.str().find("BlockSizes=6,12,24\n"), std::string::npos);
  std::stringstream yaml;
  write_slurm_yaml(yaml, model);
  EXPECT_NE(yaml.str().find("children: \"unit[1-5]\""), std::string::npos) << yaml.str();
  EXPECT_NE(yaml.str().find("block_sizes: [6, 12, 24]"), std::string::npos);
}

// X5's own file was made by another program from the same ibnetdiscover file. It names hosts that
// the file does not (a name map that was not published), so hosts are compared by number.
TEST(Slurm, LeavesOfX5) {
  if (!test::is_here("x5/X5.topology.conf")) return;
  const std::string conf_path = test::lifelike("x5/X5.topology.conf");
  const Fabric unnamed = load_fabric(test::lifelike("x5/X5.topofile")).fabric;
  NodeNameMap names;  // its hosts have none
  for (const Node node : ids<Node>(unnamed.num_nodes())) {
    if (!unnamed.is_switch(node)) names[unnamed.guid(node)] = "n" + std::to_string(index(node));
  }
  const Model model(with_names(unnamed, names));
  const Fabric& fabric = model.fabric();
  std::ifstream theirs_file(conf_path);
  const Conf theirs = parse_conf(theirs_file);
  const Conf ours = conf_of(model);
  EXPECT_EQ(ours.nodes.size(), theirs.nodes.size());
  for (const auto& [name, nodes] : theirs.nodes) {
    const std::string hosts_on_it = ours.nodes.contains(name) ? name : name + ".hosts";
    ASSERT_TRUE(ours.nodes.contains(hosts_on_it)) << name;
    std::size_t hosts = 0;  // on that switch by the cables
    for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
      if (fabric.id(fabric.node(fabric.leaf(t))) == name) ++hosts;
    }
    EXPECT_EQ(ours.nodes.at(hosts_on_it).size(), hosts) << name;
  }
  EXPECT_EQ(roots(ours).size(), 1U);
}

TEST(Slurm, RealFabricsWithRails) {
  for (const auto& [name, units, hosts, rails] :
       std::vector<std::tuple<std::string, std::size_t, std::size_t, std::size_t>>{
           {"selene/selene.compute.txt", 25, 469, 8}, {"dgx-ndr/ibnetdiscover.txt", 8, 120, 4}}) {
    if (!test::is_here(name)) continue;
    const Model model(load_fabric(test::lifelike(name)).fabric);
    const Conf conf = conf_of(model);
    std::size_t leaves = 0;
    std::size_t seen = 0;
    for (const auto& [leaf, nodes] : conf.nodes) {
      if (leaf.starts_with("unit")) ++leaves;
      seen += nodes.size();
    }
    EXPECT_EQ(leaves, units);
    EXPECT_EQ(seen + slurm_tree(model).left_out.size(), map_hosts(model.fabric()).hosts.size());
    EXPECT_EQ(seen, hosts) << name;
    EXPECT_EQ(roots(conf).size(), 1U);
  }
}

}  // namespace
}  // namespace fatwood
