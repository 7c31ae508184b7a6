// SPDX-License-Identifier: BSD-3-Clause
// Node lists: names, GUIDs, ports, and what is refused.

#include "io/lists/node_list.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "support/temp_folder.hpp"
#include "topology/builder.hpp"

namespace fatwood {
namespace {

Fabric small() {
  FabricBuilder builder;
  const auto spine = builder.add_switch("S1", 4, 0x51);
  const auto leaf = builder.add_switch("S2", 4, 0x52);
  const auto a = builder.add_adapter("H1", 2, 0xa0);
  const auto b = builder.add_adapter("H2", 1, 0xb0);
  builder.set_description(spine, "MF0;top:MQM8700/U1");
  builder.set_description(a, "node one");
  builder.set_description(b, "twin");
  builder.set_description(leaf, "twin");
  builder.connect(spine, Port{1}, leaf, Port{1});
  builder.connect(a, Port{1}, leaf, Port{2});
  builder.connect(a, Port{2}, leaf, Port{3});
  builder.connect(b, Port{1}, leaf, Port{4});
  return builder.build();
}

std::string written(const std::string& text) {
  static const test::TempFolder folder;
  const std::string path = folder / "list";
  std::ofstream(path) << text;
  return path;
}

std::string message(const Fabric& fabric, const std::string& text) {
  try {
    read_terminal_list(fabric, written(text));
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(NodeList, TakesNamesGuidsAndPorts) {
  const Fabric fabric = small();
  const auto list =
      read_terminal_list(fabric, written("# first\n\n0xb1\r\n  node one[2]\nH1[1]\n"));
  EXPECT_EQ(list, (std::vector{Terminal{2}, Terminal{1}, Terminal{0}}));
  EXPECT_EQ(read_terminal_list(fabric, written("node one")),
            (std::vector{Terminal{0}, Terminal{1}}));
  EXPECT_EQ(read_terminal_list(fabric, written("0xA0\n")), (std::vector{Terminal{0}, Terminal{1}}));
  EXPECT_EQ(read_switch_list(fabric, written("top\n0x52\n")), (std::vector{Switch{0}, Switch{1}}));
}

TEST(NodeList, NamesFileAndLine) {
  const Fabric fabric = small();
  EXPECT_NE(message(fabric, "H1\nnobody\n").find("list:2:"), std::string::npos);
  EXPECT_NE(message(fabric, "twin\n").find("2 nodes are called"), std::string::npos);
  EXPECT_NE(message(fabric, "S1\n").find("switch"), std::string::npos);
  EXPECT_NE(message(fabric, "H2[2]\n").find("no port 2"), std::string::npos);
  EXPECT_THROW(read_switch_list(fabric, written("H1\n")), InputError);
  EXPECT_THROW(read_switch_list(fabric, "/absent/list"), InputError);
}

TEST(NodeList, ManagerIsASwitchOrOnOne) {
  const Fabric fabric = small();
  const TerminalNames names(fabric);
  EXPECT_EQ(names.leaf_of("top", {}), Switch{0});
  EXPECT_EQ(names.leaf_of("0x51", {}), Switch{0});
  EXPECT_EQ(names.leaf_of("node one", {}), Switch{1});
  EXPECT_THROW(names.leaf_of("nobody", {}), InputError);
}

}  // namespace
}  // namespace fatwood
