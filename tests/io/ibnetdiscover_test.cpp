// SPDX-License-Identifier: BSD-3-Clause
// Reading ibnetdiscover's text and ibsim's net files: what is said, what is odd, what is refused.

#include "io/fabric/ibnetdiscover.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "io/base/input.hpp"
#include "support/input_error.hpp"
#include "support/real_fabrics.hpp"

namespace fatwood {
namespace {

LoadedFabric read(std::string_view text) {
  Input input(text, "net");
  return read_fabric(input);
}
std::string error_of(std::string_view text) {
  return test::input_error_of([&] { read(text); });
}
Node find(const Fabric& fabric, std::string_view id) {
  for (const Node node : ids<Node>(fabric.num_nodes())) {
    if (fabric.id(node) == id) return node;
  }
  return kNone<Node>;
}

constexpr std::string_view kSmall =
    "# Topology file: generated on a day\n"
    "vendid=0x2c9\n"
    "devid=0xd2f0\n"
    "sysimgguid=0xaa\n"
    "switchguid=0xa1(a2)\n"
    "Switch\t4 \"S-00000000000000a1\"\t\t# \"MF0;leaf # \"one\":X/U1\" enhanced port 0 lid 7 lmc "
    "0\n"
    "[1]\t\"H-00000000000000b1\"[2](b3) \t\t# \"host one\" lid 3 2xHDR\n"
    "[4]\t\"R-00000000000000c1\"[1](c2) \t\t# \"router\" lid 9 4xEDR\n"
    "\n"
    "vendid=0x2c9\n"
    "devid=0x101b\n"
    "caguid=0xb1\n"
    "Ca\t2 \"H-00000000000000b1\"\t\t# \"host one\"\n"
    "[2](b3) \t\"S-00000000000000a1\"[1]\t\t# lid 3 lmc 1 \"leaf\" lid 7 2xHDR\n"
    "\n"
    "rtguid=0xc1\n"
    "Rt\t1 \"R-00000000000000c1\"\t\t# \"router\"\n"
    "[1](c2) \t\"S-00000000000000a1\"[4]\t\t# lid 9 lmc 0 \"leaf\" lid 7 4xEDR\n";

TEST(Ibnetdiscover, ReadsAllThatIsSaid) {
  const LoadedFabric loaded = read(kSmall);
  const Fabric& fabric = loaded.fabric;
  EXPECT_EQ(loaded.format, "ibnetdiscover");
  EXPECT_TRUE(loaded.warnings.empty()) << loaded.warnings[0];
  ASSERT_EQ(fabric.num_switches(), 1U);
  ASSERT_EQ(fabric.num_adapters(), 2U);
  ASSERT_EQ(fabric.num_terminals(), 2U);
  EXPECT_EQ(fabric.num_cables(), 2U);
  const Node leaf = fabric.node(Switch{0});
  EXPECT_EQ(fabric.id(leaf), "S-00000000000000a1");
  EXPECT_EQ(fabric.description(leaf), "MF0;leaf # \"one\":X/U1");
  EXPECT_EQ(fabric.guid(leaf), 0xa1U);
  EXPECT_EQ(fabric.hardware(leaf), (Hardware{0xaa, 0x2c9, 0xd2f0}));
  EXPECT_EQ(fabric.address(Switch{0}), (Address{0xa2, Lid{7}, 0, true}));
  EXPECT_EQ(fabric.ports(leaf), 4U);
  EXPECT_EQ(fabric.address(Terminal{0}), (Address{0xb3, Lid{3}, 1, false}));
  EXPECT_EQ(fabric.address(Terminal{1}), (Address{0xc2, Lid{9}, 0, false}));
  EXPECT_EQ(fabric.kind(Node{1}), NodeKind::kRouter);
  EXPECT_EQ(to_string(fabric.rate(fabric.channel(leaf, Port{1}))), "2xHDR");
  EXPECT_EQ(fabric.port(fabric.peer(fabric.channel(leaf, Port{1}))), Port{2});
  EXPECT_EQ(fabric.hardware(Node{0}).device, 0x101bU);
  EXPECT_EQ(fabric.hardware(Node{0}).system_guid, 0U);
}

TEST(Ibnetdiscover, ReadsBareIbsimFiles) {
  const LoadedFabric loaded = read(
      "switchguid=0x200000\n"
      "Switch 4 \"S0\"\n[1] \"H0\"[1]\n[2] \"H1\" w=1 s=2\n\n"
      "Switch 4 \"S1\"\n\n"
      "Hca 1 \"H0\"\n[1] \"S0\"[1]\n\nHca 1 \"H1\"\n[1] \"S0\"[2] s=2 w=1\n");
  EXPECT_EQ(loaded.format, "ibsim");
  EXPECT_EQ(loaded.fabric.num_cables(), 2U);
  EXPECT_EQ(loaded.fabric.guid(loaded.fabric.node(Switch{1})), 0x200001U);
  const Node s0 = find(loaded.fabric, "S0");
  EXPECT_EQ(to_string(loaded.fabric.rate(loaded.fabric.channel(s0, Port{1}))), "4xQDR");
  EXPECT_EQ(to_string(loaded.fabric.rate(loaded.fabric.channel(s0, Port{2}))), "1xDDR");
}

TEST(Ibnetdiscover, ReportsWhatCanBeReadAllTheSame) {
  const LoadedFabric loaded = read(
      "Switch4 \"S-a1\"# \"x\" base port 0 lid 7 lmc 0\r\n"
      "[1]\"H-b1\"[1](b2)# \"h\" lid 3 4xHDR\r\n"
      "[1]\t\"H-00000000000000b1\"[1](b2)# \"h\" lid 3 4xHDR\r\n"
      "[2]\t\"S-a2\"[2]\r\n"
      "\r\n"
      "Switch\t4 \"S-a2\"\r\n"
      "\r\n"
      "Ca\t1 \"H-00000000000000b1\"\r\n"
      "[1](b2)\t\"S-00000000000000a1\"[1]# lid 4 lmc 0 \"x\" lid 7 4xEDR\r\n"
      "Switch\t4 \"S-a2\"");
  EXPECT_EQ(loaded.fabric.num_cables(), 2U);
  EXPECT_EQ(loaded.fabric.guid(loaded.fabric.node(Switch{0})), 0xa1U);
  EXPECT_EQ(loaded.fabric.address(Terminal{0}).lid, Lid{4});
  std::string all;
  for (const std::string& text : loaded.warnings) all += text + "\n";
  for (const std::string_view part :
       {"net:1: white space between the parts of a line is lost (here and 1 times more)",
        "net:1: a GUID in a name has lost its leading zeros (here and 4 times more)",
        "net:3: duplicate: \"S-00000000000000a1\"[1] to",
        "net:4: one-sided: \"S-00000000000000a1\"[2] to",
        "net:9: \"H-00000000000000b1\"[1] says 4xEDR", "says its LID is 4",
        "net:10: duplicate: the record of \"S-00000000000000a2\" is on line 6"}) {
    EXPECT_NE(all.find(part), std::string::npos) << part << "\n in\n" << all;
  }
}

TEST(Ibnetdiscover, LidsInHexadecimal) {
  const LoadedFabric loaded = read(
      "# Topology file: generated on x\n"
      "switchguid=0xa1(a1)\nSwitch 4 \"S-00000000000000a1\" # \"x\" port 0 lid 0x1f lmc 0\n"
      "[1] \"H-00000000000000b1\"[1](b2) # \"h\" lid 0xa 4xHDR\n\n"
      "caguid=0xb1\nCa 1 \"H-00000000000000b1\" # \"h\"\n"
      "[1](b2) \"S-00000000000000a1\"[1] # lid 0xa lmc 1 \"x\" lid 0x1f 4xHDR\n");
  EXPECT_TRUE(loaded.warnings.empty()) << loaded.warnings[0];
  EXPECT_EQ(loaded.fabric.address(Switch{0}).lid, Lid{31});
  EXPECT_EQ(loaded.fabric.address(Terminal{0}), (Address{0xb2, Lid{10}, 1, false}));
  EXPECT_EQ(to_string(loaded.fabric.rate(loaded.fabric.terminal_channel(Terminal{0}))), "4xHDR");
}

TEST(Ibnetdiscover, SkipsWhatTheToolSaidOnStandardError) {
  const LoadedFabric loaded = read(
      "ibwarn: [6931] mad_rpc: _do_madrpc failed\n"
      "#\n# Topology file: generated on Tue Jun  5 14:15:10 2007\n"
      "Chassis 1 (guid 0xa0)\n\n# Spine Nodes\n"
      "Switch 4 \"S-00000000000000a1\" # \"x\" base port 0 lid 7 lmc 0\n"
      "[1][ext 3] \"H-00000000000000b1\"[1](b2) # \"h\" lid 3 4xHDR\n"
      "ibwarn: [6931] get_node_info: failed\n"
      "[2] \"H-00000000000000c1\"[1](c2) # \"i\" lid 4 4xHDR\n");
  EXPECT_EQ(loaded.format, "ibnetdiscover");
  EXPECT_EQ(loaded.fabric.num_terminals(), 2U);
  ASSERT_FALSE(loaded.warnings.empty());
  std::string all;
  for (const std::string& text : loaded.warnings) all += text + "\n";
  EXPECT_NE(all.find("net:1: a tool's own message, skipped (here and 1 times more)"),
            std::string::npos)
      << all;
}

TEST(Ibnetdiscover, ReadsWhatIsPastedFromATerminal) {
  const LoadedFabric loaded = read(
      "=~=~=~=~=~=~= PuTTY log 2024.05.01 09:00:00 =~=~=~=~=~=~=\r\n"
      "Last login: Wed May  1\r\n"
      "\x1b]0;root@node1:~\x07\x1b[01;32m[root@node1 ~]#\x1b[0m ibnetdiscoverr\b\r\r\n"
      "src/query_smp.c:197; send failed\r\n"
      "#\r\n# Topology file: generated on Wed May  1 09:00:01 2024\r\n"
      "Switch4 \"S-00000000000000a1\"# \"x\" base port 0 lid 7 lmc 0\r\n"
      "[1]\"H-00000000000000b1\"[1](b2) # \"h\" lid 3 4xHDR\r\n"
      "[root@node1 ~]# # still here\r\n"
      "root@node1:~$ \r\n"
      "[2]\"H-00000000000000c1\"[1](c2) # \"i\" lid 4 4xHDR\r\n"
      "logout\r\nConnection to node1 closed.\r\n");
  EXPECT_EQ(loaded.fabric.num_terminals(), 2U);
  std::string all;
  for (const std::string& text : loaded.warnings) all += text + "\n";
  for (const std::string_view part :
       {"net:1: a terminal's prompt, skipped (here and 3 times more)",
        "net:2: text around the fabric, skipped (here and 2 times more)",
        "net:7: white space between the parts of a line is lost"}) {
    EXPECT_NE(all.find(part), std::string::npos) << part << "\n in\n" << all;
  }
}

TEST(Ibnetdiscover, MakesEndNodesWhenTheFileHasSwitchesOnly) {
  const LoadedFabric loaded = read(
      "Switch 4 \"S-00000000000000a1\"\n[1] \"H-00000000000000b1\"[2](b3) # \"host\" lid 3 "
      "4xHDR\n");
  EXPECT_EQ(loaded.fabric.num_terminals(), 1U);
  EXPECT_EQ(loaded.fabric.ports(Node{0}), 2U);
  EXPECT_EQ(loaded.fabric.description(Node{0}), "host");
  EXPECT_EQ(loaded.fabric.address(Terminal{0}).lid, Lid{3});
  EXPECT_EQ(loaded.warnings.size(), 2U);
}

TEST(Ibnetdiscover, RefusesWithPlaceAndExpectation) {
  const auto refuses = [](std::string_view text, std::string_view message) {
    EXPECT_NE(error_of(text).find(message), std::string::npos) << error_of(text) << "\n for\n"
                                                               << text;
  };
  refuses("Switch 4000000000 \"a\"\n", "net:1:8: 4000000000 ports are too many");
  refuses("Switch 1000000000000 \"a\"\n", "net:1:8: the number of ports is too large");
  refuses("devid=1\nSwitch 4 a\n", "net:2:10: expected a node's name in quotes, found 'a'");
  refuses("Switch 4 \"a\n", "net:1:12: expected '\"' to end a node's name");
  refuses("Switch 4 \"a\"\n[9] \"b\"[1]\n", "net:2:2: \"a\" has no port 9; expected 1 to 4");
  refuses("Switch 4 \"a\"\n[1] \"b\"[1]\n", "net:2:5: \"b\" has no record of its own");
  refuses("Switch 4 \"a\"\n[1] \"a\"[1]\n", "connected to itself");
  refuses("Switch 4 \"a\"\n[0] \"a\"[1]\n", "has no port 0");
  refuses("Switch 4 \"a\"\nwhat\nSwitch 4 \"b\"\n", "net:2:1: expected a record");
  refuses("Switch 4 \"a\"\n[1](1/1 \"a\"[2]\n", "net:2:4: expected a port's label");
  refuses("# File created at x\nSwitch 4 \"a\"\n", "net:3:1: the file is cut short");
  refuses("switchguid=0x1\n", "net:2:1: expected a line Switch, Ca or Rt");
  refuses("switchguid=zz\n", "net:1:12: expected a GUID, found 'zz'");
  refuses("switchguid=0x10000000000000000\n", "a GUID is too large");
  refuses("Switch 4 \"a\" # \"x\" base port 0 lid 49152 lmc 0\n", "LID 49152 is too large");
  refuses("Switch 4 \"a\" # \"x\" base port 0 lid 1 lmc 8\n", "an LMC is too large");
  refuses(
      "Switch 2 \"a\"\n[1] \"b\"[1]\n[2] \"c\"[1]\n\nSwitch 1 \"b\"\n[1] \"a\"[2]\n\nSwitch 1 "
      "\"c\"\n",
      "net:6:1: \"b\"[1] can't be connected to \"a\"[2]: \"b\"[1] is connected to \"a\"[1]");
  refuses("Switch 2 \"a\"\n\nSwitch 3 \"a\"\n", "net:3:10: \"a\" has a record on line 1");
  refuses("# Topology file: x\nSwitch 2 \"a\"\n[1] \"a\"[2]",
          "cut short; expected the link's rate");
  refuses("include \"b\"\n", "expected a fabric");
  refuses("", "expected a fabric");
  std::string endless = "Switch 4 \"a\"\n#";
  endless.append(70000, 'x');
  refuses(endless, "net:2:65537: the line goes on");
}

TEST(Ibnetdiscover, TruncatedOrMangledGivesInputErrorOrAFabric) {
  for (std::size_t cut = 0; cut < kSmall.size(); ++cut) {
    try {
      read(kSmall.substr(0, cut));
    } catch (const InputError&) {
    }
    std::string mangled(kSmall);
    for (const char byte : {'\0', '"', '[', '9', '\n'}) {
      mangled[cut] = byte;
      try {
        read(mangled);
      } catch (const InputError&) {
      }
    }
  }
}

TEST(Ibnetdiscover, RealFabrics) {
  struct Counts {
    const char* path;
    std::size_t switches, adapters, terminals, links;
  };
  // Formulas are written and read back; real files have the counts of their owners.
  for (const Counts& counts : {Counts{"selene/selene.compute.txt", 666, 4341, 4341, 12852},
                               {"dgx-ndr/ibnetdiscover.txt", 40, 582, 582, 1114},
                               {"x5/X5.topofile", 11, 89, 89, 159},
                               {"stage/ibnetdiscover.txt", 8, 144, 145, 192},
                               {"like-selene", 666, 4342, 4342, 12853},
                               {"like-dgx-ndr", 40, 580, 580, 1112},
                               {"like-x5", 11, 89, 89, 159},
                               {"like-stage", 8, 144, 145, 192}}) {
    if (!test::is_here(counts.path)) continue;
    LoadedFabric loaded = load_fabric(test::lifelike(counts.path));
    if (loaded.format == "spec") {
      std::ostringstream text;
      write_ibnetdiscover(text, loaded.fabric);
      loaded = read(text.str());
    }
    EXPECT_EQ(loaded.fabric.num_switches(), counts.switches);
    EXPECT_EQ(loaded.fabric.num_adapters(), counts.adapters);
    EXPECT_EQ(loaded.fabric.num_terminals(), counts.terminals);
    EXPECT_EQ(loaded.fabric.num_cables(), counts.links);
    for (const Terminal t : ids<Terminal>(loaded.fabric.num_terminals())) {
      EXPECT_NE(loaded.fabric.address(t).lid, kNoLid);
      EXPECT_NE(loaded.fabric.leaf(t), kNone<Switch>);
    }
    EXPECT_TRUE(loaded.warnings.empty()) << loaded.warnings[0];
  }
}

}  // namespace
}  // namespace fatwood
