// SPDX-License-Identifier: BSD-3-Clause
// [Bogdanski12], Figures 2 and 6: a tree routed without care for deadlock stands still, and sFtree
// does not.
//
// Method: verify finds a shortest cycle of channel dependencies in the tables of minhop and names
// a pair for each; those pairs, from hosts and switches where the channels begin, send bursts
// (1 to 30 packets, gaps as long) until the simulator names a deadlock or everything has arrived.
// The same pairs send the same bursts under sFtree. The paper gives no rates: its claim is the
// standstill.

#include <fmt/format.h>

#include "io/fabric/spec.hpp"
#include "studies/sim_bench.hpp"
#include "verify/deadlock/deadlock.hpp"

namespace fatwood {

namespace {

using SimPairs = std::vector<std::pair<sim::Endpoint, sim::Endpoint>>;

sim::Endpoint end_in(const sim::Network& network, const Endpoint& end) {
  return end.is_switch() ? network.endpoint(end.sw) : network.endpoint(end.terminal);
}

// Every host at the start of a channel of the cycle takes the same path to that destination.
SimPairs pairs_of_cycle(const SimBench& bench, const std::vector<Dependency>& cycle) {
  SimPairs pairs;
  for (const Dependency& dependency : cycle) {
    const Switch owner = bench.fabric().as_switch(bench.fabric().owner(dependency.channel));
    const sim::Endpoint to = end_in(bench.network, dependency.destination);
    if (bench.network.endpoint(owner) != to) pairs.emplace_back(bench.network.endpoint(owner), to);
    for (const Terminal t : ids<Terminal>(bench.network.terminals)) {
      if (bench.fabric().leaf(t) == owner) pairs.emplace_back(bench.network.endpoint(t), to);
    }
  }
  return pairs;
}

StudyPoint drive(const std::string& spec, const std::string& engine, const StudyContext& context) {
  sim::Model model;
  model.input_flits = model.output_flits = model.packet_flits;  // little room: soon full
  const RouteOptions options{.seed = context.seed, .threads = context.threads};
  const auto cyclic = bench_engine(make_fabric(spec), "minhop", model, 0, options);
  const Deadlock found =
      find_deadlock(cyclic->fabric(), cyclic->tables(), Sources::kAll, context.threads);
  if (found.free()) return {.numbers = {{"cycle", 0}, {"deadlock", 0}, {"delivered", 100}}};
  const auto& cycle = found.lanes[found.cyclic_lane()].cycle;
  const auto bench = bench_engine(make_fabric(spec), engine, model, 0, options);
  const Deadlock own =
      find_deadlock(bench->fabric(), bench->tables(), Sources::kAll, context.threads);
  const sim::CollectiveResult result =
      sim::run_lists(bench->setup(),
                     sim::burst_lists(bench->network, bench->switches,
                                      pairs_of_cycle(*cyclic, cycle), 20000, context.seed),
                     sim::Pace::kAtTime);
  return {
      .numbers = {{"cycle", own.free() ? 0.0 : static_cast<double>(cycle.size())},
                  {"deadlock", result.deadlock ? 1.0 : 0.0},
                  {"buffers", result.deadlock ? static_cast<double>(result.deadlock->size()) : 0},
                  {"delivered", 100 * static_cast<double>(result.counters.flits_delivered) /
                                    static_cast<double>(result.flits)}}};
}

}  // namespace

StudyResult run_deadlock_of_bogdanski12(const StudyContext& context) {
  const char* const fabrics[] = {"kary(2,3)", "ft(4,3)", "ft(8,3)", "switch648+racks"};
  const char* const engines[] = {"minhop", "sftree"};
  std::vector<PointTask> tasks;
  for (const char* fabric : fabrics) {
    for (const char* engine : engines) {
      tasks.push_back({fmt::format("{} {} bursts seed {}", fabric, engine, context.seed),
                       [=, &context] { return drive(fabric, engine, context); }});
    }
  }
  const std::vector<StudyPoint> points = measure(context, tasks);
  StudyResult result{.label_names = {"fabric", "engine"},
                     .more_names = {"channels of the proved cycle", "percent delivered"}};
  PlotPanel panel{.title = "Bursts of the pairs that make minhop's cycle",
                  .x_label = "percent delivered",
                  .bars = {}};
  std::size_t i = 0;
  std::size_t stood = 0;
  std::size_t ran = 0;
  for (const char* fabric : fabrics) {
    for (const char* engine : engines) {
      const StudyPoint& point = points[i++];
      const bool deadlock = point.number("deadlock") > 0;
      const bool minhop = std::string(engine) == "minhop";
      result.rows.push_back({.labels = {fabric, engine},
                             .published = minhop ? "deadlock" : "runs",
                             .ours = deadlock ? "deadlock" : "runs",
                             .more = {point.number("cycle"), point.number("delivered")},
                             .seconds = point.seconds});
      panel.bars.push_back({fmt::format("{}, {}{}", fabric, engine, deadlock ? ": deadlock" : ""),
                            {},
                            point.number("delivered")});
      if (minhop && deadlock) ++stood;
      if (!minhop && !deadlock && point.number("delivered") == 100) ++ran;
    }
  }
  result.panels.push_back(std::move(panel));
  result.verdict = verdict_of(stood == std::size(fabrics) && ran == std::size(fabrics));
  result.finding = fmt::format(
      "minhop stands still on {} of {} trees; under sFtree all of the same messages arrive on {}.",
      stood, std::size(fabrics), ran);
  return result;
}

}  // namespace fatwood
