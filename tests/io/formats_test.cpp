// SPDX-License-Identifier: BSD-3-Clause
// Each format that holds a whole fabric gives it back; the others say what they say.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "core/error.hpp"
#include "io/base/input.hpp"
#include "io/fabric/graph_files.hpp"
#include "io/fabric/ibnetdiscover.hpp"
#include "io/fabric/json_fabric.hpp"
#include "io/fabric/spec.hpp"
#include "io/lists/node_list.hpp"
#include "io/opensm/node_name_map.hpp"
#include "io/opensm/opensm_lists.hpp"
#include "support/input_error.hpp"
#include "support/real_fabrics.hpp"
#include "support/temp_folder.hpp"
#include "topology/builder.hpp"

namespace fatwood {
namespace {

using Write = void (*)(std::ostream&, const Fabric&);

std::string written(Write write, const Fabric& fabric) {
  std::ostringstream out;
  write(out, fabric);
  return out.str();
}
LoadedFabric read(std::string_view text) {
  Input input(text, "file");
  return read_fabric(input);
}
std::string error_of(std::string_view text) {
  return test::input_error_of([&] { read(text); });
}

// Every finding that a fabric can have.
Fabric odd_fabric() {
  FabricBuilder builder;
  const auto s0 = builder.add_switch("S-00000000000000a1", 5, 0xa1);
  const auto s1 = builder.add_switch("S-00000000000000a2", 254, 0xa2);
  const auto h0 = builder.add_adapter("H-00000000000000b1", 2, 0xb1);
  const auto h1 = builder.add_adapter("H-00000000000000b2", 1, 0xb2);
  const auto h2 = builder.add_adapter("H-00000000000000b3", 1, 0xb3);
  const auto r0 = builder.add(NodeKind::kRouter, "R-00000000000000c1", 1, 0xc1);
  builder.add_adapter("H-00000000000000d1", 3, 0xd1);  // no cable
  builder.set_description(s0, "MF0;leaf \"one\" # = {x} 'y' \\:M/U1");
  builder.set_description(h0, "host one HCA-1 ");
  builder.set_description(r0, "Z\xc3\xbcrich");
  builder.set_hardware(s0, {0xaa, 0x2c9, 0xd2f0});
  builder.set_hardware(r0, {0, 1, 0xffffffff});
  builder.set_address(s0, kOwnPort, {0xa9, Lid{17}, 0, true});
  builder.set_address(h0, Port{2}, {0xbeef, Lid{8}, 3, false});
  builder.set_address(h1, Port{1}, {0xb2, Lid{49151}, 0, false});
  builder.connect(s0, Port{1}, s1, Port{254}, {2, Speed::kHdr});
  builder.connect(s0, Port{2}, s1, Port{253}, {12, Speed::kSdr});
  builder.connect(s0, Port{3}, h0, Port{2}, {1, Speed::kDdr});
  builder.connect(s1, Port{1}, r0, Port{1}, {4, Speed::kFdr10});
  builder.connect(s1, Port{2}, s1, Port{3}, {});  // a loop, of unknown rate
  builder.connect(h1, Port{1}, h2, Port{1}, {8, Speed::kXdr});
  return builder.build();
}

// Ibsim gives ports of adapters GUIDs of its own, node GUID + port; the rest is kept.
bool same_inside_ibsim(const Fabric& fabric, const Fabric& inside) {
  if (inside.num_nodes() != fabric.num_nodes() || inside.num_channels() != fabric.num_channels()) {
    return false;
  }
  bool same = true;
  for (const Node node : ids<Node>(fabric.num_nodes())) {
    same &= inside.id(node) == fabric.id(node) && inside.guid(node) == fabric.guid(node) &&
            inside.description(node) == fabric.description(node) &&
            inside.hardware(node) == fabric.hardware(node);
  }
  for (const Channel c : ids<Channel>(fabric.num_channels())) {
    same &= inside.peer(c) == fabric.peer(c) && inside.rate(c) == fabric.rate(c);
  }
  for (const Switch s : ids<Switch>(fabric.num_switches())) {
    same &= inside.address(s) == fabric.address(s);
  }
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
    const Channel c = fabric.terminal_channel(t);
    Address expected = fabric.address(t);
    expected.guid = fabric.guid(fabric.owner(c)) + index(fabric.port(c));
    same &= inside.address(t) == expected;
  }
  return same;
}

bool survives(Write write, const Fabric& fabric, const Fabric& back) {
  return write == write_ibsim ? same_inside_ibsim(fabric, back) : back == fabric;
}

TEST(Formats, GiveBackWhatTheyWereGiven) {
  const Fabric odd = odd_fabric();
  for (const Write write : {write_ibnetdiscover, write_ibsim, write_json_fabric}) {
    const std::string text = written(write, odd);
    const LoadedFabric back = read(text);
    EXPECT_TRUE(survives(write, odd, back.fabric)) << text;
    EXPECT_EQ(written(write, back.fabric), text);
  }
  for (const std::string_view spec : {"ft(4,3)", "switch648", "random(16,32,seed=3001)"}) {
    const Fabric fabric = make_fabric(spec);
    EXPECT_TRUE(read(written(write_ibsim, fabric)).fabric == fabric);
    EXPECT_TRUE(read(written(write_json_fabric, fabric)).fabric == fabric);
    // Ibnetdiscover names nodes by GUID, the names become descriptions; from then on it is fixed.
    const Fabric named = read(written(write_ibnetdiscover, fabric)).fabric;
    EXPECT_TRUE(read(written(write_ibnetdiscover, named)).fabric == named);
    ASSERT_EQ(named.num_nodes(), fabric.num_nodes());
    for (const Node node : ids<Node>(fabric.num_nodes())) {
      EXPECT_EQ(named.description(node), fabric.id(node));
      EXPECT_EQ(named.guid(node), fabric.guid(node));
    }
    for (const Channel c : ids<Channel>(fabric.num_channels())) {
      EXPECT_EQ(named.peer(c), fabric.peer(c));
    }
  }
}

TEST(Formats, RealFabricsSurvive) {
  for (const std::string& name : test::lifelike_fabrics()) {
    const Fabric fabric = load_fabric(name).fabric;
    for (const Write write : {write_ibnetdiscover, write_ibsim, write_json_fabric}) {
      const LoadedFabric back = read(written(write, fabric));
      EXPECT_TRUE(survives(write, fabric, back.fabric)) << name;
      EXPECT_TRUE(back.warnings.empty()) << back.warnings[0];
    }
  }
}

TEST(Formats, NamesThatCantBeWrittenAreRefused) {
  FabricBuilder builder;
  builder.add_switch("a@b", 2);
  EXPECT_THROW(written(write_ibsim, builder.build()), InputError);
  FabricBuilder twins;
  twins.add_switch("a", 2, 7);
  twins.add_switch("b", 2, 7);
  EXPECT_THROW(written(write_ibnetdiscover, twins.build()), InputError);
}

TEST(Json, RefusesWithPlaceAndExpectation) {
  const std::string head = "{\"format\": \"fatwood-fabric\",\n\"nodes\": [";
  const auto refuses = [&](const std::string& text, std::string_view message) {
    EXPECT_NE(error_of(text).find(message), std::string::npos) << error_of(text) << "\n for\n"
                                                               << text;
  };
  refuses(head, "file:2:11: syntax error");
  refuses(head + "{\"id\": \"a\"}]}", "expected \"id\", \"kind\" and \"ports\"");
  refuses(head + "{\"id\": \"a\", \"kind\": \"x\"",
          "expected \"switch\", \"adapter\" or \"router\"");
  refuses(head + "{\"ports\": 255", "ports: 255 is too large; expected 254 at most");
  refuses(head + "{\"ports\": -1", "a negative number is not a value for \"ports\"");
  refuses(head + "{\"guid\": \"12\"", "expected a GUID like");
  refuses(head + "{\"addresses\": [[1, \"0x1\", 49152, 0]]", "LID: 49152 is too large");
  refuses(head + "{\"addresses\": [[1, \"0x1\"]]", "expected [port, GUID, LID, LMC]");
  refuses(
      head +
          "{\"id\":\"a\",\"kind\":\"switch\",\"ports\":1}], \"links\": [[\"a\",1,\"b\",1,\"\"]]}",
      "\"b\" has no record of its own");
  refuses(
      head + "{\"id\":\"a\",\"kind\":\"switch\",\"ports\":1}], \"links\": [[\"a\",1,\"a\",\"\"]]}",
      "expected [name, port, name, port, rate]");
  refuses(head + "{\"id\":\"" + std::string(70000, 'x') + "\"", "the text goes on");
  refuses(head + "]}", "has no nodes");
  refuses("{\"fatwood-fabric\": 1}", "expected \"format\": \"fatwood-fabric\"");
  const Fabric fabric =
      read(head +
           "{\"id\":\"a\",\"kind\":\"switch\",\"ports\":2,\"more\":{\"x\":[1,{}]}}],"
           "\"links\":[[\"a\",1,\"a\",2,\"\"]],\"other\":[null,1.5,-2,{\"nodes\":[]}]}")
          .fabric;
  EXPECT_EQ(fabric.num_cables(), 1U);
}

TEST(PortsReport, ReadsWhatIsTold) {
  const LoadedFabric loaded = read(
      "CA     2  2 0x0010000000000102 4x SDR                                    'H1 - x'\n"
      "CA     2  1 0x0010000000000101 4x QDR - SW    17  2 0x0020000100000000 ( 'H1 - x' - 'S1_0' "
      ")\n"
      "SW    17  3 0x0020000100000000 4x SDR                                    'S1_0'\n"
      "SW    17  2 0x0020000100000000 4x QDR - CA     2  1 0x0010000000000101 ( 'S1_0' - 'H1 - x' "
      ")\n"
      "SW    17  1 0x0020000100000000 4x QDR - CA     1  1 0x0010000000000001 ( 'S1_0' - 'H0' )\n"
      "CA     1  1 0x0010000000000001 4x QDR - SW    17  1 0x0020000100000000 ( 'H0' - 'S1_0' )\n");
  const Fabric& fabric = loaded.fabric;
  EXPECT_EQ(loaded.format, "ports");
  EXPECT_TRUE(loaded.warnings.empty()) << loaded.warnings[0];
  ASSERT_EQ(fabric.num_adapters(), 2U);
  EXPECT_EQ(fabric.num_cables(), 2U);
  EXPECT_EQ(fabric.id(Node{1}), "H-0010000000000101");
  EXPECT_EQ(fabric.ports(Node{1}), 2U);
  EXPECT_EQ(fabric.description(Node{1}), "H1 - x");
  EXPECT_EQ(fabric.address(Terminal{1}), (Address{0x0010000000000101, Lid{2}, 0, false}));
  EXPECT_EQ(fabric.address(Switch{0}).lid, Lid{17});
  EXPECT_NE(
      error_of("SW 1 1 0x1 4x QDR - CA 2 1 0x2 ( 'a' - 'b' )\n").find("has no line of its own"),
      std::string::npos);
  EXPECT_NE(error_of("SW 1 999 0x1 4x QDR 'a'\n").find("file:1:6: port 999; expected 1 to 254"),
            std::string::npos);
}

TEST(SubnetLst, ReadsWhatIsTold) {
  const std::string ca =
      "{ CA-SM Ports:02 SystemGUID:0010000000000003 NodeGUID:0010000000000000 "
      "PortGUID:0010000000000001 VenID:0002C9 DevID:1003 Rev:000000A1 {H0 {x}} LID:000A PN:01 }";
  const std::string sw =
      "{ SW Ports:24 SystemGUID:0020000100000000 NodeGUID:0020000100000000 "
      "PortGUID:0020000100000000 VenID:00000000 DevID:0000 Rev:000000A1 {S1_0} LID:0011 PN:1F }";
  const LoadedFabric loaded =
      read(ca + " " + sw + " PHY=4x LOG=ACT SPD=25\n" + sw + " " + ca + " PHY=4x LOG=ACT SPD=25\n");
  const Fabric& fabric = loaded.fabric;
  EXPECT_EQ(loaded.format, "subnet.lst");
  EXPECT_TRUE(loaded.warnings.empty()) << loaded.warnings[0];
  EXPECT_EQ(fabric.description(Node{0}), "H0 {x}");
  EXPECT_EQ(fabric.hardware(Node{0}), (Hardware{0x0010000000000003, 0x2c9, 0x1003}));
  EXPECT_EQ(fabric.address(Terminal{0}), (Address{0x0010000000000001, Lid{10}, 0, false}));
  EXPECT_EQ(fabric.ports(fabric.node(Switch{0})), 36U);
  EXPECT_EQ(to_string(fabric.rate(fabric.channel(Node{0}, Port{1}))), "4xEDR");
  EXPECT_EQ(fabric.port(fabric.peer(fabric.channel(Node{0}, Port{1}))), Port{31});
  EXPECT_NE(error_of(ca + " " + sw.substr(0, 60)).find("expected"), std::string::npos);

  // As ibdiagnet2 has it, and as people paste it.
  const LoadedFabric framed =
      read("# This database file was automatically generated by IBDIAG\n# File created at : x\n\n" +
           ca + " " + sw + " PHY=4x LOG=INI SPD=100\n# File closed at : y\n");
  EXPECT_TRUE(framed.warnings.empty()) << framed.warnings[0];
  EXPECT_EQ(to_string(framed.fabric.rate(framed.fabric.channel(Node{0}, Port{1}))), "4xNDR");
  const LoadedFabric pasted =
      read("[root@x ~]# cat my.lst\r\n" + ca + " " + sw + " PHY=4x LOG=ACT\r\n" + sw + " " + ca +
           " PHY=4x LOG=ACT\r\n" + ca + " " + sw + " PHY=4x LOG=DOWN SPD=10\r\nbye\r\n");
  EXPECT_EQ(pasted.fabric.num_cables(), 1U);
  std::string all;
  for (const std::string& text : pasted.warnings) all += text + "\n";
  for (const std::string_view part :
       {"file:1: a terminal's prompt, skipped", "file:5: text around the list, skipped",
        "file:2: a link's rate is not known (here and 1 times more)",
        "file:4: a link that is down, left out"}) {
    EXPECT_NE(all.find(part), std::string::npos) << part << "\n in\n" << all;
  }
  EXPECT_NE(error_of("# File created at : x\n" + ca + " " + sw + " PHY=4x LOG=ACT\n")
                .find("file:3:1: the file is cut short"),
            std::string::npos);
  EXPECT_NE(error_of(ca + " " + sw + " LOG=ACT\n").find("expected 'PHY='"), std::string::npos);
  EXPECT_NE(error_of(ca + " " + sw + " PHY=4x LOG=ACT SPEED\n").find("expected 'SPD='"),
            std::string::npos);
}

// Very old tools: no node is a switch. Two adapters on one cable are a fabric, though.
TEST(SubnetList, WhereEveryNodeIsAnAdapter) {
  const auto node = [](std::string_view ports, std::string_view guid, std::string_view port) {
    return fmt::format(
        "{{ CA Ports:{} SystemGUID:{} NodeGUID:{} PortGUID:{} VenID:0 DevID:0 Rev:0 "
        "{{x}} LID:0001 PN:{} }}",
        ports, guid, guid, guid, port);
  };
  const std::string pair =
      node("02", "a1", "01") + " " + node("04", "b1", "01") + " PHY=4x LOG=ACT\n";
  EXPECT_EQ(read(pair).fabric.num_cables(), 1U);
  const std::string error =
      error_of(pair + node("02", "c1", "01") + " " + node("05", "d1", "01") + " PHY=4x LOG=ACT\n");
  EXPECT_TRUE(error.starts_with("file:2:")) << error;
  EXPECT_NE(error.find("every node of this list is a CA, even this one with 5 ports"),
            std::string::npos)
      << error;
}

TEST(PortsReport, ComesAfterALogOfTheDiscovery) {
  const std::string ports =
      "CA    1  1 0x00000000000000b1 4x QDR - SW    9  3 0x00000000000000a1 ( 'h' - 's' )\n"
      "SW  0x9  3 0x00000000000000a1 4x QDR - CA  0x1  1 0x00000000000000b1 ( 's' - 'h' )\n"
      "SW    9  2 0x00000000000000a1 4x SDR                                   's'\n";
  const LoadedFabric loaded = read(
      "DR path slid 0; dlid 0; 0 -> new Channel Adapter {b0} portnum 1 lid 0-0 \"\"\n"
      "DR path slid 0; dlid 0; 0,1 -> new Switch {a1} portnum 0 lid 0-0 \"\"\n" +
      ports);
  EXPECT_EQ(loaded.format, "ports");
  EXPECT_EQ(loaded.fabric.num_cables(), 1U);
  EXPECT_EQ(loaded.fabric.address(Switch{0}).lid, Lid{9});
  EXPECT_EQ(loaded.fabric.address(Terminal{0}).lid, Lid{1});
  ASSERT_EQ(loaded.warnings.size(), 1U);
  EXPECT_TRUE(
      loaded.warnings[0].starts_with("file:1: a log of the discovery, skipped (here and 1"));
  EXPECT_EQ(read("Hello\n" + ports + "bye\n").warnings.size(), 1U);
  EXPECT_TRUE(error_of(ports + "bye\n" + ports).starts_with("file:4:"));
}

TEST(NodeNameMap, NamesByGuid) {
  Input map("# names\n0xa1 \"leaf one\"  # here\n00000000000000b1 \"host\"\n", "map");
  const Fabric fabric = with_names(odd_fabric(), read_node_name_map(map));
  EXPECT_EQ(fabric.description(fabric.node(Switch{0})), "leaf one");
  EXPECT_EQ(fabric.description(Node{0}), "host");
  EXPECT_EQ(fabric.description(fabric.node(Switch{1})), "");
  Input wrong("0xa1 leaf\n", "map");
  EXPECT_THROW(read_node_name_map(wrong), InputError);
}

TEST(Guids, AreReadBack) {
  const Fabric fabric = make_fabric("ft(4,3)");
  std::vector<Switch> switches{Switch{3}, Switch{1}};
  const test::TempFolder folder;
  const std::string path = folder / "guids";
  {
    std::ofstream out(path);
    write_guids(out, fabric, switches);
  }
  EXPECT_EQ(read_switch_list(fabric, path), switches);
  std::vector<Terminal> terminals{Terminal{2}, Terminal{0}};
  {
    std::ofstream out(path);
    write_guids(out, fabric, terminals);
  }
  EXPECT_EQ(read_terminal_list(fabric, path), terminals);
}

TEST(Graphs, NameEveryNodeAndCable) {
  const Fabric odd = odd_fabric();
  std::ostringstream dot;
  write_dot(dot, odd, find_levels(odd));
  std::ostringstream graphml;
  write_graphml(graphml, odd);
  const auto count = [](const std::string& text, std::string_view part) {
    std::size_t times = 0;
    for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; ++at) ++times;
    return times;
  };
  EXPECT_EQ(count(dot.str(), " -- "), odd.num_cables());
  EXPECT_EQ(count(dot.str(), "label=\""), odd.num_nodes());
  EXPECT_EQ(count(graphml.str(), "<node "), odd.num_nodes());
  EXPECT_EQ(count(graphml.str(), "<edge "), odd.num_cables());
  EXPECT_NE(graphml.str().find("leaf &quot;one&quot;"), std::string::npos);
}

}  // namespace
}  // namespace fatwood
