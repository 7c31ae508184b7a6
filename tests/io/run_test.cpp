// SPDX-License-Identifier: BSD-3-Clause
// Files of ibdiagnet2: four texts of one fabric agree; a run as a folder or an archive; what is
// odd, what is refused.

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>

#include "io/ibdiagnet/db_csv.hpp"
#include "io/ibdiagnet/net_dump.hpp"
#include "io/ibdiagnet/pm.hpp"
#include "io/ibdiagnet/run_files.hpp"
#include "io/tables/load_tables.hpp"
#include "support/fixtures.hpp"
#include "support/input_error.hpp"
#include "support/temp_folder.hpp"

namespace fatwood {
namespace {

using Ports = std::vector<Port>;

std::string file_of(const std::string& ending) {
  std::ifstream in(test::kept("fixtures/ibdiagnet2/ibdiagnet2." + ending), std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}
LoadedFabric read(std::string_view text) {
  Input input(text, "csv");
  return read_fabric(input);
}
std::string error_of(std::string_view text) {
  return test::input_error_of([&] { read(text); });
}
std::string all_of(const std::vector<std::string>& warnings) {
  std::string all;
  for (const std::string& text : warnings) all += text + "\n";
  return all;
}
void refuses(std::string_view text, std::string_view message) {
  EXPECT_NE(error_of(text).find(message), std::string::npos) << error_of(text) << "\n for\n"
                                                             << text;
}
Node node_of(const Fabric& fabric, std::uint64_t guid) {
  for (const Node node : ids<Node>(fabric.num_nodes())) {
    if (fabric.guid(node) == guid) return node;
  }
  return kNone<Node>;
}

// Cables by GUIDs and ports, with their rates.
std::map<std::string, std::string> cables(const Fabric& fabric) {
  std::map<std::string, std::string> all;
  for (const Channel c : ids<Channel>(fabric.num_channels())) {
    if (!fabric.connected(c)) continue;
    const Channel peer = fabric.peer(c);
    std::ostringstream key;
    key << std::hex << fabric.guid(fabric.owner(c)) << '[' << index(fabric.port(c)) << "] "
        << fabric.guid(fabric.owner(peer)) << '[' << index(fabric.port(peer)) << ']';
    all[key.str()] = to_string(fabric.rate(c));
  }
  return all;
}

TEST(Run, FourTextsOfOneFabricAgree) {
  const LoadedFabric csv = read(file_of("db_csv"));
  EXPECT_EQ(csv.format, "db_csv");
  EXPECT_EQ(csv.fabric.num_switches(), 4U);
  EXPECT_EQ(csv.fabric.num_terminals(), 4U);
  EXPECT_EQ(csv.fabric.num_cables(), 8U);
  for (const std::string ending : {"ibnetdiscover", "lst", "net_dump"}) {
    const LoadedFabric other = read(file_of(ending));
    EXPECT_TRUE(other.warnings.empty()) << ending << ": " << all_of(other.warnings);
    EXPECT_EQ(cables(other.fabric), cables(csv.fabric)) << ending;
    for (const Terminal t : ids<Terminal>(csv.fabric.num_terminals())) {
      const Node there = node_of(other.fabric, csv.fabric.guid(csv.fabric.adapter_node(t)));
      ASSERT_NE(there, kNone<Node>);
      EXPECT_EQ(other.fabric.description(there),
                csv.fabric.description(csv.fabric.adapter_node(t)));
      const Terminal same = other.fabric.terminal_at(other.fabric.channel(there, Port{1}));
      EXPECT_EQ(other.fabric.address(same).lid, csv.fabric.address(t).lid);
      EXPECT_EQ(other.fabric.address(same).guid, csv.fabric.address(t).guid);
    }
    for (const Switch s : ids<Switch>(csv.fabric.num_switches())) {
      const Node there = node_of(other.fabric, csv.fabric.guid(csv.fabric.node(s)));
      ASSERT_NE(there, kNone<Node>);
      EXPECT_EQ(other.fabric.ports(there), csv.fabric.ports(csv.fabric.node(s)));
      EXPECT_EQ(other.fabric.address(other.fabric.as_switch(there)).lid, csv.fabric.address(s).lid);
    }
  }
}

TEST(Run, LabelsOfPortsAreKept) {
  for (const std::string ending : {"ibnetdiscover", "net_dump"}) {
    const LoadedFabric loaded = read(file_of(ending));
    const Node leaf = node_of(loaded.fabric, 0x1001);
    EXPECT_EQ(loaded.run.label(loaded.fabric.channel(leaf, Port{3})), "1/2/1") << ending;
    const Node host = node_of(loaded.fabric, 5);
    EXPECT_EQ(loaded.run.label(loaded.fabric.channel(host, Port{1})), "1") << ending;
  }
}

// Two switches with a host each, one cable between.
const std::string kNodes =
    "START_NODES\nNodeDesc,NumPorts,NodeType,SystemImageGUID,NodeGUID,DeviceID,VendorID\n"
    "\"one, \xfc\",4,2,0xaa,0xa1,54002,713\n\"two\",4,2,0xab,0xa2,54002,713\n"
    "\"h1\",1,1,0xac,0xb1,4129,713\n\"h2\",2,1,0xad,0xb2,4129,713\nEND_NODES\n\n";
const std::string kPorts =
    "START_PORTS\nNodeGuid,PortGuid,PortNum,LID,LinkWidthActv,LinkSpeedActv,LMC,PortState,OpVLs,"
    "OOOSLMask\n0xa1,0xa9,0,7,2,1,0,4,3,N/A\n0xa1,0xa1,1,0,2,2052,0,4,3,N/A\n"
    "0xa2,0xa2,0,8,2,1,0,4,4,N/A\n0xa2,0xa2,4,0,2,2052,0,4,4,N/A\n"
    "0xb1,0xb9,1,4,16,1024,2,4,2,0x0005\n0xb2,0xb2,2,3,8,65540,0,4,2,ERR\nEND_PORTS\n\n";
const std::string kLinks =
    "START_LINKS\nNodeGuid1,PortNum1,NodeGuid2,PortNum2\n0xa1,1,0xa2,4\n0xb1,1,0xa1,2\n"
    "0xa2,1,0xb2,2\nEND_LINKS\n\n";

TEST(DbCsv, ReadsWhatIsSaidOfNodesAndPorts) {
  const LoadedFabric loaded =
      read("# INDEX_TABLE offset: 1, line: 1\n\n\n" + kNodes + kPorts + kLinks +
           "START_SWITCHES\nNodeGUID,ENP0\n0xa1,1\n0xa2,0\nEND_SWITCHES\n"
           "START_AR_INFO\nNodeGUID,e,by_sl_en,enable_by_sl_mask,group_cap,group_top,fr_enabled,"
           "by_transport_disable,what_is_new\n0xa2,1,1,65534,4096,12,1,5,9\nEND_AR_INFO\n"
           "START_SM_INFO\nNodeGUID,SmState,Priority\n0xb1,2,1\n0xb2,3,5\nEND_SM_INFO\n"
           "START_PORT_HIERARCHY_INFO\nNodeGUID,PortNum,Label\n0xa1,1,\"1/1/1\"\n0xa1,2,N/A\n"
           "END_PORT_HIERARCHY_INFO\n"
           "START_PM_INFO\nNodeGUID,PortGUID,PortNumber,PortXmitDataExtended, PortXmitWaitExt\n"
           "0xa1,0xa1,1,5000000000,-1\n0xb2,0xb2,2,0x10,3\nEND_PM_INFO\n"
           "START_RN_COUNTERS\nNodeGUID,PortNumber,port_ar_trails\n0xa1,1,17\nEND_RN_COUNTERS\n");
  const Fabric& fabric = loaded.fabric;
  EXPECT_TRUE(loaded.warnings.empty()) << all_of(loaded.warnings);
  const Node one = node_of(fabric, 0xa1), two = node_of(fabric, 0xa2);
  const Node h1 = node_of(fabric, 0xb1), h2 = node_of(fabric, 0xb2);
  EXPECT_EQ(fabric.description(one), "one, \xc3\xbc");
  EXPECT_EQ(fabric.hardware(one), (Hardware{0xaa, 713, 54002}));
  EXPECT_EQ(fabric.address(fabric.as_switch(one)), (Address{0xa9, Lid{7}, 0, true}));
  EXPECT_FALSE(fabric.address(fabric.as_switch(two)).enhanced);
  EXPECT_EQ(fabric.address(fabric.terminal_at(fabric.channel(h1, Port{1}))),
            (Address{0xb9, Lid{4}, 2, false}));
  EXPECT_EQ(to_string(fabric.rate(fabric.channel(one, Port{1}))), "4xNDR");
  EXPECT_EQ(to_string(fabric.rate(fabric.channel(h1, Port{1}))), "2xHDR");
  EXPECT_EQ(to_string(fabric.rate(fabric.channel(h2, Port{2}))), "12xFDR10");
  const RunData& run = loaded.run;
  EXPECT_EQ(run.label(fabric.channel(one, Port{1})), "1/1/1");
  EXPECT_EQ(run.label(fabric.channel(one, Port{2})), "");
  EXPECT_FALSE(run.adaptive[fabric.as_switch(one)].known);
  const AdaptiveSettings& set = run.adaptive[fabric.as_switch(two)];
  EXPECT_TRUE(set.enabled && set.by_level);
  EXPECT_EQ(set.levels, 65534);
  EXPECT_EQ(set.transports_off, 5);
  EXPECT_EQ(run.lanes[fabric.channel(one, Port{1})], 4);
  EXPECT_EQ(run.lanes[fabric.channel(h1, Port{1})], 2);
  EXPECT_EQ(run.reordered_levels[fabric.channel(h1, Port{1})], 5);
  ASSERT_TRUE(run.counters.column("port_xmit_data_extended"));
  EXPECT_EQ(run.counters.at(fabric.channel(one, Port{1}), *run.counters.column("PortXmitDataExt")),
            5000000000U);
  EXPECT_EQ(
      run.counters.at(fabric.channel(one, Port{1}), *run.counters.column("PortXmitWaitExtended")),
      kNoCount);
  EXPECT_EQ(run.counters.at(fabric.channel(one, Port{1}), *run.counters.column("port_ar_trails")),
            17U);
  EXPECT_EQ(run.counters.at(fabric.channel(h2, Port{2}), 0), 16U);
  EXPECT_EQ(run.counters.at(fabric.channel(h2, Port{2}), 2), kNoCount);
  EXPECT_EQ(run.counters.at(fabric.channel(two, Port{1}), 0), kNoCount);
  EXPECT_FALSE(run.counters.column("PortXmitData"));
}

TEST(DbCsv, TellsWhatItLeavesOut) {
  const LoadedFabric loaded = read(
      kNodes.substr(0, kNodes.find("END_")) + "\"h3\",1\n\"h2\",2,1,0xad,0xb2,4129,713\n" +
      "END_NODES\n" + kLinks + kLinks.substr(0, kLinks.find("0xa2,1,")) + "0xa2,2,0xb2,1\n" +
      "END_LINKS\nSTART_AR_INFO\ne\n1\nEND_AR_INFO\nSTART_PORTS\nNodeGuid,PortNum,PortState\n" +
      "0xb2,1,1\nEND_PORTS\nSTART_WHAT\nEND_WHAT\n");
  EXPECT_EQ(loaded.fabric.num_cables(), 2U);
  const std::string all = all_of(loaded.warnings);
  for (const std::string_view part :
       {"csv:7: a row with another number of fields than its section's header, skipped",
        "csv:8: a second row for a node, skipped",
        "csv:18: a section that was there before; the last one counts",
        "a link of a port that is down, left out",
        "a section lacks a column that it needs: skipped",
        "a link's rate is not known (here and 1 times more)"}) {
    EXPECT_NE(all.find(part), std::string::npos) << part << "\n in\n" << all;
  }
  EXPECT_TRUE(loaded.run.adaptive.empty());
}

TEST(DbCsv, RefusesWithPlaceAndExpectation) {
  refuses(kNodes, "has no cables: expected a section LINKS");
  refuses(kNodes + "START_LINKS\nNodeGuid1,PortNum1,NodeGuid2,PortNum2\nEND_LINKS\n",
          "has no cables");
  refuses(kNodes.substr(0, 200), "csv:7:1: the file is cut short; expected END_NODES");
  refuses("START_NODES\n", "csv:2:1: the file is cut short; expected the columns of section NODES");
  refuses("START_WHAT\nNodeGUID\nSTART_PORTS\n", "csv:3:1: expected END_WHAT before");
  refuses("START_NODES\nNodeDesc,NumPorts,NodeType\nEND_NODES\n",
          "csv:2:1: expected a column NodeGUID");
  refuses("START_LINKS\nNodeGuid1\nEND_LINKS\n", "csv:2:1: expected a column PortNum1");
  refuses("START_NODES\nNumPorts,NodeType,NodeGUID\n4,9,0xa1\nEND_NODES\n",
          "csv:3:3: expected 1 (adapter), 2 (switch) or 3 (router)");
  refuses("START_NODES\nNumPorts,NodeType,NodeGUID\nfour,2,0xa1\nEND_NODES\n",
          "csv:3:1: expected a number, found 'four'");
  refuses("START_NODES\nNumPorts,NodeType,NodeGUID\n400,2,0xa1\nEND_NODES\n",
          "csv:3:1: expected at most 254");
  refuses("START_NODES\nNumPorts,NodeType,NodeGUID\n4,2,N/A\nEND_NODES\n",
          "csv:3:5: expected a node's GUID");
  refuses(kNodes + kLinks.substr(0, kLinks.find("END_")) + "0xa1,3,0xff,1\nEND_LINKS\n",
          "GUID 0x00000000000000ff has no row in section NODES");
  refuses(kNodes + kLinks.substr(0, kLinks.find("END_")) + "0xa1,1,0xa2,3\nEND_LINKS\n",
          "can't be connected to");
  refuses(kNodes + kLinks.substr(0, kLinks.find("END_")) + "0xa1,5,0xa2,3\nEND_LINKS\n",
          "has no port 5; expected 1 to 4");
  refuses(kNodes + "START_PORTS\nNodeGuid,PortNum\n0xa1,9\nEND_PORTS\n" + kLinks,
          "csv:11:1: \"S-00000000000000a1\" has no port 9; expected 4 at most");
}

const std::string kTitles =
    "  # : IB# : Sta : PhysSta : LWA : LSA : Neighbor Guid : N# : NLID : Neighbor Description\n";

TEST(NetDump, FindsPortsByTheirLabels) {
  const LoadedFabric loaded =
      read("\"a, \"b\"\", Mellanox, 0xa1, LID 7\n" + kTitles +
           " 1/1 : 1 : ACT : LINK UP : 4x : 100 : 0xa2 : 9/9 : 8 : \"two: 2\"\n"
           " 1/2 : 2 : DOWN : POLL : N/A : N/A : : : : \n"
           " 65 : 65 : INI : LINK UP : 2x : 50 : 0xb1 : B1D0F0/0/0/2 : 3 : \"h: 1\"\n\n"
           "\"two: 2\", Mellanox, 0xa2, LID 8\n" +
           kTitles +
           " 9/9 : 3 : ACT : LINK UP : 4x : 100 : 0xa1 : 1/1 : 7 : \"a\"\n"
           " 9/8 : 4 : ACT : LINK UP : 4x : 17 : 0xb2 : x : 4 : \"h\"\n");
  const Fabric& fabric = loaded.fabric;
  EXPECT_EQ(loaded.format, "net_dump");
  const Node one = node_of(fabric, 0xa1), h1 = node_of(fabric, 0xb1);
  EXPECT_EQ(fabric.num_cables(), 3U);
  EXPECT_EQ(fabric.description(one), "a, \"b\"");
  EXPECT_EQ(fabric.ports(one), 65U);
  EXPECT_EQ(fabric.port(fabric.peer(fabric.channel(one, Port{1}))), Port{3});
  EXPECT_EQ(fabric.ports(h1), 2U);
  EXPECT_EQ(fabric.description(h1), "h: 1");
  EXPECT_EQ(to_string(fabric.rate(fabric.channel(one, Port{65}))), "2xHDR");
  EXPECT_EQ(fabric.address(fabric.terminal_at(fabric.channel(h1, Port{2}))).lid, Lid{3});
  EXPECT_EQ(loaded.run.label(fabric.channel(one, Port{2})), "1/2");
  const std::string all = all_of(loaded.warnings);
  EXPECT_NE(all.find("an end node's port is missing; port 1 is assumed"), std::string::npos) << all;
  EXPECT_NE(all.find("a link's rate is not known"), std::string::npos) << all;
}

TEST(NetDump, RefusesWithPlaceAndExpectation) {
  const std::string head = "\"a\", M, 0xa1, LID 7\n" + kTitles;
  const std::string row = " 1/1 : 1 : ACT : LINK UP : 4x : 100 : 0xa1 : 9/9 : 8 : \"a\"\n";
  refuses(head + row, "csv:3:1: \"S-00000000000000a1\" has no port with the label '9/9'");
  refuses(head + " x : y : ACT : L : 4x : 100 : : : : \n", "expected a port's number, found 'y'");
  refuses(head + " x : 1 : ACT : L : 4x : 100 : zz : : : \n", "expected a GUID, found 'zz'");
  refuses(head + " x : 0 : ACT : L : 4x : 100 : : : : \n", "csv:3:1: port 0; expected 1 or more");
  refuses(head + head, "csv:3:1: \"S-00000000000000a1\" has a block on line 1");
  refuses("\"a\", M, LID 7\n" + kTitles, "csv:1:1: expected '\"name\", vendor, 0xGUID, LID n'");
  refuses("\"a\", M, 0xa1\n" + kTitles, "csv:1:13: expected ', LID '");
  refuses("# : IB# : Neighbor Guid\n", "csv:1:1: expected a column 'Sta'");
  refuses("# File created at x\n" + head, "the file is cut short; expected '# File closed at'");
  EXPECT_NE(all_of(read(head + " 1 : 1 : ACT\n hello\n").warnings)
                .find("csv:3: a row with too few fields, skipped"),
            std::string::npos);
}

TEST(Pm, CountersBelongToTheirPorts) {
  const Fabric fabric = read(file_of("db_csv")).fabric;
  Input input(
      "# File created at x\n-----\nPort=1 Lid=0x1 GUID=0x1001 Device=54002 Port Name=leaf1/P1\n"
      "-----\nport_xmit_data_extended=0x10\nport_looping_errors=NA\n\n"
      "Port=1 Lid=0x5 GUID=0x5 Device=1 Port Name=x\nport_xmit_wait=0x7\n# File closed at y\n",
      "pm");
  ASSERT_TRUE(looks_like_pm(input.peek()));
  const RunData run = run_data(read_pm(input), fabric);
  const Channel leaf = fabric.channel(node_of(fabric, 0x1001), Port{1});
  const Channel host = fabric.channel(node_of(fabric, 5), Port{1});
  EXPECT_EQ(run.counters.names.size(), 3U);
  EXPECT_EQ(run.counters.at(leaf, *run.counters.column("PortXmitDataExtended")), 16U);
  EXPECT_EQ(run.counters.at(leaf, *run.counters.column("PortLoopingErrors")), kNoCount);
  EXPECT_EQ(run.counters.at(host, *run.counters.column("PortXmitWait")), 7U);
  const auto error = [](std::string_view text) {
    return test::input_error_of([&] {
      Input wrong(text, "pm");
      read_pm(wrong);
    });
  };
  EXPECT_NE(error("a=0x1\n").find("pm:1:1: expected 'Port=' before the first"), std::string::npos);
  EXPECT_NE(error("Port=1 Lid=0\n").find("pm:1:7: expected the port's GUID"), std::string::npos);
  EXPECT_NE(error("Port=1 GUID=0x1\nwhat\n").find("pm:2:1: expected 'Port='"), std::string::npos);
  EXPECT_NE(error("# File created at\n").find("pm:2:1: the file is cut short"), std::string::npos);
}

// A folder of its own for each test.
class RunFolder : public testing::Test {
 protected:
  void put(const std::string& name, std::string_view text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }
  std::string path(const std::string& name = "") const { return (folder_ / name).string(); }

  const test::TempFolder temporary_;
  const std::filesystem::path folder_ = temporary_.path();
};

std::string tar_header(const std::string& name, std::size_t size, char kind) {
  std::string block(512, '\0');
  block.replace(0, name.size(), name);
  std::array<char, 16> number{};
  std::snprintf(number.data(), number.size(), "%011zo", size);
  block.replace(124, 11, number.data());
  block[156] = kind;
  block.replace(257, 5, "ustar");
  block.replace(148, 8, "        ");
  unsigned sum = 0;
  for (const char c : block) sum += static_cast<unsigned char>(c);
  std::snprintf(number.data(), number.size(), "%06o", sum);
  block.replace(148, 6, number.data());
  block[154] = '\0';
  return block;
}
std::string tar_member(const std::string& name, const std::string& bytes, char kind = '0') {
  std::string padded = bytes;
  padded.resize((bytes.size() + 511) / 512 * 512, '\0');
  return tar_header(name, bytes.size(), kind) + padded;
}

TEST_F(RunFolder, IsReadForAllItHas) {
  for (const std::string ending : {"db_csv", "ibnetdiscover", "lst", "net_dump", "far", "fdbs"}) {
    put("ibdiagnet2." + ending, file_of(ending));
  }
  put("ibdiagnet2.log", "-I- Total Nodes : 8\nSwitches: 4\n");
  put("broken.gz", "\x1f\x8bnothing");
  put("ibdiagnet2.pm", "Port=1 Lid=0x1 GUID=0x1001 Device=1\nport_xmit_wait=0x7\n");
  ASSERT_TRUE(RunFiles::is_run(path()));
  const LoadedFabric loaded = read_run(RunFiles(path()));
  EXPECT_EQ(loaded.format, "run");
  EXPECT_EQ(cables(loaded.fabric), cables(read(file_of("db_csv")).fabric));
  const Node leaf = node_of(loaded.fabric, 0x1001);
  EXPECT_EQ(loaded.run.label(loaded.fabric.channel(leaf, Port{3})), "1/2/1");
  EXPECT_EQ(loaded.run.counters.at(loaded.fabric.channel(leaf, Port{1}), 0), 7U);
  EXPECT_TRUE(loaded.run.adaptive[loaded.fabric.as_switch(leaf)].known);
  EXPECT_EQ(
      loaded.note,
      path() +
          ": fabric from ibdiagnet2.db_csv, labels from ibdiagnet2.ibnetdiscover, "
          "counters from ibdiagnet2.pm; there are also: adaptive tables (ibdiagnet2.far), plain "
          "tables (ibdiagnet2.fdbs); skipped: broken.gz, ibdiagnet2.log, ibdiagnet2.lst, "
          "ibdiagnet2.net_dump (4 files)");
  const LoadedTables tables = load_tables(path(), loaded.fabric);
  EXPECT_EQ(tables.format, "far");
  std::filesystem::remove(folder_ / "ibdiagnet2.far");
  EXPECT_EQ(load_tables(path(), loaded.fabric).format, "fdbs");
  std::filesystem::remove(folder_ / "ibdiagnet2.fdbs");
  EXPECT_NE(test::input_error_of([&] {
              load_tables(path(), loaded.fabric);
            }).find("none of the files of this run has tables"),
            std::string::npos);
}

TEST_F(RunFolder, TakesCablesFromWhereTheyAre) {
  const std::string csv = file_of("db_csv");
  put("db_csv", csv.substr(0, csv.find("START_LINKS")));
  EXPECT_NE(test::input_error_of([&] {
              read_run(RunFiles(path()));
            }).find("none of its files has a fabric"),
            std::string::npos);
  put("net", file_of("net_dump"));
  EXPECT_EQ(cables(read_run(RunFiles(path())).fabric), cables(read(csv).fabric));
  put("list", file_of("lst"));
  const LoadedFabric loaded = read_run(RunFiles(path()));
  EXPECT_EQ(cables(loaded.fabric), cables(read(csv).fabric));
  EXPECT_FALSE(loaded.run.adaptive.empty());
  EXPECT_NE(loaded.note.find("fabric from list, settings from db_csv, labels from net"),
            std::string::npos)
      << loaded.note;
}

TEST_F(RunFolder, AnArchiveIsReadLikeAFolder) {
  const std::string long_name = std::string(120, 'x') + "/ibdiagnet2.far";
  const std::string record = " path=var/" + std::string(200, 'y') + "/ibdiagnet2.fdbs\n";
  const std::string archive =
      tar_header("run/", 0, '5') + tar_member("run/old/ibdiagnet2.db_csv", "START_NODES\n") +
      tar_member("run/ibdiagnet2.db_csv", file_of("db_csv")) +
      tar_member("././@LongLink", long_name, 'L') + tar_member("short", file_of("far")) +
      tar_member("pax", std::to_string(record.size() + 3) + record, 'x') +
      tar_member("short", file_of("fdbs")) + std::string(1024, '\0');
  put("run.tar", archive);
  ASSERT_TRUE(RunFiles::is_run(path("run.tar")));
  const RunFiles files(path("run.tar"));
  EXPECT_EQ(files.names(), (std::vector<std::string>{"ibdiagnet2.db_csv", "ibdiagnet2.db_csv",
                                                     "ibdiagnet2.far", "ibdiagnet2.fdbs"}));
  const LoadedFabric loaded = read_run(files);
  EXPECT_EQ(cables(loaded.fabric), cables(read(file_of("db_csv")).fabric));
  const LoadedTables tables = load_tables(path("run.tar"), loaded.fabric);
  EXPECT_EQ(tables.format, "far");
  EXPECT_FALSE(tables.sets.empty());
  for (std::size_t cut = 0; cut < archive.size(); cut += 97) {
    put("cut.tar", archive.substr(0, cut));
    const std::string error = test::input_error_of([&] {
      if (!RunFiles::is_run(path("cut.tar"))) throw InputError("cut short");
      read_run(RunFiles(path("cut.tar")));
    });
    if (cut < archive.size() - 1600) {
      EXPECT_NE(error.find("cut short"), std::string::npos) << cut << ": " << error;
    }
  }
}

TEST(Run, AdaptiveTablesOfTheFixture) {
  const Fabric fabric = read(file_of("db_csv")).fabric;
  Input input(file_of("far"), "far");
  const LoadedTables far = read_tables(input, fabric);
  Input plain(file_of("fdbs"), "fdbs");
  EXPECT_TRUE(read_tables(plain, fabric).tables == far.tables);
  const Switch leaf = fabric.as_switch(node_of(fabric, 0x1001));
  const Terminal host = fabric.terminal_at(fabric.channel(node_of(fabric, 7), Port{1}));
  const Destination destination = far.tables.destination(host);
  const auto ports = far.sets.ports(leaf, destination, far.tables.at(destination, leaf));
  EXPECT_EQ(Ports(ports.begin(), ports.end()), (Ports{Port{3}, Port{4}}));
  EXPECT_EQ(far.sets.state(leaf, destination), EntryState::kFree);
  const Switch other = fabric.as_switch(node_of(fabric, 0x1002));
  EXPECT_EQ(far.sets.state(leaf, far.tables.destination(other)), EntryState::kHashed);
  const Switch spine = fabric.as_switch(node_of(fabric, 0x2001));
  EXPECT_EQ(far.sets.state(spine, destination), EntryState::kStatic);
}

}  // namespace
}  // namespace fatwood
