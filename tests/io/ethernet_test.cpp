// SPDX-License-Identifier: BSD-3-Clause
// Readers of Ethernet devices' output: what small files say, and how reports are merged.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "core/error.hpp"
#include "io/base/input.hpp"
#include "io/ethernet/merge.hpp"
#include "io/ethernet/read_ethernet.hpp"
#include "io/fabric/load_fabric.hpp"
#include "support/fixtures.hpp"
#include "topology/interface_name.hpp"

namespace fatwood {
namespace {

// Each file by its path, as read from a folder.
using Files = std::map<std::string, std::string>;

LoadedFabric read(const Files& files, const LoadOptions& options = {}) {
  std::vector<DeviceReport> reports;
  Warnings warnings("test");
  for (const auto& [path, text] : files) {
    Input input(std::string_view(text), path);
    DeviceReports one = read_device_reports(input, device_in_path(path));
    std::ranges::move(one.devices, std::back_inserter(reports));
    warnings.append(one.warnings);
  }
  return merge_reports(std::move(reports), "test", warnings, options);
}

std::string end_text(const LoadedFabric& loaded, Channel c) {
  return std::string(display_name(loaded.fabric, loaded.fabric.owner(c))) + '[' +
         std::string(loaded.run.label(c)) + ']';
}
// "leaf1[swp1] spine1[swp7] 400G", the ends in the order of names.
std::set<std::string> cables(const LoadedFabric& loaded) {
  std::set<std::string> all;
  for (const Channel c : ids<Channel>(loaded.fabric.num_channels())) {
    if (!loaded.fabric.connected(c) || c > loaded.fabric.peer(c)) continue;
    std::string a = end_text(loaded, c), b = end_text(loaded, loaded.fabric.peer(c));
    if (b < a) std::swap(a, b);
    all.insert(a + ' ' + b + ' ' + to_string(loaded.fabric.rate(c)));
  }
  return all;
}
using Set = std::set<std::string>;

bool warns(const LoadedFabric& loaded, std::string_view words) {
  return std::ranges::any_of(loaded.warnings, [&](const std::string& text) {
    return text.find(words) != std::string::npos;
  });
}

LoadedFabric corpus(const std::string& file) {
  return load_fabric(test::kept("fuzz/corpus/ethernet/" + file).string());
}

std::string neighbour(const std::string& port, const std::string& peer, const std::string& far) {
  return "lldp." + port + ".via=LLDP\nlldp." + port + ".chassis.name=" + peer + "\nlldp." + port +
         ".port.ifname=" + far + '\n';
}

// A plan has labels for switches only, and none inside a box.
TEST(Ethernet, EachFormatSaysItsCables) {
  EXPECT_EQ(cables(corpus("lldpd.json")),
            (Set{"lldpd[swp1] spine1[swp7] 400G", "gpu1 ens4f0np0[ens4f0np0] lldpd[swp9] 400G"}));
  EXPECT_EQ(cables(corpus("json0.json")), Set{"ethernet[swp1] spine1[swp7] 100G"});
  EXPECT_EQ(cables(corpus("keyvalue.txt")),
            (Set{"gpu1 eth1[eth1] leaf1[swp3] 100G", "gpu1 eth2[eth2] leaf2[swp3] 100G"}));
  EXPECT_EQ(cables(corpus("config_db.json")), (Set{"leaf1[Ethernet0] spine1[Ethernet8] 400G",
                                                   "leaf1[Ethernet8] spine2[Ethernet8] 400G"}));
  EXPECT_EQ(cables(corpus("appl_db.json")), Set{"leaf1[Ethernet0] spine1[Eth1/3] 100G"});
  EXPECT_EQ(cables(corpus("netq.json")),
            (Set{"gpu1 eth1[eth1] leaf1[swp1s0] 100G", "gpu1 eth2[eth2] leaf1[swp1s1] 100G"}));
  EXPECT_EQ(cables(corpus("air.dot")),
            (Set{"leaf1[swp51] spine1[swp1] 100G", "leaf1[swp1] server1 eth1[] 100G"}));
  EXPECT_EQ(cables(corpus("air.json")),
            (Set{"leaf1[] leaf1[] 100G", "leaf1[swp1] server1 eth1[] 100G"}));
  EXPECT_EQ(cables(corpus("eos.json")), Set{"eos[Ethernet1] spine1[Ethernet4] 100G"});
  EXPECT_EQ(cables(corpus("junos.json")), Set{"junos[xe-0/0/0] spine1[xe-0/0/4] 100G"});
  EXPECT_EQ(cables(corpus("clab.yml")),
            (Set{"leaf1[e1-1] spine1[e1-1] 100G", "client1 eth1[] leaf1[ethernet-1/3] 100G"}));
  EXPECT_EQ(cables(corpus("suzieq.json")), Set{"leaf1[swp1] spine1[swp2] 100G"});
  EXPECT_EQ(cables(corpus("layer1.json")), Set{"ed02[Ethernet2] ra01[Ethernet2] 100G"});
  EXPECT_EQ(corpus("minigraph.xml").fabric.num_cables(), 1U);
  EXPECT_EQ(corpus("lldp_table.txt").fabric.num_cables(), 2U);
  EXPECT_EQ(corpus("lldpctl.txt").fabric.num_cables(), 1U);
}

TEST(Ethernet, BothEndsAreOneCable) {
  const LoadedFabric loaded = read({{"leaf1.txt", neighbour("swp1", "spine1.dc.example", "swp7")},
                                    {"spine1.txt", neighbour("swp7", "LEAF1", "swp1")}});
  EXPECT_EQ(cables(loaded), Set{"leaf1[swp1] spine1[swp7] 100G"});
  EXPECT_FALSE(warns(loaded, "one-sided"));
  EXPECT_NE(loaded.note.find("100G"), std::string::npos);
}

TEST(Ethernet, NeighboursNameADevice) {
  const LoadedFabric loaded = read({{"1.txt", neighbour("swp1", "spine1", "swp7")},
                                    {"2.txt", neighbour("swp7", "leaf1", "swp1")}});
  EXPECT_EQ(cables(loaded), Set{"leaf1[swp1] spine1[swp7] 100G"});
}

TEST(Ethernet, OneSidedCablesAndContradictionsAreWarnings) {
  const LoadedFabric loaded = read(
      {{"leaf1.txt", neighbour("swp1", "spine1", "swp7") + neighbour("swp2", "spine1", "swp8")},
       {"leaf2.txt", neighbour("swp1", "spine1", "swp7")},
       {"spine1.txt", neighbour("swp7", "leaf2", "swp1")}});
  EXPECT_EQ(cables(loaded),
            (Set{"leaf1[swp2] spine1[swp8] 100G", "leaf2[swp1] spine1[swp7] 100G"}));
  EXPECT_TRUE(warns(loaded, "one-sided: leaf1[swp2] to spine1[swp8]"));
  EXPECT_TRUE(warns(loaded, "leaf1[swp1] leads to spine1[swp7], but"));
}

TEST(Ethernet, LeftOut) {
  const LoadedFabric loaded = read(
      {{"leaf1.txt", neighbour("swp1", "spine1", "swp7") + neighbour("eth0", "oob", "swp3") +
                         neighbour("swp1.100", "spine1", "swp7.100") +
                         neighbour("swp5", "gpu1", "eth1") + neighbour("swp5", "gpu2", "eth1")}});
  EXPECT_EQ(cables(loaded), Set{"leaf1[swp1] spine1[swp7] 100G"});
  EXPECT_TRUE(warns(loaded, "shared segment"));
  EXPECT_TRUE(warns(loaded, "a management port"));
}

TEST(Ethernet, AliasesAndSpeedsOfSonic) {
  const std::string spine = R"({"DEVICE_METADATA": {"localhost": {"hostname": "spine1"}},
    "PORT": {"Ethernet0": {"alias": "Eth1/1", "speed": "200000"},
             "Ethernet8": {"alias": "Eth1/2", "speed": "200000"}}})";
  const std::string leaf = R"({"DEVICE_METADATA": {"localhost": {"hostname": "leaf1"}},
    "PORT": {"Ethernet0": {"alias": "Eth1/1", "speed": "400000"}},
    "LLDP_ENTRY_TABLE": {"Ethernet0": {"lldp_rem_sys_name": "spine1",
      "lldp_rem_port_id": "Eth1/2", "lldp_rem_port_desc": "to leaf1"}}})";
  const LoadedFabric loaded = read({{"spine.json", spine}, {"leaf.json", leaf}});
  EXPECT_EQ(cables(loaded), Set{"leaf1[Ethernet0] spine1[Ethernet8] 200G"});
  EXPECT_TRUE(
      warns(loaded, "speeds differ: leaf1[Ethernet0] has 400G, spine1[Ethernet8] has 200G"));
}

TEST(Ethernet, WhatIsMeantIsComparedWithWhatIsSeen) {
  const std::string meant = R"({"DEVICE_METADATA": {"localhost": {"hostname": "leaf1"}},
    "DEVICE_NEIGHBOR": {"Ethernet0": {"name": "spine2", "port": "Ethernet0"},
                        "Ethernet4": {"name": "gpu1", "port": "eth1"}}})";
  const LoadedFabric loaded = read({{"leaf1/config_db.json", meant},
                                    {"leaf1/lldp.txt", neighbour("Ethernet0", "spine1", "swp1")}});
  EXPECT_EQ(cables(loaded),
            (Set{"leaf1[Ethernet0] spine1[swp1] 100G", "gpu1 eth1[eth1] leaf1[Ethernet4] 100G"}));
  EXPECT_TRUE(warns(loaded, "should lead to spine2[Ethernet0]"));
  EXPECT_EQ(loaded.plan, nullptr);
  EXPECT_NE(read({{"leaf1.json", meant}}).plan, nullptr);
}

TEST(Ethernet, RateIsAskedFor) {
  const Files files{{"leaf1.txt", neighbour("swp1", "spine1", "swp7")}};
  EXPECT_EQ(cables(read(files, {.rate = "400"})), Set{"leaf1[swp1] spine1[swp7] 400G"});
  EXPECT_TRUE(read(files, {.rate = "400G"}).note.empty());
  EXPECT_THROW(read(files, {.rate = "123"}), InputError);
}

TEST(Ethernet, MoreThan254PortsAreRefused) {
  std::string text;
  for (int i = 1; i <= 255; ++i) {
    text += neighbour("swp" + std::to_string(i), "gpu" + std::to_string(i), "eth1");
  }
  try {
    read({{"leaf1.txt", text}});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("254"), std::string::npos);
  }
}

TEST(Ethernet, NumbersFollowNames) {
  const Files files{
      {"leaf1.txt", neighbour("swp9", "spine1", "swp7") + neighbour("swp1s1", "gpu1", "eth1")}};
  const LoadedFabric loaded = read(files);
  const PortNumbers numbers = port_numbers(loaded.fabric, loaded.run);
  EXPECT_EQ(numbers.at("leaf1").at("swp1s1"), 1U);
  EXPECT_EQ(numbers.at("leaf1").at("swp9"), 2U);
  EXPECT_EQ(numbers.at("spine1").at("swp7"), 7U);
  // A fabric that is compared keeps the numbers of the first.
  const Files more{{"leaf1.txt", files.at("leaf1.txt") + neighbour("swp1s0", "gpu2", "eth1")}};
  const auto like = std::make_shared<const PortNumbers>(numbers);
  const LoadedFabric other = read(more, {.like = like});
  EXPECT_EQ(port_numbers(other.fabric, other.run).at("leaf1").at("swp9"), 2U);
  EXPECT_EQ(port_numbers(other.fabric, other.run).at("leaf1").at("swp1s0"), 3U);
}

TEST(Ethernet, NamesOfInterfaces) {
  EXPECT_EQ(canonical_interface("Eth1/1"), canonical_interface("Ethernet1/1"));
  EXPECT_EQ(canonical_interface("Et4"), canonical_interface("Ethernet4"));
  EXPECT_EQ(canonical_interface("e1-1"), canonical_interface("ethernet-1/1"));
  EXPECT_EQ(canonical_interface("xe-0/0/1.0"), "xe-0/0/1");
  EXPECT_NE(canonical_interface("eth0"), canonical_interface("Ethernet0"));
  for (const char* name : {"eth0", "mgmt0", "Management1", "em0", "ma1", "fxp0"}) {
    EXPECT_EQ(interface_use(name), InterfaceUse::kManagement) << name;
  }
  EXPECT_EQ(interface_use("swp1.100"), InterfaceUse::kLogical);
  EXPECT_EQ(interface_use("PortChannel0001"), InterfaceUse::kBundle);
  EXPECT_EQ(interface_use("Vlan100"), InterfaceUse::kVirtual);
  EXPECT_EQ(interface_use("swp1s0"), InterfaceUse::kPort);
}

TEST(Ethernet, NamesOfFiles) {
  EXPECT_EQ(device_in_path("dump/leaf1/lldp.json"), "leaf1");
  EXPECT_EQ(device_in_path("leaf1-lldp.txt"), "leaf1");
  EXPECT_EQ(device_in_path("x/show_lldp_neighbors_leaf-01.json"), "leaf-01");
  EXPECT_EQ(device_in_path("sonic_dump_leaf1_20240131_101500.tar.gz/dump/lldpctl"), "leaf1");
}

// Public samples; the counts are those of a script that knows only JSON.
TEST(Ethernet, Samples) {
  const auto sizes = [](const std::string& file) {
    const LoadedFabric loaded = load_fabric(test::kept("fixtures/ethernet/" + file).string());
    return std::vector<std::size_t>{loaded.fabric.num_switches(), loaded.fabric.num_adapters(),
                                    loaded.fabric.num_cables()};
  };
  EXPECT_EQ(sizes("netq/topologyGraph.json"), (std::vector<std::size_t>{3, 32, 79}));
  EXPECT_EQ(sizes("suzieq/dual-bgp.output"), (std::vector<std::size_t>{9, 2, 22}));
  EXPECT_EQ(sizes("suzieq/eos.output"), (std::vector<std::size_t>{9, 0, 18}));
  EXPECT_EQ(sizes("containerlab/clos02.clab.yml"), (std::vector<std::size_t>{10, 4, 16}));
}

TEST(Ethernet, BadJsonNamesItsLine) {
  const std::string text = "{\"lldp\": {\"interface\": [\n{\"swp1\": oops}]}}";
  Input input(std::string_view(text), "bad.json");
  try {
    read_fabric(input);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(std::string(error.what()).substr(0, 11), "bad.json:2:");
  }
}

}  // namespace
}  // namespace fatwood
