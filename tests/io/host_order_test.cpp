// SPDX-License-Identifier: BSD-3-Clause
// The order of hosts from files.

#include <gtest/gtest.h>

#include <fstream>

#include "core/error.hpp"
#include "io/fabric/spec.hpp"
#include "io/lists/host_order_file.hpp"
#include "support/input_error.hpp"
#include "support/temp_folder.hpp"
#include "topology/hosts/rails.hpp"

namespace fatwood {
namespace {

class HostOrderFile : public testing::Test {
 protected:
  std::vector<std::string> read(const std::string& text) {
    const std::string path = folder_ / "order";
    std::ofstream(path) << text;
    const Hosts hosts = named_hosts(fabric_);
    std::vector<std::string> names;
    for (const Host h : read_host_order(fabric_, hosts, path).hosts) {
      names.emplace_back(hosts.name(h));
    }
    return names;
  }

  test::TempFolder folder_;
  const Fabric fabric_ = make_fabric("ft(4,2)");  // H0 to H7
};

using Names = std::vector<std::string>;

TEST_F(HostOrderFile, NamesInLists) {
  EXPECT_EQ(read("# the first rack\nH[4-5]\n  H0 # spare\n\nH7,H1\n"),
            (Names{"H4", "H5", "H0", "H7", "H1"}));
  EXPECT_EQ(read("H3,elsewhere\n"), Names{"H3"});
}

TEST_F(HostOrderFile, SlurmsTopology) {
  EXPECT_EQ(read("# by hand\n"
                 "SwitchName=top Switches=leaf[1-2] LinkSpeed=1\n"
                 "switchname=leaf2 nodes=H[4-7]\n"
                 "SwitchName=leaf1 Nodes=H[0-3] LinkSpeed=1\n"),
            (Names{"H4", "H5", "H6", "H7", "H0", "H1", "H2", "H3"}));
  EXPECT_EQ(read("BlockName=b1 Nodes=H[2-3]\nBlockName=b2 Nodes=H[0-1]\nBlockSizes=2\n"),
            (Names{"H2", "H3", "H0", "H1"}));
  // A host of two leaves counts on the last.
  EXPECT_EQ(read("SwitchName=a Nodes=H[0-2]\nSwitchName=b Nodes=H1\n"), (Names{"H0", "H2", "H1"}));
}

TEST_F(HostOrderFile, WrongFiles) {
  EXPECT_THROW(read(""), InputError);
  EXPECT_THROW(read("H1\nH2\nH1\n"), InputError);
  EXPECT_THROW(read("SwitchName=top Switches=a\n"), InputError);
  EXPECT_THROW(read("nobody\n"), InputError);
  EXPECT_THROW(read("H[1-\n"), InputError);
}

}  // namespace
}  // namespace fatwood
