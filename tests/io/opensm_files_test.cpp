// SPDX-License-Identifier: BSD-3-Clause
// The commands of a transition: OpenSM is given a round only if the order of switches is free.

#include "io/opensm/opensm_files.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "io/fabric/spec.hpp"

namespace fatwood {
namespace {

std::string commands_of(const std::vector<RoundNotes>& notes) {
  const Fabric fabric = make_fabric("ft(4,2)");
  const std::vector<ForwardingTables> rounds(
      notes.size(), ForwardingTables(fabric.num_terminals(), fabric.num_switches(), 0));
  const std::filesystem::path folder =
      std::filesystem::path(testing::TempDir()) / "fatwood_opensm_files_test";
  write_round_files(folder.string(), fabric, assign_lids(fabric, 0), rounds, notes);
  std::ifstream file(folder / "commands");
  std::string text{std::istreambuf_iterator<char>(file), {}};
  std::filesystem::remove_all(folder);
  return text;
}

TEST(OpensmFiles, RoundsInAnyOrderHaveCommands) {
  const std::string text = commands_of({{.entries = 3, .drain = true, .order = {}}, {}});
  EXPECT_NE(text.find("cp round1.lft now.lft && kill -HUP"), std::string::npos);
  EXPECT_NE(text.find("cp round2.lft now.lft && kill -HUP"), std::string::npos);
}

TEST(OpensmFiles, ARoundThatNeedsAnOrderHasNone) {
  const std::string text =
      commands_of({{.entries = 3, .drain = true, .order = {"leaf", "spine"}}, {}});
  EXPECT_TRUE(text.starts_with("# Run in this folder, as root"));  // known as ours, so replaceable
  EXPECT_EQ(text.find("kill -HUP"), std::string::npos);
  EXPECT_NE(text.find("leaf spine"), std::string::npos);
}

}  // namespace
}  // namespace fatwood
