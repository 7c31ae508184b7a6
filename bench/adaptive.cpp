// SPDX-License-Identifier: BSD-3-Clause
// Adaptive tables: routed, written as far, read again, proved: bench_adaptive [SPEC [ENGINE
// [FILE]]]. Limits: port sets within twice the bytes of plain tables; ft(48,3), 27,648 terminals,
// read from its far and proved for every choice in under 5 s on two cores. With FILE the tables go
// through that file, of 3 GB for ft(48,3); a file that is there already is read as it is. The time
// to read its bytes alone stands next to it: on a machine shared with others the ratio says more.

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "io/base/input.hpp"
#include "io/base/output.hpp"
#include "io/fabric/load_fabric.hpp"
#include "io/tables/far.hpp"
#include "io/tables/load_tables.hpp"
#include "routing/engine.hpp"
#include "spent.hpp"
#include "verify/verify.hpp"

namespace {

// The bytes of a file, and nothing done with them.
fatwood::bench::Spent read_bytes(const std::string& file) {
  return fatwood::bench::seconds([&] {
    std::vector<char> buffer(std::size_t{1} << 20U);
    const std::unique_ptr<fatwood::ByteSource> source = fatwood::open_file(file);
    while (source->read(buffer) > 0) {
    }
  });
}

}  // namespace

int main(int argc, char** argv) {
  using namespace fatwood;
  using namespace fatwood::bench;
  const std::string spec = argc > 1 ? argv[1] : "ft(48,3)";
  const std::string engine = argc > 2 ? argv[2] : "ar_updn";
  const Model model(load_fabric(spec).fabric);
  const Fabric& fabric = model.fabric();
  Routing routing;
  print("route", seconds([&] { routing = route(find_engine(engine), model); }));
  const auto plain = static_cast<double>(routing.tables.num_destinations() * fabric.num_switches());
  const auto sets = static_cast<double>(routing.sets.bytes());
  fmt::print("{} by {}: plain tables {:.1f} MB, port sets {:.1f} MB, together {:.3f} times\n", spec,
             engine, plain / 1e6, sets / 1e6, (plain + sets) / plain);
  Spent read;
  if (argc > 3) {
    const std::string file = argv[3];
    const Lids lids = assign_lids(fabric, routing.tables.lmc());
    if (!std::filesystem::exists(file)) {
      print("write far", seconds([&] {
              write_output(file, [&](std::ostream& out) { write_far(out, fabric, routing, lids); });
            }));
    }
    const Spent bytes = read_bytes(file);
    print("read its bytes alone", bytes);
    LoadedTables loaded;
    read = seconds([&] { loaded = load_tables(file, fabric); });
    print("read far", read, fmt::format("{:.1f} times its bytes alone", read.cpu / bytes.cpu));
    fmt::print("read again the same: {}\n",
               loaded.tables == routing.tables && loaded.sets == routing.sets ? "yes" : "NO");
    routing.tables = std::move(loaded.tables);
    routing.sets = std::move(loaded.sets);
  }
  DestinationClasses classes;
  const Spent sorted = seconds([&] { classes = destination_classes(fabric, routing); });
  print("classes of targets", sorted,
        fmt::format("{} of {} targets", classes.size(), routing.tables.num_destinations()));
  ChoiceFindings found;
  print("all pairs, all choices", seconds([&] { found = find_choices(model, routing, classes); }),
        fmt::format("{} unreachable", found.reachability.unreachable.total()));
  Deadlock deadlock;
  print("deadlock, all choices", seconds([&] { deadlock = find_deadlock(fabric, routing); }),
        deadlock.free() ? "free" : "a cycle");
  print("loss of a cable", seconds([&] { find_coverage(model, routing, classes); }));
  const Spent proved = seconds([&] { verify(model, routing); });
  print("all of it", proved);
  print("read far and all of it", {read.wall + proved.wall, read.cpu + proved.cpu},
        "limit 5 s on two cores for ft(48,3)");
  return 0;
}
