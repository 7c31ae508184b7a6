// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "core/error.hpp"
#include "io/base/scratch_folder.hpp"
#include "io/routes/read_routes.hpp"
#include "io/routes/route_classes.hpp"
#include "io/routes/route_names.hpp"
#include "io/routes/route_records.hpp"
#include "io/routes/switch_routes.hpp"
#include "support/fixtures.hpp"
#include "topology/generate/tree.hpp"
#include "verify/verify.hpp"

namespace fatwood {
namespace {

std::string kept_routes(const std::string& file) {
  std::ifstream in(test::kept("fuzz/corpus/routes") / file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// "10.0.1.0/24 via swp1 swp2*3", one line for each route.
std::string text_of(const std::vector<std::string>& files) {
  SwitchRoutes routes;
  for (const std::string& file : files) {
    Input input(kept_routes(file), file);
    Warnings warnings(file);
    EXPECT_TRUE(looks_like_routes(input.peek())) << file;
    EXPECT_TRUE(read_switch_routes(input, routes, warnings)) << file;
    EXPECT_TRUE(warnings.texts().empty()) << file << warnings.texts().front();
  }
  settle_routes(routes);
  std::string text;
  for (const SwitchRoute& route : routes.routes) {
    constexpr const char* kKinds[] = {"via", "on", "own", "nowhere"};
    text += fmt::format("{} {}", to_string(route.prefix), kKinds[static_cast<int>(route.kind)]);
    for (const RouteHop& hop : hops_of(routes, route)) {
      text += ' ' + hop.port;
      if (hop.weight != 1) text += fmt::format("*{}", hop.weight);
    }
    text += '\n';
  }
  return text;
}

TEST(RouteRecords, ValuesOneAfterAnother) {
  const std::string path = test::kept("fuzz/corpus/route_records/small.json").string();
  Input input(path);
  EXPECT_TRUE(looks_like_records(input.peek()));
  std::string devices;
  for (const RouteRecord& record : read_records(input)) {
    EXPECT_TRUE(looks_like_routes(record.answer)) << record.device;
    devices += record.device + ' ';
  }
  EXPECT_EQ(devices, "leaf1 leaf2 spine1 spine2 ");
  Input broken("[{\"hostname\": \"leaf1\", \"cmd\"", "broken");
  EXPECT_THROW(read_records(broken), InputError);
}

TEST(SwitchRoutes, TextOfIproute2) {
  EXPECT_EQ(text_of({"ip_route.txt"}),
            "10.0.0.0/24 on hosts\n"
            "10.0.1.0/24 via swp1 swp2*3\n"
            "10.0.2.0/24 via swp1 swp2*4\n"
            "10.0.3.0/24 via swp2\n"
            "10.9.0.0/16 nowhere\n"
            "10.255.0.1/32 own lo\n"
            "2001:db8:1::/64 via swp1\n");
}

TEST(SwitchRoutes, JsonOfIproute2WithItsObjects) {
  EXPECT_EQ(text_of({"ip_route.json", "ip_nexthop.json"}),
            "10.0.0.0/24 on hosts\n"
            "10.0.1.0/24 via swp1\n"
            "10.0.2.0/24 via swp1 swp2*2\n"
            "10.9.0.0/16 nowhere\n"
            "10.255.0.1/32 own lo\n"
            "10.255.0.4/32 via swp1\n");
  EXPECT_NE(text_of({"ip_route.json"}).find("10.0.1.0/24 via a next-hop group that is not in"),
            std::string::npos);
}

TEST(SwitchRoutes, Frr) {
  const std::string json =
      "10.0.0.0/24 on hosts\n"
      "10.0.1.0/24 via swp1 swp2*255\n"
      "10.9.0.0/16 nowhere\n"
      "10.255.0.1/32 own lo\n";
  EXPECT_EQ(text_of({"frr.json"}), json);
  EXPECT_EQ(text_of({"frr.txt"}),
            "10.0.0.0/24 on hosts\n"
            "10.0.1.0/24 via swp1 swp2*3\n"
            "10.0.4.0/24 via swp1\n"
            "10.9.0.0/16 nowhere\n"
            "10.255.0.1/32 own lo\n");
}

TEST(SwitchRoutes, Sonic) {
  EXPECT_EQ(text_of({"sonic.json"}),
            "10.0.0.0/24 on Vlan100\n"
            "10.0.1.0/24 via Ethernet0 Ethernet4*2\n"
            "10.0.2.0/24 via Ethernet0 Ethernet4\n"
            "10.0.3.0/24 via a next-hop group that is not in the files\n"
            "10.0.4.0/24 via Ethernet0\n"
            "10.0.5.0/24 via Ethernet12 Ethernet4 Ethernet8\n"
            "10.9.0.0/16 nowhere\n"
            "10.255.0.1/32 own Loopback0\n");
}

TEST(SwitchRoutes, EosAndJunos) {
  EXPECT_EQ(text_of({"eos.json"}),
            "10.0.0.0/24 on Vlan100\n"
            "10.0.1.0/24 via Ethernet1 Ethernet2\n"
            "10.0.2.0/24 via a next-hop group that is not in the files\n"
            "10.9.0.0/16 nowhere\n"
            "10.255.0.1/32 own Loopback0\n");
  EXPECT_EQ(text_of({"junos.json"}),
            "10.0.0.0/24 on irb.100\n"
            "10.0.1.0/24 via et-0/0/0.0 et-0/0/1.0\n"
            "10.255.0.1/32 own lo0.0\n");
}

TEST(Prefixes, AreReadWrittenAndBounded) {
  for (const char* text : {"10.1.0.0/16", "0.0.0.0/0", "10.1.2.3/32", "2001:db8::/33", "::/0"}) {
    EXPECT_EQ(to_string(*parse_prefix(text)), text);
  }
  EXPECT_EQ(to_string(*parse_prefix("192.168.0.4/24")), "192.168.0.0/24");
  EXPECT_EQ(to_string(*parse_prefix("10.0.0.1")), "10.0.0.1/32");
  EXPECT_EQ(to_string(*parse_prefix("default")), "0.0.0.0/0");
  for (const char* text : {"10.0.0.0/33", "10.0.0", "::/129", "nonsense", "", "10.0.0.0/x"}) {
    EXPECT_FALSE(parse_prefix(text)) << text;
  }
  EXPECT_EQ(last_address(*parse_prefix("10.1.0.0/16")), parse_prefix("10.1.255.255")->first);
  EXPECT_EQ(last_address(*parse_prefix("2001:db8::/33")),
            parse_prefix("2001:db8:7fff:ffff:ffff:ffff:ffff:ffff")->first);
}

// Two spines (S2.0, S2.1), three leaves with two hosts on ports 3 and 4; ports 1 and 2 go up.
class RouteFolder : public testing::Test {
 protected:
  void write(const std::string& file, const std::string& text) {
    const std::filesystem::path path = std::filesystem::path(folder_.path()) / file;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
  }
  std::string leaf(int number) const { return fmt::format("S1_{}", number); }
  static std::string spine(int number) { return fmt::format("S2_{}", number); }

  // All routes of a leaf to the others by these ports, and its own prefix.
  std::string leaf_routes(int number, const std::string& extra = "") {
    std::string text = fmt::format("10.0.{}.0/24 dev hosts proto kernel scope link\n", number);
    for (int other = 0; other < 3; ++other) {
      if (other == number) continue;
      text += fmt::format(
          "10.0.{}.0/24 proto bgp metric 20\n"
          "\tnexthop via 169.254.0.1 dev swp1 weight 1\n"
          "\tnexthop via 169.254.0.1 dev swp2 weight 1\n",
          other);
    }
    return text + extra;
  }
  void write_leaves() {
    for (int i = 0; i < 3; ++i) write(leaf(i) + ".txt", leaf_routes(i));
  }
  void write_spines() {
    for (int i = 0; i < 2; ++i) write(spine(i) + "/route", spine_routes());
  }
  static std::string spine_routes() {
    std::string text;
    for (int i = 0; i < 3; ++i) {
      text += fmt::format("10.0.{}.0/24 via 169.254.0.1 dev swp{} proto bgp metric 20\n", i, i + 1);
    }
    return text;
  }

  Verdict prove() {
    loaded_ = read_routes(folder_.path(), fabric_, {});
    const Routing routing{.tables = loaded_.tables,
                          .sets = loaded_.sets,
                          .unknown = loaded_.unknown,
                          .may_return = loaded_.may_return};
    return verify(Model(fabric_), routing);
  }
  bool warns(const std::string& text) const {
    return std::ranges::any_of(loaded_.warnings, [&](const std::string& warning) {
      return warning.find(text) != std::string::npos;
    });
  }

  Fabric fabric_ = make_tree(xgft({2, 3}, {1, 2}));
  ScratchFolder folder_{"fatwood-routes"};
  LoadedTables loaded_;
};

TEST_F(RouteFolder, WholeTables) {
  write_leaves();
  write_spines();
  const Verdict verdict = prove();
  EXPECT_EQ(verdict.reachability.unreachable.terminal_terminal, 0U);
  EXPECT_EQ(verdict.reachability.unknown.terminal_terminal, 0U);
  // No table has a loopback.
  EXPECT_EQ(verdict.reachability.unknown.switch_switch, 20U);
  EXPECT_EQ(verdict.reachability.unreachable.total(), 0U);
  EXPECT_TRUE(verdict.deadlock.free());
  EXPECT_FALSE(loaded_.sets.empty());
  EXPECT_FALSE(warns("narrower"));
}

TEST_F(RouteFolder, LoopbacksAreFoundWhereRoutesEnd) {
  for (int i = 0; i < 3; ++i) {
    write(leaf(i) + ".txt", leaf_routes(i, "10.255.0.4 via 169.254.0.1 dev swp1 proto bgp\n"));
  }
  write_spines();
  const Verdict verdict = prove();
  // To spine 0: from the three leaves, and unknown... no: lost from the other spine.
  EXPECT_EQ(verdict.reachability.unreachable.switch_switch, 1U);
  EXPECT_EQ(verdict.reachability.unknown.switch_switch, 16U);
}

TEST_F(RouteFolder, AMissingFileIsUnknownNotLost) {
  write_leaves();
  write(spine(0) + ".txt", spine_routes());
  const Verdict verdict = prove();
  EXPECT_EQ(verdict.reachability.unreachable.total(), 0U);
  EXPECT_EQ(verdict.reachability.unknown.terminal_terminal, 24U);  // all between leaves
  EXPECT_TRUE(warns("1 of 5 switches have no routes"));
}

TEST_F(RouteFolder, AMissingRouteIsLost) {
  write_leaves();
  write(spine(0) + ".txt", spine_routes());
  write(spine(1) + ".txt", "10.0.0.0/24 via 169.254.0.1 dev swp1 proto bgp\n");
  const Verdict verdict = prove();
  EXPECT_EQ(verdict.reachability.unreachable.terminal_terminal, 2U * 4 * 2);
  EXPECT_EQ(verdict.reachability.unknown.terminal_terminal, 0U);
}

TEST_F(RouteFolder, SeveralOwnersAreUnknownWhereAPacketMayMeetAnother) {
  write(leaf(0) + ".txt", leaf_routes(0));
  write(leaf(1) + ".txt", leaf_routes(1));
  // Leaf 2 has the prefix of leaf 1, and spines send it there, too.
  write(leaf(2) + ".txt",
        "10.0.1.0/24 dev hosts proto kernel scope link\n"
        "10.0.0.0/24 proto bgp metric 20\n"
        "\tnexthop via 169.254.0.1 dev swp1 weight 1\n"
        "\tnexthop via 169.254.0.1 dev swp2 weight 1\n");
  for (int i = 0; i < 2; ++i) {
    write(spine(i) + ".txt",
          "10.0.0.0/24 dev swp1 via 169.254.0.1 proto bgp\n"
          "10.0.1.0/24 proto bgp\n"
          "\tnexthop via 169.254.0.1 dev swp2 weight 1\n"
          "\tnexthop via 169.254.0.1 dev swp3 weight 1\n");
  }
  const Verdict verdict = prove();
  EXPECT_TRUE(warns("belong to several switches, the first is 10.0.1.0/24"));
  EXPECT_EQ(verdict.reachability.unreachable.terminal_terminal, 0U);
  // From leaf 0 to both, and between the two.
  EXPECT_EQ(verdict.reachability.unknown.terminal_terminal, 2U * 4 + 2U * 4);
}

TEST_F(RouteFolder, TheLongestMatchCountsAndDefaultRoutesDo) {
  write_leaves();
  write_spines();
  // Leaf 0 has a default route only; leaf 1 sends half of leaf 2's prefix by one port.
  write(leaf(0) + ".txt",
        "10.0.0.0/24 dev hosts proto kernel scope link\n"
        "default proto bgp\n\tnexthop via 169.254.0.1 dev swp1\n\tnexthop via 169.254.0.1 dev "
        "swp2\n");
  write(leaf(1) + ".txt", leaf_routes(1, "10.0.2.0/25 via 169.254.0.1 dev swp1 proto static\n"));
  const Verdict verdict = prove();
  EXPECT_EQ(verdict.reachability.unreachable.terminal_terminal, 0U);
  EXPECT_EQ(verdict.reachability.unknown.terminal_terminal, 0U);
  EXPECT_EQ(loaded_.tables.lmc(), 1U);  // two classes on leaf 2
  EXPECT_TRUE(warns("narrower than the cables"));
}

TEST_F(RouteFolder, APacketMayLeaveByThePortItCameBy) {
  write_leaves();
  // Spine 0 has lost the session to leaf 2 and sends to the others, which send back.
  write(spine(0) + ".txt",
        "10.0.0.0/24 via 169.254.0.1 dev swp1\n"
        "10.0.1.0/24 via 169.254.0.1 dev swp2\n"

        "10.0.2.0/24 proto bgp\n"
        "\tnexthop via 169.254.0.1 dev swp1\n"
        "\tnexthop via 169.254.0.1 dev swp2\n");
  write(spine(1) + ".txt", spine_routes());
  const Verdict verdict = prove();
  EXPECT_GT(verdict.reachability.loops, 0U);
  EXPECT_FALSE(verdict.deadlock.free());
}

TEST_F(RouteFolder, UnknownPortsAreUnknown) {
  write_leaves();
  write_spines();
  write(leaf(0) + ".txt",
        "10.0.0.0/24 dev hosts proto kernel scope link\n"
        "10.0.1.0/24 via 10.9.9.9 dev bond0 proto bgp\n10.0.2.0/24 via 10.9.9.9 dev bond0\n");
  const Verdict verdict = prove();
  EXPECT_TRUE(warns("the first by bond0 of"));
  EXPECT_EQ(verdict.reachability.unreachable.terminal_terminal, 0U);
  EXPECT_EQ(verdict.reachability.unknown.terminal_terminal, 2U * 4);
}

TEST_F(RouteFolder, LabelsName) {
  Names labels;
  for (const Channel c : ids<Channel>(fabric_.num_channels())) {
    const Node node = fabric_.owner(c);
    const bool up = fabric_.is_switch(node) && fabric_.between_switches(c);
    labels.push_back(up ? fmt::format("et-0/0/{}", index(fabric_.port(c))) : "");
  }
  for (int i = 0; i < 3; ++i) {
    std::string text = leaf_routes(i);
    for (std::size_t at = 0; (at = text.find("swp", at)) != std::string::npos;) {
      text.replace(at, 4, fmt::format("et-0/0/{}.0", text[at + 3]));
    }
    write(leaf(i), text);
  }
  for (int i = 0; i < 2; ++i) {
    std::string text = spine_routes();
    for (std::size_t at = 0; (at = text.find("swp", at)) != std::string::npos;) {
      text.replace(at, 4, fmt::format("et-0/0/{}.0", text[at + 3]));
    }
    write(spine(i), text);
  }
  loaded_ = read_routes(folder_.path(), fabric_, labels);
  EXPECT_FALSE(loaded_.sets.empty());
  EXPECT_FALSE(warns("not in the fabric"));
}

TEST_F(RouteFolder, OtherFoldersAreRefused) {
  write("notes.txt", "nothing here\n");
  EXPECT_THROW(prove(), InputError);
  write("elsewhere.txt", leaf_routes(0));
  EXPECT_THROW(prove(), InputError);
}

TEST(SwitchNames, OfFilesAndFolders) {
  const Fabric fabric = make_tree(xgft({2, 3}, {1, 2}));
  const SwitchNames names(fabric);
  const Switch first{0};
  for (const char* file : {"S1_0", "s1_0.json", "S1_0-routes.txt", "S1_0/nexthop.json",
                           "/var/tmp/S1_0/route", "x/S1_0.example.com/a.b", "./S1_0_ip-route"}) {
    EXPECT_EQ(names.of_file(file), first) << file;
  }
  for (const char* file : {"", "/", "S9_9.json", "/var/tmp/route", "S1"}) {
    EXPECT_EQ(names.of_file(file), kNone<Switch>) << file;
  }
}

// Random tables: the class of an address holds what the longest match of each switch says.
TEST(RouteClasses, AreLongestMatches) {
  const Fabric fabric = make_tree(xgft({2, 3}, {1, 2}));
  std::uint32_t state = 1;
  const auto draw = [&](std::uint32_t below) {
    state = state * 1664525U + 1013904223U;
    return (state >> 8U) % below;
  };
  for (int round = 0; round < 50; ++round) {
    Table<Switch, SwitchTable> tables(fabric.num_switches());
    for (const Switch s : ids<Switch>(fabric.num_switches())) {
      tables[s].known = true;
      std::set<Prefix> used;
      for (int i = 0; i < 6; ++i) {
        // 16 addresses, so that prefixes overlap.
        const unsigned bits = 28 + draw(5);
        const Prefix prefix = *parse_prefix(fmt::format("10.0.0.{}/{}", draw(16), bits));
        if (!used.insert(prefix).second) continue;
        RouteEntry entry{.what = RouteEntry::What::kPorts};
        put(entry.ports, static_cast<Port>(1 + draw(2)));
        if (draw(8) == 0) entry = {.what = RouteEntry::What::kHosts};
        tables[s].add(prefix, entry);
      }
    }
    const std::vector<RouteClass> classes = find_route_classes(fabric, tables);
    for (std::uint32_t address = 0; address < 16; ++address) {
      const Prefix one = *parse_prefix(fmt::format("10.0.0.{}", address));
      std::vector<RouteEntry> expected;
      std::vector<Switch> owners;
      for (const Switch s : ids<Switch>(fabric.num_switches())) {
        const SwitchTable::Match* best = nullptr;
        for (const SwitchTable::Match& match : tables[s].matches) {
          const bool covers =
              match.prefix.first <= one.first && one.first <= last_address(match.prefix);
          if (covers && (best == nullptr || match.prefix.bits > best->prefix.bits)) best = &match;
        }
        expected.push_back(best == nullptr ? RouteEntry{} : tables[s].kinds[best->kind]);
        if (expected.back().what == RouteEntry::What::kHosts) owners.push_back(s);
      }
      if (owners.empty()) continue;
      const auto same = std::ranges::count_if(classes, [&](const RouteClass& c) {
        return c.entries == expected && c.owners == owners;
      });
      EXPECT_EQ(same, 1) << address;
    }
  }
}

}  // namespace
}  // namespace fatwood
