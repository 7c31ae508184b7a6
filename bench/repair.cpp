// SPDX-License-Identifier: BSD-3-Clause
// One cable cut: what must change found and written into the tables, compared with a fresh route in
// the same run. The tables are kept from cut to cut, as a subnet manager keeps them; making what is
// kept is separate. CPU time of the one thread that works, so that other programs do not count.
//
//   bench_repair [FABRIC...]     default ft(48,3) and like-selene

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "analysis/faults/fault_cost.hpp"
#include "clock.hpp"
#include "io/fabric/load_fabric.hpp"
#include "routing/engine.hpp"
#include "routing/repair/fault_repair.hpp"

namespace {

using namespace fatwood;

constexpr std::size_t kCuts = 200;

std::vector<EntryChange> inverse(const TablesInUse& in_use, std::span<const EntryChange> changes) {
  std::vector<EntryChange> back;
  for (const EntryChange& change : changes) {
    back.push_back(
        {change.destination, change.at, in_use.tables().at(change.destination, change.at)});
  }
  return back;
}

void measure(const std::string& name, const std::string& engine) {
  const Model model(load_fabric(name).fabric);
  (void)model.levels();
  (void)model.port_graph();
  (void)model.hop_map();
  double start = bench::cpu_seconds();
  const Routing routing = route(find_engine(engine), model, {.threads = 1});
  const double fresh = bench::cpu_seconds() - start;
  start = bench::cpu_seconds();
  TablesInUse in_use(model, routing.tables, 1);
  FaultRepair repair(in_use);
  const double made = bench::cpu_seconds() - start;
  const std::vector<Fault> cables = single_cables(model);
  std::vector<double> spent;
  std::uint64_t entries = 0;
  for (std::size_t i = 0; i < kCuts; ++i) {
    const std::vector<Channel>& cut = cables[i * cables.size() / kCuts].cut;
    start = bench::thread_seconds();
    in_use.mark_dead(cut);
    const auto changes = repair.cut(cut);
    const double found = bench::thread_seconds() - start;
    const std::vector<EntryChange> back = inverse(in_use, changes);
    start = bench::thread_seconds();
    in_use.apply(changes);
    spent.push_back(1000 * (found + bench::thread_seconds() - start));
    entries += changes.size();
    // The next cut is of the whole fabric again.
    in_use.mark_working(cut);
    in_use.apply(back);
  }
  std::ranges::sort(spent);
  fmt::print("{:<14}{:<8}{:>10.1f}{:>10.1f}{:>10.3f}{:>10.3f}{:>10.3f}{:>10.0f}{:>8.0f}\n", name,
             engine, 1000 * fresh, 1000 * made, spent[spent.size() / 2],
             spent[spent.size() * 95 / 100], spent.back(), static_cast<double>(entries) / kCuts,
             1000 * fresh / spent[spent.size() / 2]);
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> fabrics(argv + 1, argv + argc);
  if (fabrics.empty()) fabrics = {"ft(48,3)", "like-selene"};
  fmt::print("{} cables, one at a time; CPU ms of one thread\n", kCuts);
  fmt::print("{:<14}{:<8}{:>10}{:>10}{:>10}{:>10}{:>10}{:>10}{:>8}\n", "fabric", "engine", "fresh",
             "made once", "median", "95 of 100", "most", "entries", "times");
  try {
    for (const std::string& fabric : fabrics) {
      for (const char* engine : {"ftree", "sftree"}) measure(fabric, engine);
    }
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench_repair: {}\n", error.what());
    return 2;
  }
}
