// SPDX-License-Identifier: BSD-3-Clause
// Jobs: fair rates solved, runs of programs, placements scored, traces read; next to SimGrid on the
// same flows where its package is installed.
//
//   bench_job [SECONDS a measurement]
//
// SimGrid gets the same permutation as flows over links, sharing by max-min alone (no latency, no
// acknowledgements); its time is that of engine.run(), building of links and routes not counted.
// Times are of CPU, so that others on the machine do not count; ratios are of one run.

#include "analysis/jobs/job.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <functional>
#include <vector>

#include "analysis/jobs/job_improve.hpp"
#include "analysis/permutations/permutation_rates.hpp"
#include "clock.hpp"
#include "core/random.hpp"
#include "io/fabric/spec.hpp"
#include "io/traces/goal.hpp"
#include "routing/engine.hpp"
#include "routing/resolve.hpp"
#include "topology/generate/tree.hpp"
#include "traffic/collectives/nccl.hpp"
#include "traffic/jobs/place_job.hpp"
#include "traffic/jobs/trace.hpp"
#ifdef FATWOOD_SIMGRID
#include <sys/wait.h>
#include <unistd.h>

#include "simgrid.hpp"
#endif

namespace {

using namespace fatwood;

void line(const std::string& what, double value, const char* unit, double asked, bool more) {
  const bool met = more ? value >= asked : value <= asked;
  fmt::print("{:<52} {:>10.4g} {:<22} asked {} {:g}  {}\n", what, value, unit,
             more ? "over" : "under", asked, met ? "met" : "NOT");
}

// Permutations a second: drawn, walked, solved. `kernel` nullptr: drawn alone.
double permutation_rate(PermutationRates* kernel, std::size_t hosts, double seconds) {
  std::vector<std::uint32_t> to(hosts);
  std::uint64_t sample = 0;
  const double start = bench::thread_seconds();
  double spent = 0;
  while (spent < seconds) {
    for (unsigned i = 0; i < 20; ++i) {
      draw_permutation(1, sample++, to);
      if (kernel != nullptr) kernel->solve(to);
    }
    spent = bench::thread_seconds() - start;
  }
  return static_cast<double>(sample) / spent;
}

void permutations(double seconds) {
  const TreeShape shape = xgft({12, 12, 24}, {1, 12, 12});
  const Model model(make_tree(shape));
  const std::size_t hosts = model.adapters().size();
  const auto closed = path_source(model, make_algebraic("dmodk", shape).routing);
  const auto tables = path_source(model, route(find_engine("dmodk"), model, {}));
  const auto minhop = path_source(model, route(find_engine("minhop"), model, {}));
  const auto rate = [&](const PathSource& paths) {
    return permutation_rate(permutation_rates(model, paths).get(), hosts, seconds);
  };
  line("3,456 flows, algebraic routing: drawn, paths, rates", rate(*closed), "permutations/s",
       20000, true);
  line("3,456 flows, tables: drawn, paths, rates", rate(*tables), "permutations/s", 5000, true);
  line("3,456 flows, tables of minhop", rate(*minhop), "permutations/s", 5000, true);
  fmt::print("{:<52} {:>10.4g} {}\n", "  drawn alone", permutation_rate(nullptr, hosts, seconds),
             "permutations/s");
  fmt::print("{:<52} {:>10.4g} {}\n", "  algebraic routing, with the solver for any problem",
             permutation_rate(any_rates(model, *closed).get(), hosts, seconds), "permutations/s");
}

#ifdef FATWOOD_SIMGRID
// CPU seconds that SimGrid needs for a permutation run to its end, and ours for the same.
void compare_with_simgrid() {
  const TreeShape shape = xgft({12, 12, 24}, {1, 12, 12});
  const Model model(make_tree(shape));
  const auto paths = path_source(model, make_algebraic("dmodk", shape).routing);
  const std::vector<double> capacity(model.fabric().num_channels(), 25e9);
  std::vector<std::uint32_t> to(paths->num_adapters());
  draw_permutation(1, 0, to);
  std::vector<test::SimGridFlow> flows;
  PlacedJob job;
  for (std::uint32_t s = 0; s < to.size(); ++s) {
    job.at.push_back(static_cast<Adapter>(s));
    if (to[s] == s) continue;
    test::SimGridFlow flow{{}, 1e9};
    const PathList list = paths->paths(static_cast<Adapter>(s), static_cast<Adapter>(to[s]));
    for (const Channel c : list.all()) flow.links.push_back(index(c));
    flows.push_back(std::move(flow));
    job.program.add_message(s, to[s], 1e9);
  }
  job.program.endpoints = to.size();
  FlowLinks links(model, *paths);
  double start = bench::cpu_seconds();
  const double seconds = job_seconds(links, capacity, job);
  const double ours = bench::cpu_seconds() - start;
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    start = bench::cpu_seconds();
    double last = 0;
    for (const double end : test::simgrid_ends(capacity, flows)) last = std::max(last, end);
    const double theirs = bench::cpu_seconds() - start;
    fmt::print(
        "{:<52} {:>10.4g} s, SimGrid {:.4g} s: {:.0f} times as fast; ends {:.6g} and {:.6g}\n",
        "one permutation run to its end", ours, theirs, theirs / ours, seconds, last);
    std::fflush(nullptr);
    _exit(0);
  }
  waitpid(child, nullptr, 0);
}
#endif

// 2,048 hosts of 8 adapters, 64 units.
void many_gpus() {
  const Model model(make_fabric(
      "rails(units=64,hosts=32,rails=8,pods=4,spines=16,cables=2,cores=16,sharp=0,ports=64)"));
  double start = bench::cpu_seconds();
  const auto paths = resolve_paths(model, "ftree");
  fmt::print("{:<52} {:>10.4g} s\n", "  its routes (ftree)", bench::cpu_seconds() - start);
  std::vector<Host> hosts;
  for (const RailUnit& unit : model.hosts().rails.units) {
    hosts.insert(hosts.end(), unit.members.begin(), unit.members.end());
  }
  FlowLinks links(model, *paths);
  const std::vector<double> capacity = channel_capacity(model.fabric());
  const PlacedHosts placed = place_hosts(model, hosts);
  const JobShape shape{static_cast<std::uint32_t>(hosts.size()), placed.nics, placed.nics};
  start = bench::cpu_seconds();
  const PlacedJob ring{"ring", nccl_ring(shape, all_ranks(shape), RingWork::kAllReduce, 1e9, {}),
                       placed.at, 0, 0};
  const double took = job_seconds(links, capacity, ring);
  line(fmt::format("{} GPUs, one all-reduce ({:.3g} s)", shape.size(), took),
       bench::cpu_seconds() - start, "s", 1, false);
  // Eight flows from every adapter: 131,072 in one stage.
  PlacedJob stage{"stage", {}, placed.at, 0, 0};
  const auto ends = static_cast<std::uint32_t>(placed.at.size());
  stage.program.endpoints = ends;
  for (std::uint32_t shift = 0; shift < 8; ++shift) {
    const std::vector<std::uint32_t> to = Random(7, shift).permutation(ends);
    for (std::uint32_t e = 0; e < ends; ++e) stage.program.add_message(e, to[e], 1e6);
  }
  start = bench::cpu_seconds();
  ShareProblem problem;
  problem.capacity = capacity;
  problem.first = {0};
  for (Op op = 0; op < stage.program.size(); ++op) {
    const Edge edge = stage.program.edges(op).empty() ? Edge{0, 0} : stage.program.edges(op)[0];
    if (edge.from == edge.to) continue;
    const PathList list = paths->paths(placed.at[edge.from], placed.at[edge.to]);
    for (const Channel c : list.all()) problem.uses.push_back({index(c), 1});
    problem.first.push_back(static_cast<std::uint32_t>(problem.uses.size()));
  }
  const Shares shares = max_min_shares(problem);
  line(fmt::format("{} flows of one stage", shares.rate.size()), bench::cpu_seconds() - start, "s",
       2, false);
}

// Orders of a 64-host job on a machine like Selene.
void placements(double seconds) {
  const Model model(make_fabric("like-selene"));
  const auto paths = resolve_paths(model, "ftree");
  FlowLinks links(model, *paths);
  const std::vector<double> capacity = channel_capacity(model.fabric());
  std::vector<Host> members;
  for (const RailUnit& unit : model.hosts().rails.units) {
    members.insert(members.end(), unit.members.begin(), unit.members.end());
  }
  std::vector<PlacedJob> jobs;
  std::uint64_t tried = 0;
  double start = 0;
  double spent = 0;
  std::vector<Host> taken(members.begin(), members.begin() + 64);
  const PlacedHosts first = place_hosts(model, taken);
  const JobShape shape{64, first.nics, first.nics};
  jobs.push_back(
      {"job", nccl_ring(shape, all_ranks(shape), RingWork::kAllReduce, 1e9, {}), first.at, 0, 0});
  JobScorer scorer(model.fabric(), links, capacity, jobs);
  start = bench::cpu_seconds();
  while (spent < seconds) {
    const auto drawn = Random(3, tried++).permutation(static_cast<std::uint32_t>(members.size()));
    for (std::uint32_t i = 0; i < 64; ++i) taken[i] = members[drawn[i]];
    scorer.seconds(place_hosts(model, taken).at);
    spent = bench::cpu_seconds() - start;
  }
  line("placements of 64 hosts, like Selene", static_cast<double>(tried) / spent * 60,
       "placements/minute", 2000, true);
}

// A trace of a million messages: 1,000 ranks, each with 1,000 steps of a ring.
void million_messages() {
  constexpr std::uint32_t kRanks = 1000;
  constexpr std::uint32_t kSteps = 1000;
  std::string text = fmt::format("num_ranks {}\n", kRanks);
  for (std::uint32_t r = 0; r < kRanks; ++r) {
    text += fmt::format("rank {} {{\n", r);
    for (std::uint32_t k = 0; k < kSteps; ++k) {
      text += fmt::format("s{0}: send 65536b to {1} tag {0}\nr{0}: recv 65536b from {2} tag {0}\n",
                          k, (r + 1 + k % 7) % kRanks, (r + kRanks - 1 - k % 7) % kRanks);
      if (k > 0) text += fmt::format("s{0} requires r{1}\n", k, k - 1);
    }
    text += "}\n";
  }
  const Model model(make_fabric("xgft(2;32,32;1,32)"));
  const auto paths = resolve_paths(model, "dmodk");
  FlowLinks links(model, *paths);
  const std::vector<double> capacity = channel_capacity(model.fabric());
  const double start = bench::cpu_seconds();
  Input input(text, "million.goal");
  const Trace trace = read_goal(input);
  const double read = bench::cpu_seconds() - start;
  const JobShape shape{kRanks, 1, 1};
  PlacedJob job{"trace", trace_program(trace, shape, {}), {}, 0, 0};
  for (std::uint32_t r = 0; r < kRanks; ++r) job.at.push_back(static_cast<Adapter>(r));
  const double took = job_seconds(links, capacity, job);
  line(fmt::format("GOAL trace of a million messages (read {:.2g} s; {:.3g} s)", read, took),
       bench::cpu_seconds() - start, "s", 10, false);
}

}  // namespace

int main(int argc, char** argv) {
  const double seconds = argc > 1 ? std::atof(argv[1]) : 1;
  permutations(seconds);
#ifdef FATWOOD_SIMGRID
  compare_with_simgrid();
#endif
  many_gpus();
  placements(seconds);
  million_messages();
  return 0;
}
