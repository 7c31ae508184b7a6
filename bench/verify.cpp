// SPDX-License-Identifier: BSD-3-Clause
// Verification of all pairs and of deadlock freedom: bench_verify [SPEC [ENGINE]].
// Limit: ft(48,3), 27,648 terminals and 2,880 switches, in under 2 s on two cores. Beside it, in
// the same run, the time merely to read the tables' bytes.

#include "verify/verify.hpp"

#include <fmt/format.h>

#include <numeric>
#include <string>

#include "analysis/load/channel_use.hpp"
#include "analysis/permutations/shift_conflicts.hpp"
#include "io/fabric/load_fabric.hpp"
#include "routing/engine.hpp"
#include "spent.hpp"
#include "topology/levels/levels.hpp"

int main(int argc, char** argv) {
  using namespace fatwood;
  using namespace fatwood::bench;
  const std::string spec = argc > 1 ? argv[1] : "ft(48,3)";
  const std::string engine = argc > 2 ? argv[2] : "minhop";
  const Fabric fabric = load_fabric(spec).fabric;
  Routing routing;
  const Spent routed = seconds([&] { routing = route(find_engine(engine), Model(fabric)); });
  fmt::print("{} by {}: {} terminals, {} switches, {:.0f} MB of tables\n", spec, engine,
             fabric.num_terminals(), fabric.num_switches(),
             static_cast<double>(routing.tables.num_destinations() * fabric.num_switches()) / 1e6);
  print("route", routed);
  std::uint64_t sum = 0;
  const Spent read = seconds([&] {
    const auto bytes = bytes_of(routing.tables.entries());
    sum = std::accumulate(bytes.begin(), bytes.end(), sum);
  });
  print("read the tables once", read, fmt::format("(bytes sum to {})", sum));

  Reachability reached;
  Deadlock deadlock;
  const Spent reach = seconds([&] { reached = find_reachability(fabric, routing); });
  const Spent proof = seconds([&] { deadlock = find_deadlock(fabric, routing); });
  const Spent both{reach.wall + proof.wall, reach.cpu + proof.cpu};
  print(
      "all pairs", reach,
      fmt::format("{} pairs, {} unreachable", reached.pairs.total(), reached.unreachable.total()));
  print("deadlock", proof, deadlock.free() ? "free" : "a cycle");
  print("all pairs and deadlock", both,
        fmt::format("limit 2 s on two cores for ft(48,3); {:.0f} times the reading",
                    both.cpu / read.cpu));

  print("minimality", seconds([&] { find_reach_and_lengths(fabric, routing); }));
  const Levels levels = find_levels(fabric);
  print("up/down", seconds([&] { find_turns(fabric, routing, levels); }));
  print("channel use, all to all", seconds([&] { find_channel_use(Model(fabric), routing); }));
  ShiftConflicts shift;
  const Spent shifted = seconds([&] { shift = count_shift_conflicts(Model(fabric), routing); });
  print("all shift permutations", shifted,
        fmt::format("{} conflicts in {} of {} shifts, at most {} flows on a channel",
                    shift.conflicts, shift.conflicted, shift.shifts, shift.largest));
  return 0;
}
