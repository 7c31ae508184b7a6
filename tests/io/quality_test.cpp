// SPDX-License-Identifier: BSD-3-Clause
// Signals, cables and temperatures of a run of ibdiagnet2: what small files say, and errors.

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "io/ibdiagnet/cables.hpp"
#include "io/ibdiagnet/db_csv.hpp"
#include "io/ibdiagnet/net_dump_ext.hpp"
#include "io/ibdiagnet/pm.hpp"
#include "support/fixtures.hpp"
#include "support/input_error.hpp"

namespace fatwood {
namespace {

std::string kept_text(const std::string& path) {
  std::ifstream in(test::kept(path), std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}
SideData signals_of(std::string_view text) {
  Input input(text, "ext");
  return read_net_dump_ext(input);
}
SideData cables_of(std::string_view text) {
  Input input(text, "cables");
  return read_cables(input);
}
void expect_error(const std::string& error, std::string_view part) {
  EXPECT_NE(error.find(part), std::string::npos) << error;
}

constexpr std::string_view kTitles =
    "Ty : # : #IB : GUID : FEC mode : Raw BER : Effective BER : Symbol BER : Symbol Err : "
    "Effective Err : Node Desc\n";

TEST(NetDumpExt, HasTheSignalOfEachPort) {
  const std::string text = kept_text("fuzz/corpus/net_dump_ext/small.net_dump_ext");
  EXPECT_TRUE(looks_like_net_dump_ext(text));
  EXPECT_FALSE(looks_like_pm(text));
  const SideData side = signals_of(text);
  ASSERT_EQ(side.signals.size(), 3);  // the port that is down has none
  EXPECT_EQ(side.signals[0].key.guid, 0x20000000000000U);
  EXPECT_EQ(side.signals[0].key.port, 1);
  const SignalQuality& first = side.signals[0].quality;
  EXPECT_DOUBLE_EQ(*first.raw_ber, 2.1e-8);
  EXPECT_DOUBLE_EQ(*first.effective_ber, 1.5e-254);
  EXPECT_DOUBLE_EQ(*first.symbol_ber, 3.2e-11);
  EXPECT_EQ(first.symbol_errors, 17);
  EXPECT_EQ(first.fec, "RS_FEC_544_514");
  EXPECT_FALSE(side.signals[1].quality.raw_ber);  // not measured
  EXPECT_EQ(side.signals[1].quality.symbol_errors, kNoCount);
}

TEST(NetDumpExt, SaysWhatIsWrong) {
  const auto error_of = [](const std::string& text) {
    return test::input_error_of([&] { signals_of(text); });
  };
  const std::string titles(kTitles);
  expect_error(error_of("SW : 1 : 1 : 0x1 : x : 1e-8 : 0 : 0 : 0 : 0 : a\n"),
               "ext:1:1: expected the titles");
  expect_error(error_of("Ty : # : #IB : GUID : Raw BER\n"), "expected a column 'FEC mode'");
  expect_error(error_of(titles + "SW : 1 : one : 0x1 : x : 1e-8 : 0 : 0 : 0 : 0 : a\n"),
               "ext:2:1: expected a port's number");
  expect_error(error_of(titles + "SW : 1 : 1 : 0x1 : x : bad : 0 : 0 : 0 : 0 : a\n"),
               "expected a bit error rate, found 'bad'");
  expect_error(error_of(titles + "SW : 1 : 1 : 0x1 : x : 1.5 : 0 : 0 : 0 : 0 : a\n"),
               "expected a bit error rate");
  expect_error(error_of("# File created at : x\n" + titles), "cut short");
  EXPECT_EQ(signals_of(titles + "SW : 1 : 1\n").warnings.size(), 1);
  // Below what a double holds.
  EXPECT_EQ(*signals_of(titles + "SW : 1 : 1 : 0x1 : x : 1e-400 : 0 : 0 : 0 : 0 : a:b\n")
                 .signals[0]
                 .quality.raw_ber,
            0);
}

TEST(Cables, HaveModulesAndTheirLimits) {
  const std::string text = kept_text("fuzz/corpus/cables/small.cables");
  EXPECT_TRUE(looks_like_cables(text));
  EXPECT_FALSE(looks_like_cables(kept_text("fuzz/corpus/pm/small.pm")));
  const SideData side = cables_of(text);
  ASSERT_EQ(side.cables.size(), 2);
  const CableFacts& facts = side.cables[0].facts;
  EXPECT_EQ(facts.part, "MFS1S00-H010E");
  EXPECT_EQ(facts.serial, "MT2011FT01234");
  EXPECT_EQ(facts.type, "Active Optical Cable");
  EXPECT_EQ(facts.length_m, 10);
  EXPECT_EQ(facts.celsius, 83);
  EXPECT_EQ(facts.limit_celsius, 80);
  EXPECT_FALSE(side.cables[1].facts.celsius);
  expect_error(test::input_error_of([] { cables_of("PN: x\n"); }), "'Port=' before the first key");
  expect_error(test::input_error_of([] { cables_of("Port=1 GUID=0x1\nword\n"); }), "'Key: value'");
  expect_error(test::input_error_of([] { cables_of("Port=1 Lid=2\n"); }), "GUID=0x");
}

TEST(DbCsv, HasErrorRatesTemperaturesAndCorrection) {
  const std::string text =
      kept_text("fixtures/ibdiagnet2/ibdiagnet2.db_csv") +
      "START_PHY_DB16\n"
      "NodeGuid,PortGuid,PortNum,field12,field13,field14,field15,field16,field17\n"
      "0x1001,0x1001,3,21,9,15,255,32,12\n"
      "0x1001,0x1001,4,15,1933785040,15,255,15,255\n"
      "END_PHY_DB16\n"
      "START_TEMP_SENSING\nNodeGUID,CurrentTemperature\n0x1001,61\n0x2001,N/A\nEND_TEMP_SENSING\n"
      "START_CABLE_INFO\nNodeGuid,PortGuid,PortNum,PN,SN,Temperature,AlarmTemperatureHighThresh\n"
      "0x1001,0x1001,3,\"MFS\",\"MT1\",\"58C\",\"80C\"\nEND_CABLE_INFO\n";
  Input input(text, "csv");
  const LoadedFabric loaded = read_db_csv(input);
  const Fabric& fabric = loaded.fabric;
  Node leaf = kNone<Node>;
  for (const Node node : ids<Node>(fabric.num_nodes())) {
    if (fabric.guid(node) == 0x1001) leaf = node;
  }
  const auto port = [&](unsigned number) {
    return fabric.channel(leaf, static_cast<Port>(number));
  };
  EXPECT_DOUBLE_EQ(*loaded.run.signals[port(3)].raw_ber, 21e-9);
  EXPECT_DOUBLE_EQ(*loaded.run.signals[port(3)].effective_ber, 15e-255);
  EXPECT_DOUBLE_EQ(*loaded.run.signals[port(3)].symbol_ber, 32e-12);
  EXPECT_FALSE(loaded.run.signals[port(4)].raw_ber);  // a placeholder, not a rate
  EXPECT_EQ(loaded.run.celsius[leaf], 61);
  EXPECT_EQ(loaded.run.cables[port(3)].celsius, 58);
  EXPECT_EQ(loaded.run.cables[port(3)].limit_celsius, 80);
  EXPECT_EQ(loaded.run.cables[port(3)].serial, "MT1");
  // Carried to another numbering: the same fabric.
  const RunData carried_over = carried(loaded.run, fabric, fabric);
  EXPECT_EQ(carried_over.signals[port(3)].symbol_ber, loaded.run.signals[port(3)].symbol_ber);
  EXPECT_EQ(carried_over.celsius[leaf], 61);
}

TEST(DbCsv, NamesOfErrorCorrection) {
  EXPECT_EQ(fec_name(4), "RS_FEC_544_514");
  EXPECT_EQ(fec_name(14), "MLNX_RS_271_257_PLR");
  EXPECT_EQ(fec_name(kNoCount), "");
}

TEST(Celsius, IsReadInEveryForm) {
  EXPECT_EQ(parse_celsius("58C"), 58);
  EXPECT_EQ(parse_celsius("58.5 C"), 58.5);
  for (const char* text : {"", "N/A", "0C", "58F", "-5C", "1e9"}) EXPECT_FALSE(parse_celsius(text));
}

}  // namespace
}  // namespace fatwood
