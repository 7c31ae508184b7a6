// SPDX-License-Identifier: BSD-3-Clause
// The most loaded channel of each level, up and down, against the least that any routing could do.
//
//   bench_tree_balance                       trees with 0, 1, 2, 5 and 10% of their cables gone
//   bench_tree_balance FABRIC TABLES|ENGINE..   one fabric: engines, or tables dumped by OpenSM

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "io/fabric/load_fabric.hpp"
#include "io/fabric/spec.hpp"
#include "io/tables/load_tables.hpp"
#include "routing/engine.hpp"
#include "support/level_use.hpp"
#include "topology/change/faults.hpp"

namespace {

using namespace fatwood;

void show(const std::string& fabric_name, const std::string& routing_name, const Fabric& fabric,
          const Routing& routing) {
  const Levels levels = find_levels(fabric);
  Table<Terminal, std::uint8_t> counted;
  for (const TerminalRole role : levels.role) counted.push_back(role == TerminalRole::kOnLeaf);
  for (const LevelUse& level : level_use(fabric, levels, counted, routing.tables)) {
    fmt::print("{:<26}{:<14}{:>3}{:>9}{:>8}{:>7}{:>7.2f}{:>8}{:>7}{:>7.2f}\n", fabric_name,
               routing_name, level.below, level.channels, level.up, level.least_up,
               static_cast<double>(level.up) / std::max(1U, level.least_up), level.down,
               level.least_down, static_cast<double>(level.down) / std::max(1U, level.least_down));
  }
}

bool is_engine(const std::string& name) {
  return std::ranges::any_of(engines(), [&](const Engine& e) { return e.name == name; });
}

void show_one(const std::string& name, const std::vector<std::string>& routings) {
  const Fabric fabric = load_fabric(name).fabric;
  for (const std::string& routing : routings) {
    if (is_engine(routing)) {
      show("given", routing, fabric, route(find_engine(routing), Model(fabric)));
    } else {
      Routing loaded;
      loaded.tables = load_tables(routing, fabric).tables;
      show("given", "tables", fabric, loaded);
    }
  }
}

void show_faults() {
  for (const char* spec : {"switch648", "ft(16,3)", "switch3456", "pgft(3;18,18,6;1,18,3;1,1,6)"}) {
    const Fabric whole = make_fabric(spec);
    for (const char* share : {"0%", "1%", "2%", "5%", "10%"}) {
      const std::vector<FaultRequest> orders{{FaultKind::kCut, share, {}}};
      const Fabric fabric =
          with_faults(whole, find_faults(whole, orders, {.connection = Connection::kKept}));
      for (const char* engine : {"ftree", "sftree", "updn+"}) {
        show(fmt::format("{} -{}", spec, share).substr(0, 25), engine, fabric,
             route(find_engine(engine), Model(fabric)));
      }
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  fmt::print("{:<26}{:<14}{:>3}{:>9}{:>8}{:>7}{:>7}{:>8}{:>7}{:>7}\n", "fabric", "routing", "lvl",
             "channels", "up", "least", "ratio", "down", "least", "ratio");
  try {
    if (argc == 1) {
      show_faults();
    } else {
      show_one(argv[1], {argv + 2, argv + argc});
    }
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench_tree_balance: {}\n", error.what());
    return 2;
  }
}
