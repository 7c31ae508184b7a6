// SPDX-License-Identifier: BSD-3-Clause
// Every reader against its valid files of tests/fuzz/corpus with the noise of real files added
// (mangler.hpp): the value is the same, with a warning where something was left out, or the error
// names a line.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <sstream>

#include "core/error.hpp"
#include "io/base/input.hpp"
#include "io/fabric/ibnetdiscover.hpp"
#include "io/fabric/json_fabric.hpp"
#include "io/fabric/load_fabric.hpp"
#include "io/fabric/spec.hpp"
#include "io/ibdiagnet/cables.hpp"
#include "io/ibdiagnet/net_dump_ext.hpp"
#include "io/ibdiagnet/pm.hpp"
#include "io/lists/fault_file.hpp"
#include "io/lists/job_list.hpp"
#include "io/opensm/node_name_map.hpp"
#include "io/tables/lane_file.hpp"
#include "io/tables/lfts.hpp"
#include "io/tables/load_tables.hpp"
#include "io/tables/sl2vl_file.hpp"
#include "io/traces/goal.hpp"
#include "io/traces/nccl_log.hpp"
#include "mangler.hpp"
#include "oracle/bfs_tables.hpp"
#include "support/fixtures.hpp"
#include "topology/generate/tree.hpp"

namespace fatwood {
namespace {

using test::Mangle;
using test::Mangler;

const Fabric& small_tree() {
  static const Fabric fabric = make_tree(xgft({2, 2}, {1, 2}));
  return fabric;
}

// What was read, in a form that can be compared.
struct Value {
  std::string text;
  std::vector<std::string> warnings;
};
using ReadValue = std::function<Value(Input&)>;

Value fabric_value(Input& input) {
  const LoadedFabric loaded = read_fabric(input);
  std::ostringstream out;
  write_json_fabric(out, loaded.fabric);
  for (const Channel c : ids<Channel>(loaded.fabric.num_channels())) out << loaded.run.label(c);
  return {out.str(), loaded.warnings};
}

Value tables_value(Input& input) {
  const LoadedTables loaded = read_tables(input, small_tree());
  std::string text = loaded.format;
  for (const Port port : loaded.tables.entries()) text += ' ' + std::to_string(index(port));
  for (const Lid lid : loaded.lids.terminal) text += " lid " + std::to_string(index(lid));
  return {text, loaded.warnings};
}

Value counters_value(Input& input) {
  const SideData side = read_pm(input);
  const RunData run = run_data(side, small_tree());
  std::string text;
  for (std::size_t i = 0; i < run.counters.names.size(); ++i) {
    text += run.counters.names[i];
    for (const Channel c : ids<Channel>(small_tree().num_channels())) {
      text += ' ' + std::to_string(run.counters.at(c, i));
    }
  }
  return {text, side.warnings};
}

// By GUID and port: a line that comes twice says the same again.
using TextByPort = std::map<std::pair<std::uint64_t, std::uint32_t>, std::string>;

std::string joined_text(const TextByPort& ports) {
  std::ostringstream text;
  for (const auto& [key, words] : ports) {
    text << key.first << ' ' << key.second << ' ' << words << '\n';
  }
  return text.str();
}

Value signals_value(Input& input) {
  const SideData side = read_net_dump_ext(input);
  TextByPort ports;
  for (const auto& [key, quality] : side.signals) {
    std::ostringstream text;
    text << quality.raw_ber.value_or(-1) << ' ' << quality.effective_ber.value_or(-1) << ' '
         << quality.symbol_ber.value_or(-1) << ' ' << quality.symbol_errors << ' ' << quality.fec;
    ports[{key.guid, key.port}] = text.str();
  }
  return {joined_text(ports), side.warnings};
}

Value cables_value(Input& input) {
  const SideData side = read_cables(input);
  TextByPort ports;
  for (const auto& [key, facts] : side.cables) {
    std::ostringstream text;
    text << facts.part << ' ' << facts.serial << ' ' << facts.type << ' ' << facts.length_m << ' '
         << facts.celsius.value_or(-1) << ' ' << facts.limit_celsius.value_or(-1);
    ports[{key.guid, key.port}] = text.str();
  }
  return {joined_text(ports), side.warnings};
}

Value level_lanes_value(Input& input) {
  const Sl2vl lanes = read_sl2vl(input, small_tree());
  std::string text;
  for (const auto lane : lanes.same) text += std::to_string(lane) + ' ';
  for (const Switch s : ids<Switch>(lanes.map.empty() ? 0 : small_tree().num_switches())) {
    const auto ports = ids<Port>(small_tree().ports(small_tree().node(s)) + 1);
    for (const Port in : ports) {
      for (const Port out : ports) {
        for (unsigned level = 0; level < 16; ++level) {
          text += std::to_string(lanes.map.lane(s, in, out, level)) + ' ';
        }
      }
    }
  }
  return {text, {}};
}

Value names_value(Input& input) {
  const NodeNameMap map = read_node_name_map(input);
  std::string text;
  for (const auto& [guid, name] : std::map(map.begin(), map.end())) {
    text += std::to_string(guid) + name + '\n';
  }
  return {text, {}};
}

Value path_lanes_value(Input& input) {
  const ForwardingTables tables(small_tree().num_terminals(), small_tree().num_switches(), 0);
  const FileLanes read = read_lanes(input, small_tree(), tables, assign_lids(small_tree(), 0));
  std::string text = std::to_string(read.left_out);
  for (const Destination destination : ids<Destination>(tables.num_destinations())) {
    for (const Switch s : ids<Switch>(small_tree().num_switches())) {
      text += ' ' + std::to_string(read.lanes.at(destination, s));
    }
  }
  return {text, {}};
}

Value jobs_value(Input& input) {
  std::string text;
  for (const ListedJob& job : read_job_list(input)) {
    text += job.name + ' ' + job.collective + ' ' + job.size + std::to_string(job.weight);
    for (const std::string& host : job.hosts) text += ' ' + host;
    text += '\n';
  }
  return {text, {}};
}

Value faults_value(Input& input) {
  std::set<std::string> orders;  // what is cut twice is cut
  for (const FaultRequest& order : read_faults(input)) {
    orders.insert(std::to_string(static_cast<int>(order.kind)) + order.text);
  }
  std::string text;
  for (const std::string& order : orders) text += order + '\n';
  return {text, {}};
}

Value log_value(Input& input) {
  const NcclLog log = read_nccl_log(input);
  std::string text = std::to_string(log.ranks) + ' ' + std::to_string(log.channels);
  for (const std::string& host : log.host_of) text += ' ' + host;
  for (const NcclEdge& edge : log.edges) {
    for (const std::uint32_t part : {edge.channel, edge.from, edge.to, edge.out, edge.into}) {
      text += ' ' + std::to_string(part);
    }
  }
  return {text, log.notes};
}

Value goal_value(Input& input) {
  const bool binary = looks_like_goal_binary(input.peek());
  const Trace trace = binary ? read_goal_binary(input) : read_goal(input);
  std::string text = std::to_string(trace.ranks);
  for (const TraceOp& op : trace.ops) {
    text += ' ' + std::to_string(static_cast<int>(op.kind)) + ',' + std::to_string(op.rank) + ',' +
            std::to_string(op.peer) + ',' + std::to_string(op.size);
  }
  return {text, trace.notes};
}

// By folder of the corpus. Tool output has warnings; lists that people write are strict.
struct Reader {
  ReadValue read;
  bool warns = false;
};

const std::map<std::string, Reader>& noisy_readers() {
  static const std::map<std::string, Reader> all{
      {"ibnetdiscover", {fabric_value, true}}, {"ports_report", {fabric_value, true}},
      {"subnet_lst", {fabric_value, true}},    {"json_fabric", {fabric_value, true}},
      {"any_fabric", {fabric_value, true}},    {"db_csv", {fabric_value, true}},
      {"net_dump", {fabric_value, true}},      {"tables", {tables_value, true}},
      {"plan_csv", {fabric_value, true}},      {"plan_json", {fabric_value, true}},
      {"topo", {fabric_value, true}},          {"ethernet", {fabric_value, true}},
      {"pm", {counters_value, true}},          {"net_dump_ext", {signals_value, true}},
      {"cables", {cables_value, true}},        {"sl2vl_file", {level_lanes_value, false}},
      {"node_name_map", {names_value, false}}, {"lane_file", {path_lanes_value, false}},
      {"job_list", {jobs_value, false}},       {"fault_file", {faults_value, false}},
      {"nccl_log", {log_value, true}},         {"goal", {goal_value, false}}};
  return all;
}

struct Outcome {
  std::optional<Value> value;
  std::string error;
};

Outcome outcome_of(const ReadValue& read, const std::string& text) {
  try {
    Input input(text, "mangled");
    return {read(input), ""};
  } catch (const InputError& error) {
    return {std::nullopt, error.what()};
  }
}

bool is_text(const std::string& bytes) {
  return !bytes.empty() && !bytes.starts_with("\x1f\x8b") &&
         !bytes.starts_with(
             "\xfd"
             "7z") &&
         std::ranges::find(bytes, '\0') == bytes.end();
}

bool names_line(const std::string& error) {
  return std::regex_search(error, std::regex("^mangled:[0-9]+"));
}

void check_noise(const std::string& what, const Reader& reader, const std::string& text,
                 Mangle kind, std::uint64_t seed) {
  // A trace that does something twice is another trace.
  if (kind == Mangle::kTwiceLine && text.find("num_ranks") != std::string::npos) return;
  const Outcome plain = outcome_of(reader.read, text);
  if (!plain.value) return;  // kept for its error
  const std::string mangled = Mangler(seed)(text, kind);
  const Outcome noisy = outcome_of(reader.read, mangled);
  const std::string where = what + " mangled as " + std::to_string(static_cast<int>(kind)) +
                            " with seed " + std::to_string(seed);
  if (!noisy.value) {
    // Values of JSON have no lines.
    if (text.starts_with("{\"jobs\"") || text.find("fatwood-plan") != std::string::npos) return;
    EXPECT_TRUE(names_line(noisy.error)) << where << ": " << noisy.error;
    return;
  }
  EXPECT_EQ(noisy.value->text, plain.value->text) << where << "\n" << mangled;
  if (reader.warns && test::is_noise(kind)) {
    EXPECT_GT(noisy.value->warnings.size(), 0U) << where << "\n" << mangled;
  }
}

TEST(Noisy, TheSameValueOrAnErrorWithItsLine) {
  std::size_t files = 0;
  for (const auto& [folder, reader] : noisy_readers()) {
    for (const auto& entry :
         std::filesystem::directory_iterator(test::kept("fuzz/corpus") / folder)) {
      std::ifstream in(entry.path(), std::ios::binary);
      const std::string text(std::istreambuf_iterator<char>(in), {});
      if (!is_text(text)) continue;
      ++files;
      for (std::size_t kind = 0; kind < test::kMangles; ++kind) {
        // What is missing is missing: see TablesThatAreCut, and mangled_test.cpp.
        if (static_cast<Mangle>(kind) == Mangle::kCut) continue;
        for (std::uint64_t seed = 0; seed < 12; ++seed) {
          check_noise(folder + "/" + entry.path().filename().string(), reader, text,
                      static_cast<Mangle>(kind), seed);
        }
      }
    }
  }
  EXPECT_GE(files, 30U);
}

// Output of tools is read through all its noise, not refused.
TEST(Noisy, FabricsAreReadThroughNoise) {
  const Fabric fabric = make_fabric("xgft(2;4,3;2,2)");
  std::ostringstream out;
  write_ibnetdiscover(out, fabric);
  for (const Mangle kind : {Mangle::kLog, Mangle::kPrompts, Mangle::kMessages, Mangle::kCarriage,
                            Mangle::kControls, Mangle::kBlank, Mangle::kMark, Mangle::kHexLids}) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const std::string mangled = Mangler(seed)(out.str(), kind);
      const Outcome noisy = outcome_of(fabric_value, mangled);
      ASSERT_TRUE(noisy.value) << noisy.error << "\n" << mangled;
      EXPECT_EQ(noisy.value->text, outcome_of(fabric_value, out.str()).value->text);
      EXPECT_EQ(noisy.value->warnings.empty(), !test::is_noise(kind));
    }
  }
}

// Whatever the end of a dump lacks, no entry is wrong: it is as before, or unknown.
TEST(Noisy, TablesThatAreCut) {
  const Fabric tree = make_tree(xgft({4, 4}, {1, 2}));
  const ForwardingTables tables = test::bfs_tables(tree, 0);
  std::ostringstream out;
  write_lfts(out, tree, tables, assign_lids(tree, 0));
  const std::string text = out.str();
  std::size_t unknown = 0, read = 0;
  for (std::size_t cut = 0; cut <= text.size(); cut += 11) {
    Input input(std::string_view(text).substr(0, cut), "cut");
    std::optional<LoadedTables> loaded;
    try {
      loaded = read_tables(input, tree);
    } catch (const InputError&) {
      continue;  // no switch yet
    }
    ++read;
    EXPECT_EQ(loaded->lids.terminal, assign_lids(tree, 0).terminal);
    for (const Destination destination : ids<Destination>(tables.num_destinations())) {
      for (const Switch s : ids<Switch>(tree.num_switches())) {
        if (loaded->unknown.at(destination, s)) {
          ++unknown;
          EXPECT_EQ(loaded->tables.at(destination, s), kNoRoute);
        } else {
          EXPECT_EQ(loaded->tables.at(destination, s), tables.at(destination, s))
              << "cut at " << cut;
        }
      }
    }
  }
  EXPECT_GT(read, text.size() / 12);
  EXPECT_GT(unknown, 1000U);
}

TEST(Noisy, ALongLogOfDiscoveryIsSkipped) {
  std::ostringstream out;
  write_ibnetdiscover(out, small_tree());
  std::string log;
  while (log.size() < 200000) {
    log +=
        "DR path slid 0; dlid 0; 0,1,2 -> new Switch {0008f105001084fa} portnum 0 lid 0-0 \"\"\n";
  }
  Input input(log + out.str(), "net");
  const LoadedFabric loaded = read_fabric(input);
  EXPECT_EQ(loaded.fabric.num_cables(), small_tree().num_cables());
  ASSERT_EQ(loaded.warnings.size(), 1U);
  EXPECT_TRUE(loaded.warnings[0].starts_with("net:1: a log of the discovery, skipped"));
}

}  // namespace
}  // namespace fatwood
