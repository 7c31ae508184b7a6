// SPDX-License-Identifier: BSD-3-Clause
// One cable between switches cut: what the slowest pair and jobs get after a repair, by the number
// of blocks that it sends, relative to fresh tables of the same engine.
//
//   bench_trade [--cables N] [--engine ENGINE] [FABRIC...]     default 12, even, like-selene
//
// Each line: the cable; the blocks that must be sent; for these alone, and for 1, 2, 4 and 8 times
// as many, the rate of the slowest pair and the mean job efficiency, divided by those of fresh
// tables; the number of blocks that is taken, as a multiple; CPU seconds. The cables are spread
// over the list of all cables.

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "analysis/faults/fault_list.hpp"
#include "clock.hpp"
#include "io/fabric/load_fabric.hpp"
#include "routing/engine.hpp"
#include "tasks/change/repair.hpp"
#include "topology/change/faults.hpp"
#include "topology/labels.hpp"

namespace {

using namespace fatwood;

struct Part {
  double worst = 0, jobs = 0;
};
Part part(const LossFigures& found, const LossFigures& fresh) {
  const auto of = [](double a, double b) { return b > 0 ? a / b : 1; };
  return {of(found.worst_gbps, fresh.worst_gbps),
          found.jobs && fresh.jobs ? of(found.jobs->mean, fresh.jobs->mean) : 1};
}

void measure(const std::string& name, const std::string& engine, std::size_t cuts) {
  const Model model(load_fabric(name).fabric);
  const Routing old = route(find_engine(engine), model);
  const Lids lids = assign_lids(model.fabric(), 0);
  const std::vector<Fault> cables = single_cables(model);
  Part least{9, 9};
  double most = 0;
  for (std::size_t i = 0; i < cuts; ++i) {
    const Fault& cable = cables[(2 * i + 1) * cables.size() / (2 * cuts)];
    const double start = bench::cpu_seconds();
    const Model after(with_faults(model.fabric(), {.cut = cable.cut, .removed = {}}), ModelHints{});
    const RepairResult repaired = repair(after, old, lids, {}, {.engine = &find_engine(engine)});
    const double seconds = bench::cpu_seconds() - start;
    const auto shown = [&](const LossFigures& figures) {
      const Part now = part(figures, *repaired.rerouted);
      return fmt::format("  {:.2f} {:.3f}", now.worst, now.jobs);
    };
    std::string line = fmt::format("{:<24}{:>6}{}", port_name(model.fabric(), cable.cut.front()),
                                   repaired.blocks_forced, shown(repaired.forced_figures));
    double times = 1;
    for (const TradePoint& point : repaired.trade) {
      line += shown(point.figures);
      if (!point.taken || repaired.blocks_forced == 0) continue;
      times = static_cast<double>(point.blocks) / static_cast<double>(repaired.blocks_forced);
    }
    const Part taken = part(repaired.repaired, *repaired.rerouted);
    least = {std::min(least.worst, taken.worst), std::min(least.jobs, taken.jobs)};
    most = std::max(most, times);
    fmt::print("{}  {:.1f}x  {:.1f} s\n", line, times, seconds);
    std::fflush(stdout);
  }
  fmt::print(
      "{}: taken at least {:.3f} of the slowest pair, {:.3f} of jobs; {:.1f} times at most\n", name,
      least.worst, least.jobs, most);
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> fabrics;
  std::string engine = "even";
  std::size_t cuts = 12;
  try {
    for (int i = 1; i < argc; ++i) {
      const std::string word = argv[i];
      if (word == "--cables" && i + 1 < argc) {
        cuts = std::stoul(argv[++i]);
      } else if (word == "--engine" && i + 1 < argc) {
        engine = argv[++i];
      } else {
        fabrics.push_back(word);
      }
    }
    if (fabrics.empty()) fabrics = {"like-selene"};
    for (const std::string& fabric : fabrics) measure(fabric, engine, cuts);
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench_trade: {}\n", error.what());
    return 2;
  }
}
