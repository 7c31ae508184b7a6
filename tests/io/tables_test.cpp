// SPDX-License-Identifier: BSD-3-Clause
// Forwarding tables: written and read back, OpenSM's three texts, what does not fit, what is cut.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "core/error.hpp"
#include "io/base/input.hpp"
#include "io/fabric/load_fabric.hpp"
#include "io/tables/lfts.hpp"
#include "io/tables/load_tables.hpp"
#include "oracle/bfs_tables.hpp"
#include "support/input_error.hpp"
#include "support/real_fabrics.hpp"
#include "support/temp_folder.hpp"
#include "topology/generate/tree.hpp"

namespace fatwood {
namespace {

std::string written(const Fabric& fabric, const ForwardingTables& tables) {
  std::ostringstream out;
  write_lfts(out, fabric, tables, assign_lids(fabric, tables.lmc()));
  return out.str();
}
LoadedTables read(std::string_view text, const Fabric& fabric) {
  Input input(text, "lft");
  return read_tables(input, fabric);
}
std::string error_of(std::string_view text, const Fabric& fabric) {
  return test::input_error_of([&] { read(text, fabric); });
}
Fabric read_net(std::string_view text) {
  Input input(text, "net");
  return read_fabric(input).fabric;
}
bool warns(const LoadedTables& loaded, std::string_view part) {
  for (const std::string& text : loaded.warnings) {
    if (text.find(part) != std::string::npos) return true;
  }
  return false;
}

constexpr std::string_view kNet =
    "switchguid=0xa1(a1)\nSwitch 4 \"S1\" # \"one\" base port 0 lid 17 lmc 0\n"
    "[1] \"H0\"[1]\n[2] \"H1\"[1]\n\n"
    "caguid=0xb0\nHca 1 \"H0\"\n[1](b1) \"S1\"[1] # lid 1 lmc 0\n\n"
    "caguid=0xc0\nHca 1 \"H1\"\n[1](c1) \"S1\"[2] # lid 2 lmc 0\n";

TEST(Tables, WriteAndReadAgree) {
  const Fabric tree = make_tree(xgft({4, 4, 4}, {1, 2, 2}));
  for (const unsigned lmc : {0U, 1U, 3U}) {
    ForwardingTables tables = test::bfs_tables(tree, lmc);
    if (lmc > 0) tables.row(Destination{1})[0] = kNoRoute;
    const LoadedTables loaded = read(written(tree, tables), tree);
    EXPECT_EQ(loaded.tables.lmc(), lmc);
    EXPECT_TRUE(loaded.tables == tables);
    EXPECT_EQ(loaded.format, "lfts.dump");
    EXPECT_EQ(loaded.warnings.size(), lmc > 0 ? 1U : 0U);
    EXPECT_EQ(loaded.lids.terminal, assign_lids(tree, lmc).terminal);
    EXPECT_EQ(loaded.lids.switches, assign_lids(tree, lmc).switches);
  }
}

TEST(Tables, WithoutGuidsTheLidsTell) {
  const Fabric tree = make_tree(xgft({4, 4}, {1, 2}));
  for (const unsigned lmc : {0U, 2U}) {
    const ForwardingTables tables = test::bfs_tables(tree, lmc);
    std::istringstream in(written(tree, tables));
    std::string bare;
    for (std::string line; std::getline(in, line);) bare += line.substr(0, line.find(" #")) + "\n";
    EXPECT_TRUE(read(bare, tree).tables == tables);
  }
}

TEST(Tables, OpenSmsThreeTextsSayTheSame) {
  const Fabric fabric = read_net(kNet);
  const ForwardingTables tables = test::bfs_tables(fabric);
  for (const std::string_view text :
       {"Unicast lids [0-17] of switch Lid 17 guid 0x00000000000000a1 ('one'):\n"
        "0x0001 001 # Channel Adapter portguid 0x00000000000000b1: 'H0'\n"
        "0x0002 002 # Channel Adapter portguid 0x00000000000000c1: 'H1'\n"
        "0x0011 000 # Switch portguid 0x00000000000000a1: 'one'\n17 lids dumped\n",
        "Unicast lids [0x0-0x11] of switch DR path slid 0; dlid 0; 0,1 guid 0xa1 (one):\n"
        "  Lid  Out   Destination\n       Port     Info \n"
        "0x0001 001 : (Channel Adapter portguid 0x00000000000000b1: 'H0')\n"
        "0x0002 002 : (Channel Adapter portguid 0x00000000000000c1: 'H1')\n"
        "0x0011 000 : (Switch portguid 0x00000000000000a1: 'one')\n3 valid lids dumped \n",
        "dump_ucast_routes: Switch 0x00000000000000a1\nLID    : Port : Hops : Optimal\n"
        "0x0001 : 001  : 01   : yes\n0x0002 : 002  : 01   : yes\n0x0003 : UNREACHABLE\n"
        "0x0011 : 000  : 00   : yes\n",
        "# File created at : a day\nosm_ucast_mgr_dump_ucast_routes: Switch 0x00000000000000a1\n"
        "PLFT_NUM: 0\nLID    : Port : Hops : Optimal\n0x0001 : 001  : 00   : yes\n"
        "0x0002 : 002  : 00   : yes\n0x0011 : 000  : 00   : yes\nPLFT_NUM: 1\n"
        "0x0001 : 001  : 00   : yes\n0x0002 : 002  : 00   : yes\n0x0011 : 000  : 00   : yes\n"
        "# File closed at : a day\n",
        "Unicast lids of guid 0xa1\n0x1 1\n0x2 2\n0x11 0"}) {
    const LoadedTables loaded = read(text, fabric);
    EXPECT_TRUE(loaded.tables == tables) << text;
    EXPECT_TRUE(loaded.warnings.empty()) << loaded.warnings[0];
  }
  EXPECT_EQ(read("dump_ucast_routes: Switch 0xa1\n", fabric).format, "fdbs");
}

TEST(Tables, GuidsSurviveChangedLids) {
  const Fabric fabric = read_net(kNet);
  const LoadedTables loaded = read(
      "Unicast lids [0-40] of switch Lid 17 guid 0xa1 ('one'):\n"
      "0x0002 001 # Channel Adapter portguid 0xb1: 'H0'\n"
      "0x0028 002 # Channel Adapter portguid 0xc1: 'H1'\n"
      "0x0011 000 # Switch portguid 0xa1: 'one'\n",
      fabric);
  EXPECT_TRUE(loaded.tables == test::bfs_tables(fabric));
  EXPECT_EQ(loaded.lids.terminal[Terminal{0}], Lid{2});
  EXPECT_EQ(loaded.lids.terminal[Terminal{1}], Lid{40});
  EXPECT_EQ(loaded.lids.switches[Switch{0}], Lid{17});
}

TEST(Tables, TellsWhatDoesNotFit) {
  const Fabric fabric = read_net(kNet);
  const LoadedTables loaded = read(
      "Unicast lids of switch guid 0xff\n0x0001 001\n"
      "Unicast lids of switch guid 0xa1\n0x0001 009\n0x0002 003\n0x0005 001\n0x0002 000\n",
      fabric);
  EXPECT_TRUE(warns(loaded, "lft:1: tables of a switch that the fabric does not have"));
  EXPECT_TRUE(warns(loaded, "lft:4: a route by a port that the switch does not have"));
  EXPECT_TRUE(warns(loaded, "lft:5: a route by a port without a cable"));
  EXPECT_TRUE(warns(loaded, "disagree on 1 LIDs, which no port of the fabric has; the first is 5"));
  EXPECT_TRUE(
      warns(loaded, "by port 0 to an address that is not the switch's own: the first is LID 2"));
  EXPECT_TRUE(warns(loaded, "3 of 3 table entries have no route: the first is towards H0"));
}

TEST(Tables, RefusesWithPlaceAndExpectation) {
  const Fabric fabric = read_net(kNet);
  const auto refuses = [&](std::string_view text, std::string_view message) {
    EXPECT_NE(error_of(text, fabric).find(message), std::string::npos)
        << error_of(text, fabric) << "\n for\n"
        << text;
  };
  refuses("", "lft:1:1: expected forwarding tables");
  refuses("Unicast lids of switch\n", "lft:1:23: expected the switch's ' guid 0x...'");
  refuses("Unicast lids guid 0xff\n0x0001 001\n",
          "tables of another fabric: none of its 1 switches");
  refuses("Unicast lids guid 0xa1\n0x0001 300\n", "lft:2:8: a port number is too large");
  refuses("Unicast lids guid 0xa1\n0xc000 001\n", "lft:2:3: a LID is too large");
  refuses("Unicast lids guid 0xa1\n0x0001\n", "lft:2:7: expected a port number");
  refuses("Unicast lids guid 0xa1\n0x0001 00x\n", "lft:2:8: expected a port number");
  refuses("Unicast lids guid 0xa1\nwhat\n0x0001 001\n", "lft:2:1: expected 'Unicast lids'");
  EXPECT_TRUE(warns(read("Unicast lids guid 0xa1\n0x0001 001\n\nUnicast", fabric),
                    "lft:4: the file ends within this line, which is skipped"));
  EXPECT_TRUE(warns(read("Unicast lids guid 0xff\n1 lids dumped\nUnicast lids guid 0xa1\n"
                         "0x0001 001\n",
                         fabric),
                    "lft:3: the tables of a switch are cut short"));
}

// A log of a terminal: prompts, a banner, a pager, line ends of two kinds.
TEST(Tables, ReadsWhatWasPasted) {
  const Fabric tree = make_tree(xgft({2, 2}, {1, 2}));
  const std::string whole = written(tree, test::bfs_tables(tree));
  std::string log =
      "=~=~=~= PuTTY log 2024.05.01 10:00:00 =~=~=~=\r\nLast login: today\r\n"
      "[root@sm ~]# cat lfts\r\nibwarn: [12] slow\r\n";
  std::size_t line = 0;
  for (const char c : whole) {
    if (c != '\n') {
      log += c;
      continue;
    }
    log += line % 2 == 0 ? "\r\n" : "\r\r\n";
    if (++line == 4) log += "--More--(5%)\r            \r";
    if (line == 6) log += "\x1b[K";
    if (line == 7) log += "   ";
  }
  log += "[root@sm ~]# exit\r\nlogout\r\n[root@sm ~]# ";
  const LoadedTables loaded = read(log, tree);
  EXPECT_TRUE(loaded.tables == test::bfs_tables(tree));
  EXPECT_EQ(loaded.warnings,
            (std::vector<std::string>{
                "lft:1: a terminal's prompt, skipped (here and 3 times more)",
                "lft:2: text around the tables, skipped (here and 1 times more)",
                "lft:4: a tool's own message, skipped",
                "lft:9: control characters in a line, skipped (here and 1 times more)"}));
}

TEST(Tables, TruncatedOrMangledGivesInputErrorOrTables) {
  const Fabric tree = make_tree(xgft({2, 2}, {1, 2}));
  const std::string whole = written(tree, test::bfs_tables(tree));
  for (std::size_t cut = 0; cut < whole.size(); ++cut) {
    try {
      read(whole.substr(0, cut), tree);
    } catch (const InputError&) {
    }
    std::string mangled = whole;
    for (const char byte : {'\0', 'x', '9', '\n'}) {
      mangled[cut] = byte;
      try {
        read(mangled, tree);
      } catch (const InputError&) {
      }
    }
  }
}

TEST(Lids, OwnOnesWhereTheyWillDo) {
  const Fabric fabric = read_net(kNet);
  EXPECT_TRUE(assign_lids(fabric, 0).own);
  EXPECT_EQ(assign_lids(fabric, 0).switches[Switch{0}], Lid{17});
  const Lids two = assign_lids(fabric, 1);  // LID 1 is odd
  EXPECT_FALSE(two.own);
  EXPECT_EQ(two.terminal[Terminal{0}], Lid{2});
  EXPECT_EQ(two.terminal[Terminal{1}], Lid{4});
  EXPECT_EQ(two.switches[Switch{0}], Lid{6});
  EXPECT_EQ(two.highest(), Lid{6});
  EXPECT_THROW(assign_lids(fabric, 8), InputError);
}

TEST(Lids, TooManyIsSaidWhenWritten) {
  const Fabric tree = make_tree(m_port_n_tree(16, 3));
  const Lids lids = assign_lids(tree, 6);
  EXPECT_GT(lids.highest(), kMaxLid);
  std::ostringstream out;
  try {
    write_lfts(out, tree, ForwardingTables(tree.num_terminals(), tree.num_switches(), 6), lids);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("LIDs up to " + std::to_string(index(lids.highest()))),
              std::string::npos);
  }
  EXPECT_TRUE(out.str().empty());
}

TEST(Tables, Selene) {
  for (const std::string& name : test::here({"like-selene", "selene/selene.compute.txt"})) {
    const Fabric fabric = load_fabric(name).fabric;
    const ForwardingTables tables = test::bfs_tables(fabric);
    const std::string text = written(fabric, tables);
    EXPECT_GT(text.size(), 200'000'000U);
    const LoadedTables loaded = read(text, fabric);
    EXPECT_TRUE(loaded.tables == tables);
    EXPECT_TRUE(loaded.lids.own);
    EXPECT_TRUE(loaded.warnings.empty());
  }
}

// Two leaves with two hosts each under two spines, in ibroute's form: a text for each switch.
struct OnePerSwitch {
  Fabric tree = make_tree(xgft({2, 2}, {1, 2}));
  ForwardingTables tables = test::bfs_tables(tree, 0);
  std::vector<std::string> texts;

  OnePerSwitch() {
    const Lids lids = assign_lids(tree, 0);
    for (const Switch s : ids<Switch>(tree.num_switches())) {
      std::string text = fmt::format(
          "Unicast lids [0x0-0x8] of switch Lid {} guid {:#018x} (S):\n"
          "  Lid  Out   Destination\n       Port     Info \n",
          index(lids.switches[s]), tree.guid(tree.node(s)));
      for (const Destination destination : ids<Destination>(tables.num_destinations())) {
        text += fmt::format("{:#06x} {:03} : (x)\n", index(lids.of(tables, destination)),
                            index(tables.at(destination, s)));
      }
      texts.push_back(text + "8 valid lids dumped \n");
    }
  }
  std::string all() const {
    std::string text;
    for (const std::string& one : texts) text += one;
    return text;
  }
  std::size_t unknown(const LoadedTables& loaded, Switch s) const {
    std::size_t count = 0;
    for (const Destination destination : ids<Destination>(tables.num_destinations())) {
      count += loaded.unknown.at(destination, s) ? 1U : 0U;
    }
    return count;
  }
};

constexpr std::string_view kFailed =
    "ibroute: iberror: failed: dump tables: linear forwarding table get failed\n";

// The text up to its n-th entry.
std::string cut_after(const std::string& text, std::size_t entries) {
  std::size_t at = text.find("\n0x") + 1;
  for (std::size_t i = 0; i < entries; ++i) at = text.find('\n', at) + 1;
  return text.substr(0, at);
}

TEST(Tables, WhatAToolsMessageEndsIsUnknown) {
  OnePerSwitch dump;
  dump.texts[1] = cut_after(dump.texts[1], 3) + std::string(kFailed);
  const LoadedTables loaded = read(dump.all(), dump.tree);
  EXPECT_EQ(dump.unknown(loaded, Switch{0}), 0U);
  EXPECT_EQ(dump.unknown(loaded, Switch{1}), 5U);
  EXPECT_FALSE(loaded.unknown.at(Destination{2}, Switch{1}));
  EXPECT_TRUE(loaded.unknown.at(Destination{3}, Switch{1}));
  EXPECT_TRUE(warns(loaded, "lft:13: the tables of a switch are cut short"));
  EXPECT_TRUE(warns(loaded, "5 of 32 table entries are unknown"));
  EXPECT_FALSE(warns(loaded, "have no route"));
  // At the file's end, and in the middle of tables that go on.
  dump.texts = {dump.texts[0], dump.texts[1]};
  EXPECT_EQ(dump.unknown(read(dump.all(), dump.tree), Switch{1}), 5U);
  EXPECT_EQ(dump.unknown(read(dump.all(), dump.tree), Switch{2}), 8U);
}

TEST(Tables, AMessageAmongAllEntriesIsHarmless) {
  OnePerSwitch dump;
  dump.texts[2].insert(cut_after(dump.texts[2], 4).size(),
                       "ibwarn: [7] mad_rpc: _do_madrpc failed; dport (Lid 7)\n");
  LoadedTables loaded = read(dump.all(), dump.tree);
  EXPECT_TRUE(loaded.unknown.empty());
  EXPECT_TRUE(loaded.tables == dump.tables);
  EXPECT_TRUE(warns(loaded, "a tool's own message, skipped"));
  // Of 8 valid LIDs, 7 are there: the missing one is unknown.
  const std::size_t at = cut_after(dump.texts[0], 1).size();
  dump.texts[0].erase(at, dump.texts[0].find('\n', at) + 1 - at);
  loaded = read(dump.all(), dump.tree);
  EXPECT_EQ(dump.unknown(loaded, Switch{0}), 1U);
  EXPECT_TRUE(loaded.unknown.at(Destination{1}, Switch{0}));
}

TEST(Tables, AFolderOfOneFileForEachSwitch) {
  const OnePerSwitch dump;
  const test::TempFolder temporary;
  const std::string& folder = temporary.path();
  for (std::size_t s = 0; s < dump.texts.size(); ++s) {
    std::ofstream(folder + "/ibroute-" + std::to_string(s) + ".txt") << dump.texts[s];
  }
  std::ofstream(folder + "/README") << "made by a script\n";
  LoadedTables loaded = load_tables(folder, dump.tree);
  EXPECT_TRUE(loaded.tables == dump.tables);
  EXPECT_TRUE(loaded.warnings.empty());
  EXPECT_TRUE(loaded.unknown.empty());
  // One is missing, one has no end.
  std::filesystem::remove(folder + "/ibroute-2.txt");
  std::ofstream(folder + "/ibroute-3.txt") << cut_after(dump.texts[3], 6);
  loaded = load_tables(folder, dump.tree);
  EXPECT_EQ(dump.unknown(loaded, Switch{1}), 0U);
  EXPECT_EQ(dump.unknown(loaded, Switch{2}), 8U);
  EXPECT_EQ(dump.unknown(loaded, Switch{3}), 2U);
  EXPECT_TRUE(warns(loaded, "ibroute-3.txt:1: the tables of a switch are cut short"));
}

TEST(Tables, AddressesThatAreListedTwice) {
  OnePerSwitch dump;
  const std::size_t at = cut_after(dump.texts[0], 1).size();
  const std::string line = dump.texts[0].substr(at, dump.texts[0].find('\n', at) + 1 - at);
  std::string same = dump.all();
  same.insert(at, line);
  EXPECT_TRUE(read(same, dump.tree).tables == dump.tables);
  EXPECT_TRUE(warns(read(same, dump.tree), "lft:6: an address is listed twice, with the same"));
  std::string other = dump.all();
  other.insert(at + line.size(), "0x0002 001 : (x)\n");
  EXPECT_TRUE(warns(read(other, dump.tree), "lft:6: an address is listed twice, with different"));
  EXPECT_EQ(read(other, dump.tree).tables.at(Destination{1}, Switch{0}), Port{1});
}

// What is above the last LID of a section of fdbs is unknown; below it, all lines are there.
TEST(Tables, FdbsThatEndEarly) {
  const Fabric net = read_net(kNet);
  const std::string head = "dump_ucast_routes: Switch 0x00000000000000a1\n";
  const LoadedTables cut = read(head + "0x0001 : 001  : 01   : yes\n", net);
  EXPECT_TRUE(cut.unknown.at(Destination{1}, Switch{0}));
  const LoadedTables whole = read(head + "0x0001 : UNREACHABLE\n0x0011 : 000  : 00  : yes\n", net);
  EXPECT_FALSE(whole.unknown.at(Destination{0}, Switch{0}));
  EXPECT_FALSE(whole.unknown.at(Destination{1}, Switch{0}));
}

TEST(Tables, GuidsThatContradictLids) {
  const Fabric net = read_net(kNet);
  const std::string head =
      "Unicast lids [0-17] of switch Lid 17 guid 0x00000000000000a1 ('one'):\n";
  const LoadedTables loaded = read(head +
                                       "0x0001 002 # Channel Adapter portguid 0xc1: 'H1'\n"
                                       "0x0002 001 # Channel Adapter portguid 0xb1: 'H0'\n"
                                       "0x0011 000\n17 lids dumped\n",
                                   net);
  EXPECT_TRUE(warns(loaded, "tables and fabric disagree on 2 LIDs; the first is LID 1"));
  EXPECT_FALSE(warns(loaded, "are sent elsewhere"));
  const LoadedTables bare =
      read(head + "0x0001 002\n0x0002 001\n0x0011 000\n17 lids dumped\n", net);
  EXPECT_TRUE(warns(bare, "2 of 2 LIDs of adapters are sent elsewhere"));
  const LoadedTables good =
      read(head + "0x0001 001\n0x0002 002\n0x0011 000\n17 lids dumped\n", net);
  EXPECT_TRUE(good.warnings.empty());
}

}  // namespace
}  // namespace fatwood
