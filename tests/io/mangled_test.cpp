// SPDX-License-Identifier: BSD-3-Clause
// Every reader against every kept file of tests/fuzz/corpus: cut at each line and each 7th byte,
// lines doubled, dropped and swapped, bytes changed. Only InputError may come out.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>

#include "core/error.hpp"
#include "core/random.hpp"
#include "io/base/input.hpp"
#include "io/fabric/edge_list.hpp"
#include "io/fabric/load_fabric.hpp"
#include "io/ibdiagnet/cables.hpp"
#include "io/ibdiagnet/net_dump_ext.hpp"
#include "io/ibdiagnet/pm.hpp"
#include "io/opensm/node_name_map.hpp"
#include "io/routes/route_records.hpp"
#include "io/routes/switch_routes.hpp"
#include "io/tables/lane_file.hpp"
#include "io/tables/load_tables.hpp"
#include "io/tables/sl2vl_file.hpp"
#include "plan/formats/ibnl.hpp"
#include "plan/formats/plan_settings.hpp"
#include "support/fixtures.hpp"
#include "topology/generate/tree.hpp"

namespace fatwood {
namespace {

using Read = std::function<void(Input&)>;

const Fabric& small() {
  static const Fabric fabric = make_tree(xgft({2, 2}, {1, 2}));
  return fabric;
}

const std::map<std::string, Read>& readers() {
  static const Read fabric = [](Input& input) { read_fabric(input); };
  static const std::map<std::string, Read> all{
      {"ibnetdiscover", fabric},
      {"ports_report", fabric},
      {"subnet_lst", fabric},
      {"json_fabric", fabric},
      {"any_fabric", fabric},
      {"db_csv", fabric},
      {"net_dump", fabric},
      {"plan_csv", fabric},
      {"plan_json", fabric},
      {"ethernet", fabric},
      {"topo", fabric},
      {"plan_settings",
       [](Input& input) {
         if (input.peek().starts_with('#')) {
           read_layout(input);
         } else {
           read_catalogue(input);
         }
       }},
      {"ibnl",
       [](Input& input) {
         IbnlLibrary library;
         library.read(input);
         for (const std::string type : {"Box", "Card"}) {
           if (library.has(type)) library.inside(type, {});
         }
       }},
      {"pm", [](Input& input) { run_data(read_pm(input), small()); }},
      {"net_dump_ext", [](Input& input) { run_data(read_net_dump_ext(input), small()); }},
      {"edge_list", [](Input& input) { read_edge_list(input, nullptr); }},
      {"cables", [](Input& input) { run_data(read_cables(input), small()); }},
      {"sl2vl_file", [](Input& input) { read_sl2vl(input, small()); }},
      {"tables", [](Input& input) { read_tables(input, small()); }},
      {"routes",
       [](Input& input) {
         SwitchRoutes routes;
         Warnings warnings("mangled");
         if (read_switch_routes(input, routes, warnings)) settle_routes(routes);
       }},
      {"route_records",
       [](Input& input) {
         if (looks_like_records(input.peek())) read_records(input);
       }},
      {"node_name_map", [](Input& input) { read_node_name_map(input); }},
      {"lane_file", [](Input& input) {
         const ForwardingTables tables(small().num_terminals(), small().num_switches(), 0);
         read_lanes(input, small(), tables, assign_lids(small(), 0));
       }}};
  return all;
}

std::filesystem::path corpus() { return test::kept("fuzz/corpus"); }

void try_reading(const Read& read, const std::string& text) {
  try {
    Input input(text, "mangled");
    read(input);
  } catch (const InputError&) {
  }
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line + "\n");
  return lines;
}
std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line;
  return text;
}

TEST(Mangled, OnlyInputErrorComesOut) {
  std::size_t files = 0;
  for (const auto& [folder, read] : readers()) {
    const std::filesystem::path path = corpus() / folder;
    for (const auto& entry : std::filesystem::directory_iterator(path)) {
      ++files;
      std::ifstream in(entry.path(), std::ios::binary);
      const std::string whole(std::istreambuf_iterator<char>(in), {});
      const std::vector<std::string> lines = lines_of(whole);
      try_reading(read, whole);
      for (std::size_t cut = 0; cut < whole.size(); cut += 7)
        try_reading(read, whole.substr(0, cut));
      for (std::size_t i = 0; i < lines.size(); ++i) {
        try_reading(read, joined({lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(i)}));
        std::vector<std::string> changed = lines;
        changed.insert(changed.begin() + static_cast<std::ptrdiff_t>(i), lines[i]);
        try_reading(read, joined(changed));
        changed = lines;
        changed[i].clear();
        try_reading(read, joined(changed));
        changed = lines;
        std::swap(changed[i], changed[(i * 7 + 3) % lines.size()]);
        try_reading(read, joined(changed));
      }
      Random random(1, files);
      for (int round = 0; round < 200 && !whole.empty(); ++round) {
        std::string changed = whole;
        for (int k = 0; k < 3; ++k) {
          changed[random.below(static_cast<std::uint32_t>(whole.size()))] =
              static_cast<char>(random.below(256));
        }
        try_reading(read, changed);
      }
    }
  }
  EXPECT_GE(files, 15U);
}

}  // namespace
}  // namespace fatwood
