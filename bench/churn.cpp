// SPDX-License-Identifier: BSD-3-Clause
// A long row of random cuts and mends, repaired one after the other: how full the most loaded
// channel gets, next to fresh tables on the same damaged fabric. Each step is proved: no loop, no
// deadlock, nothing lost that has a legal path.
//
//   bench_churn [--seed N] [FABRIC [STEPS [SPARE...]]]
//
// By default seed 1, ft(8,3), 1000 steps, 0, 2 and 8 spare blocks a step.

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/faults/fault_cost.hpp"
#include "analysis/load/channel_use.hpp"
#include "clock.hpp"
#include "core/random.hpp"
#include "io/fabric/load_fabric.hpp"
#include "routing/engine.hpp"
#include "routing/improve/rebalance_blocks.hpp"
#include "routing/repair/fault_repair.hpp"
#include "topology/change/faults.hpp"
#include "verify/verify.hpp"

namespace {

using namespace fatwood;

constexpr std::size_t kMostDead = 10;

// The engine whose fresh tables are the peer: even where there is one.
const Engine& peer() {
  for (const Engine& engine : engines()) {
    if (engine.name == "even") return engine;
  }
  return find_engine("ftree");
}

double mload(const Model& model, const Routing& routing) {
  return spread_of_flows(model, find_channel_use(model, routing)).largest.value();
}

class Churn {
 public:
  Churn(const Model& whole, std::uint64_t spare, std::uint64_t seed)
      : whole_(whole),
        spare_(spare),
        lids_(assign_lids(whole.fabric(), 0)),
        cables_(single_cables(whole)),
        in_use_(whole, route(peer(), whole).tables),
        repair_(in_use_),
        random_(seed) {
    for (const Terminal t : ids<Terminal>(whole.fabric().num_terminals())) {
      hints_.compute.push_back(t);
    }
  }

  void step() {
    std::vector<Channel> cable;
    const bool mend = dead_.size() >= kMostDead || (!dead_.empty() && random_.below(2) == 0);
    if (mend) {
      const auto at = random_.below(static_cast<std::uint32_t>(dead_.size()));
      cable = {dead_[at]};
      dead_.erase(dead_.begin() + at);
      in_use_.mark_working(cable);
    } else {
      do {
        cable = cables_[random_.below(static_cast<std::uint32_t>(cables_.size()))].cut;
      } while (std::ranges::find(dead_, cable.front()) != dead_.end() ||
               components_without(cable) > 1);
      dead_.push_back(cable.front());
      in_use_.mark_dead(cable);
    }
    const auto changes = mend ? repair_.fill_holes() : repair_.cut(cable);
    std::vector<TableEntry> sent;
    for (const EntryChange& change : changes) sent.push_back({change.destination, change.at});
    forced_ += sent.size();
    in_use_.apply(changes);
    const RebalanceResult even = rebalance_blocks(in_use_, lids_, sent, {.spare_blocks = spare_});
    moved_ += even.moves.size();
    spent_ += even.spare_blocks;
  }

  // The load over that of fresh tables; counts steps that can't be proved.
  double evaluate() {
    const Model now(with_faults(whole_.fabric(), {.cut = dead_, .removed = {}}), hints_);
    Routing routing;
    routing.tables = in_use_.tables();
    const Verdict verdict = verify(now, routing);
    const bool good = verdict.reachability.loops == 0 && verdict.deadlock.free() &&
                      find_legal_but_lost(now.fabric(), routing, whole_.levels()).total() == 0;
    bad_ += good ? 0U : 1U;
    return mload(now, routing) / mload(now, route(peer(), now));
  }

  std::uint64_t bad() const { return bad_; }
  double forced() const { return static_cast<double>(forced_); }
  double moved() const { return static_cast<double>(moved_); }
  double spent() const { return static_cast<double>(spent_); }

 private:
  // even routes every pair: nothing is cut off.
  std::size_t components_without(const std::vector<Channel>& cable) const {
    ResolvedFaults faults{.cut = dead_, .removed = {}};
    faults.cut.push_back(cable.front());
    return Model(with_faults(whole_.fabric(), faults)).components().count;
  }

  const Model& whole_;
  std::uint64_t spare_;
  Lids lids_;
  std::vector<Fault> cables_;
  TablesInUse in_use_;
  FaultRepair repair_;
  ModelHints hints_;
  std::vector<Channel> dead_;
  Random random_;
  std::uint64_t forced_ = 0, moved_ = 0, spent_ = 0, bad_ = 0;
};

void measure(const Model& whole, std::uint64_t spare, int steps, std::uint64_t seed) {
  Churn churn(whole, spare, seed);
  std::vector<double> ratios;
  const double start = bench::cpu_seconds();
  for (int i = 0; i < steps; ++i) {
    churn.step();
    ratios.push_back(churn.evaluate());
  }
  const double last = ratios.back();
  std::ranges::sort(ratios);
  const double all = steps;
  fmt::print("{:>6}{:>10.1f}{:>10.1f}{:>10.2f}{:>9.3f}{:>9.3f}{:>9.3f}{:>9.3f}{:>8}{:>9.1f}\n",
             spare, churn.forced() / all, churn.moved() / all, churn.spent() / all,
             ratios[ratios.size() / 2], ratios[ratios.size() * 95 / 100], ratios.back(), last,
             churn.bad(), bench::cpu_seconds() - start);
}

}  // namespace

int main(int argc, char** argv) {
  std::uint64_t seed = 1;
  if (argc > 2 && std::string_view(argv[1]) == "--seed") {
    seed = std::strtoull(argv[2], nullptr, 10);
    argc -= 2;
    argv += 2;
  }
  const std::string name = argc > 1 ? argv[1] : "ft(8,3)";
  const int steps = argc > 2 ? std::max(1, std::atoi(argv[2])) : 1000;
  std::vector<std::uint64_t> spares;
  for (int i = 3; i < argc; ++i) spares.push_back(std::strtoull(argv[i], nullptr, 10));
  if (spares.empty()) spares = {0, 2, 8};
  try {
    const Model whole(load_fabric(name).fabric);
    fmt::print(
        "{}: {} cuts and mends of seed {}, at most {} cables dead; a step, and the most loaded "
        "link "
        "over\nthat of fresh {} tables\n",
        name, steps, seed, kMostDead, peer().name);
    fmt::print("{:>6}{:>10}{:>10}{:>10}{:>9}{:>9}{:>9}{:>9}{:>8}{:>9}\n", "spare", "forced",
               "moved", "spent", "median", "95 of 100", "most", "last", "bad", "CPU s");
    for (const std::uint64_t spare : spares) measure(whole, spare, steps, seed);
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench_churn: {}\n", error.what());
    return 2;
  }
}
