// SPDX-License-Identifier: BSD-3-Clause
// Balance and cost of `even`, compared with sftree in the same run: all to all over the cut bound,
// random permutations and all shifts (mean and largest MLOAD), CPU milliseconds of the engines with
// two threads; at last all to all and milliseconds of --effort quick. What the model finds once
// (levels, the tree that it is near to) is found before. Fabrics are damaged at random.
//
//   bench_even                            fabrics and damages of the usual list, one seed
//   bench_even --seeds N                  so many seeds
//   bench_even FABRIC [cut:5%|remove:1@3]..  a fabric, damaged so
//   bench_even --times ..                 times only
//   bench_even --runs N ..                the least time of so many runs
//   bench_even --samples N ..             so many random permutations instead of 200
//   bench_even --for shifts ..            tables for shifts

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "analysis/bounds/evenness.hpp"
#include "analysis/permutations/permutation_study.hpp"
#include "analysis/rates/bottleneck.hpp"
#include "clock.hpp"
#include "core/error.hpp"
#include "io/fabric/load_fabric.hpp"
#include "routing/engine.hpp"
#include "topology/change/faults.hpp"

namespace {

using namespace fatwood;

struct Case {
  std::string fabric;
  std::vector<std::string> faults;  // "cut:5%"
};

struct Figures {
  double seconds = 0, wall = 0;
  double all_to_all = 0;
  double mean = 0, worst = 0;                    // evenness of cuts
  std::size_t cuts = 0, above2 = 0, above5 = 0;  // 1.02, 1.05
  std::string worst_cut;
  double rate = 0, p1 = 0, median = 0;  // bottleneck rates, 1: the usual port
  double permutations = 0;
  double shifts = 0, worst_shift = 0;
};

Fabric damaged(const Case& what, std::uint64_t seed) {
  const Fabric fabric = load_fabric(what.fabric).fabric;
  std::vector<FaultRequest> orders;
  for (const std::string& fault : what.faults) {
    const std::size_t colon = fault.find(':');
    orders.push_back({fault.starts_with("cut:") ? FaultKind::kCut : FaultKind::kRemove,
                      fault.substr(colon + 1),
                      {}});
  }
  const FaultOptions options{.seed = seed, .connection = Connection::kKept};
  return with_faults(fabric, find_faults(fabric, orders, options));
}

struct Orders {
  bool times_only = false;
  int runs = 1;
  std::size_t samples = 200;
  Aim aim = Aim::kAllToAll;
};

Figures measure(const Model& model, const char* engine, bool times_only, const Orders& orders,
                const RouteOptions& options) {
  constexpr std::size_t kMostHostsOfShifts = 12000;
  Figures figures;
  Routing routing;
  for (int run = 0; run < orders.runs; ++run) {
    const double wall = bench::wall_seconds();
    const double start = bench::cpu_seconds();
    routing = route(find_engine(engine), model, options);
    const double seconds = bench::cpu_seconds() - start;
    if (run == 0 || seconds < figures.seconds) figures.seconds = seconds;
    const double passed = bench::wall_seconds() - wall;
    if (run == 0 || passed < figures.wall) figures.wall = passed;
  }
  const auto paths = path_source(model, std::move(routing));
  const auto takes_part = ports_of_all(model);
  const BottleneckRates rates = bottleneck_rates(model, *paths, takes_part, 2);
  const Evenness evenness =
      find_evenness(model, rates.loads, takes_part, Splitting::kBundles, paths->addresses());
  figures.rate = rates.worst.value();
  figures.p1 = rates.p1.value();
  figures.median = rates.median.value();
  figures.mean = evenness.mean;
  figures.cuts = evenness.loads.size();
  if (figures.cuts > 0) {
    const CutLoad& worst = evenness.loads[evenness.worst];
    figures.worst = worst.evenness();
    figures.worst_cut =
        fmt::format("{}{}", cut_name(model.fabric(), evenness.cuts[worst.share.cut]),
                    worst.share.crossing == CutDirection::kOut ? "" : " in");
  }
  figures.above2 = evenness.above(1.02);
  figures.above5 = evenness.above(1.05);
  if (times_only) return figures;
  const auto kernel = permutation_load(model, *paths);
  const std::size_t hosts = model.adapters().size();
  figures.permutations =
      permutation_study(*kernel, hosts, {.first_samples = orders.samples, .width = 1}).mean;
  if (hosts > kMostHostsOfShifts) return figures;
  const ShiftStudy shifts = shift_study(*kernel, hosts, 2);
  figures.shifts = shifts.mean;
  figures.worst_shift = shifts.worst.value();
  return figures;
}

void show(const Case& what, std::uint64_t seed, const Orders& orders) {
  const Model model(damaged(what, seed));
  route(find_engine("sftree"), model, {.threads = 2});
  if (!model.complete_tree()) static_cast<void>(model.recognition());
  const Figures before = measure(model, "sftree", orders.times_only, orders, {.threads = 2});
  const Figures after =
      measure(model, "even", orders.times_only, orders, {.aim = orders.aim, .threads = 2});
  const Figures quick = measure(model, "even", true, orders, {.quick = true, .threads = 2});
  fmt::print("{:<38}{:>3}",
             fmt::format("{} {}", what.fabric.substr(what.fabric.find_last_of('/') + 1),
                         fmt::join(what.faults, " ")),
             seed);
  fmt::print("{:>8.3f}{:>7.3f}{:>7.3f}{:>7.3f}{:>5}{:>5} of {:<5}{:>6.3f}{:>6.3f}{:>6.3f}",
             before.mean, after.mean, quick.mean, after.worst, after.above2, after.above5,
             after.cuts, after.rate, after.p1, after.median);
  fmt::print("{:>7.2f}{:>7.3f}{:>7.2f}{:>7.3f}{:>4.0f}{:>4.0f}", before.permutations,
             after.permutations / before.permutations, before.shifts, after.shifts / before.shifts,
             before.worst_shift, after.worst_shift);
  fmt::print("{:>9.1f}{:>9.1f}{:>6.1f}{:>9.1f}{:>9.1f}{:>6.1f}  {}\n", 1e3 * before.seconds,
             1e3 * after.seconds, after.seconds / before.seconds, 1e3 * after.wall,
             1e3 * quick.seconds, quick.seconds / before.seconds, after.worst_cut);
  std::fflush(stdout);
}

std::vector<Case> usual() {
  std::vector<Case> cases;
  for (const char* fabric :
       {"switch648", "ft(16,3)", "ft(24,3)", "pgft(3;18,18,6;1,18,3;1,1,6)", "ft(36,3)"}) {
    const bool is_switch = std::strcmp(fabric, "switch648") == 0;
    for (const char* cut : {"cut:1%", "cut:2%", "cut:5%", "cut:10%"}) {
      cases.push_back({fabric, {cut}});
    }
    cases.push_back({fabric, {is_switch ? "remove:1@2" : "remove:1@3"}});
    if (!is_switch) cases.push_back({fabric, {"remove:1@2"}});
  }
  cases.push_back({"pgft(3;18,18,6;1,18,3;1,1,6)", {"cut:3%", "remove:1@3"}});
  return cases;
}

}  // namespace

int main(int argc, char** argv) {
  std::uint64_t seeds = 1;
  Orders orders;
  std::vector<Case> cases;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--seeds" && i + 1 < argc) {
      seeds = std::strtoull(argv[++i], nullptr, 10);
    } else if (word == "--for" && i + 1 < argc && std::strcmp(argv[i + 1], "shifts") == 0) {
      orders.aim = Aim::kShifts;
      ++i;
    } else if (word == "--runs" && i + 1 < argc) {
      orders.runs = std::max(1, std::atoi(argv[++i]));
    } else if (word == "--samples" && i + 1 < argc) {
      orders.samples = std::strtoull(argv[++i], nullptr, 10);
    } else if (word == "--times") {
      orders.times_only = true;
    } else if (word.starts_with("cut:") || word.starts_with("remove:")) {
      if (!cases.empty()) cases.back().faults.push_back(word);
    } else {
      cases.push_back({word, {}});
    }
  }
  if (cases.empty()) cases = usual();
  fmt::print(
      "                                          evenness: mean of         even             of "
      "even       "
      "rates of even  permut.       shifts        max          CPU ms                quick\n"
      "fabric and damage                     seed sftree   even  quick  worst >1.02 >1.05 cuts  "
      "worst    1% "
      "median sftree      x sftree      x sft evn   sftree     even times  wall ms       ms times  "
      "worst cut\n");
  try {
    for (const Case& what : cases) {
      for (std::uint64_t seed = 1; seed <= seeds; ++seed) show(what, seed, orders);
    }
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench_even: {}\n", error.what());
    return 2;
  }
}
