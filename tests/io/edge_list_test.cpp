// SPDX-License-Identifier: BSD-3-Clause
// Edge lists: what small files say, with and without ports and hosts, and an error for each rule.

#include "io/fabric/edge_list.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "support/input_error.hpp"
#include "support/temp_folder.hpp"

namespace fatwood {
namespace {

Fabric fabric_of(std::string_view edges, std::string_view hosts = {}) {
  Input input(edges, "e");
  if (hosts.empty()) return read_edge_list(input, nullptr).fabric;
  Input second(hosts, "h");
  return read_edge_list(input, &second).fabric;
}

// "a[1]-b[2] ...", each cable once, from the lower channel.
std::string cables_of(const Fabric& fabric) {
  std::string text;
  for (const Channel c : ids<Channel>(fabric.num_channels())) {
    if (!fabric.connected(c) || fabric.peer(c) < c) continue;
    for (const Channel end : {c, fabric.peer(c)}) {
      text += fabric.id(fabric.owner(end));
      text += "[" + std::to_string(index(fabric.port(end))) + "]" + (end == c ? "-" : " ");
    }
  }
  return text;
}

void refuses(std::string_view edges, std::string_view hosts, std::string_view message) {
  const std::string error = test::input_error_of([&] { fabric_of(edges, hosts); });
  EXPECT_NE(error.find(message), std::string::npos) << error;
}

TEST(EdgeList, NodesWithOneCableAreHosts) {
  const Fabric fabric = fabric_of("# ring\nA B {}\nB\tC {'w': 2}\nC,A 4xHDR # last\nA x\nB y\n");
  EXPECT_EQ(fabric.num_switches(), 3);
  EXPECT_EQ(fabric.num_adapters(), 2);
  EXPECT_EQ(cables_of(fabric), "x[1]-A[3] y[1]-B[3] A[1]-B[1] A[2]-C[2] B[2]-C[1] ");
}

TEST(EdgeList, PortsAreKept) {
  const Fabric fabric = fabric_of("A 7 B 2\nA 2 B 9\nA 1 x 1\n");
  EXPECT_EQ(cables_of(fabric), "x[1]-A[1] A[2]-B[9] A[7]-B[2] ");
}

TEST(EdgeList, HostsOfASecondFile) {
  const Fabric fabric = fabric_of("A B\nB A\n", "* 1\nA = n[1-2],m\nB = m\n");
  EXPECT_EQ(fabric.num_switches(), 2);
  EXPECT_EQ(cables_of(fabric),
            "A-h0[1]-A[3] n1[1]-A[4] n2[1]-A[5] m[1]-A[6] m[2]-B[4] B-h0[1]-B[3] A[1]-B[1] "
            "A[2]-B[2] ");
}

TEST(EdgeList, SaysWhatIsWrong) {
  refuses("A B\nC\n", "", "e:2:1: expected an edge");
  refuses("A B C\n", "", "expected a rate");
  refuses("A 1 B 1\nA B\n", "", "without ports after lines with ports");
  refuses("A A\n", "", "two different nodes");
  refuses("A 0 B 1\n", "", "expected a port from 1 to 254, found '0'");
  refuses("A 1 B 1\nA 1 C 1\n", "", "e:2");
  refuses("# nothing\n", "", "expected an edge");
  refuses("A B\nB C\nC A\n", "", "no hosts");
  refuses("A B\n", "C 1\n", "h:1:1: expected a switch of the edges, found 'C'");
  refuses("A B\n", "A\n", "SWITCH COUNT");
  refuses("A B\n", "A many\n", "expected a number of hosts");
  refuses("A B\n", "A = B\n", "B is a switch");
  refuses("A B\n", "# none\n", "expected hosts");
}

TEST(EdgeList, TheWordNamesOneOrTwoFiles) {
  const test::TempFolder folder;
  const std::string edges = folder.path() + "/e", hosts = folder.path() + "/h";
  std::ofstream(edges) << "A B\n";
  std::ofstream(hosts) << "* 2\n";
  EXPECT_TRUE(is_edge_list("edges:x"));
  EXPECT_FALSE(is_edge_list("./edges:x"));
  const LoadedFabric loaded = load_fabric("edges:" + edges + "," + hosts);
  EXPECT_EQ(loaded.format, "edges");
  EXPECT_EQ(loaded.fabric.num_adapters(), 4);
}

}  // namespace
}  // namespace fatwood
