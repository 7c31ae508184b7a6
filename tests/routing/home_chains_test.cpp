// SPDX-License-Identifier: BSD-3-Clause
// The tables that even starts from: where hosts are missing, hosts of a leaf come from any other
// leaf on different cables down.

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "io/fabric/spec.hpp"
#include "routing/tree/sftree.hpp"
#include "topology/change/faults.hpp"

namespace fatwood {
namespace {

// Without about a sixth of the hosts.
Fabric with_fewer_hosts(const std::string& spec) {
  const Fabric fabric = make_fabric(spec);
  std::vector<FaultRequest> orders;
  for (std::uint32_t i = 0; i < fabric.num_terminals(); ++i) {
    if (i * (i + 3) % 11 == 4) orders.push_back({FaultKind::kRemove, "H" + std::to_string(i), {}});
  }
  return with_faults(fabric, find_faults(fabric, orders, {}));
}

// The last channel between switches of the route from a leaf to a host elsewhere.
Channel last_of(const Fabric& fabric, const ForwardingTables& tables, Switch from, Terminal to) {
  Channel last = kNone<Channel>;
  for (Switch s = from; s != fabric.leaf(to); s = fabric.next_switch(last)) {
    last = fabric.channel(fabric.node(s), tables.at(tables.destination(to), s));
  }
  return last;
}

TEST(HomeChains, HostsOfALeafComeOnDifferentCables) {
  for (const std::string spec :
       {"pgft(3;10,7,4;1,5,7;1,2,1)", "pgft(2;12,8;1,6;1,2)", "xgft(3;8,8,4;1,8,8)"}) {
    const Model model(with_fewer_hosts(spec));
    const Fabric& fabric = model.fabric();
    ASSERT_TRUE(model.recognition().map) << spec;
    ASSERT_GT(50 * model.recognition().map->missing_hosts, fabric.num_terminals()) << spec;
    const SubTreeRouting laid = lay_sftree(model, {}, Chains::kHome);
    const ForwardingTables& tables = laid.tree.tables;
    std::set<Switch> leaves;
    for (const Terminal t : ids<Terminal>(fabric.num_terminals())) leaves.insert(fabric.leaf(t));
    for (const Switch from : leaves) {
      std::map<Switch, std::set<Channel>> last;
      std::map<Switch, std::size_t> hosts;
      for (const Terminal to : ids<Terminal>(fabric.num_terminals())) {
        const Switch leaf = fabric.leaf(to);
        if (leaf == from) continue;
        last[leaf].insert(last_of(fabric, tables, from, to));
        ++hosts[leaf];
      }
      for (const auto& [leaf, count] : hosts) {
        EXPECT_EQ(last[leaf].size(), count) << spec << ' ' << index(from) << ' ' << index(leaf);
      }
    }
  }
}

}  // namespace
}  // namespace fatwood
