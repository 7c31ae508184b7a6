// SPDX-License-Identifier: BSD-3-Clause
// How long the check of an installation takes, with 100 cable ends swapped, against what reading
// the plan and the fabric takes in the same run.
//   bench_cabling [FABRIC]     a spec or a file; 20,752 cables by default

#include <fmt/format.h>

#include <sstream>
#include <string>

#include "clock.hpp"
#include "core/random.hpp"
#include "io/base/input.hpp"
#include "io/fabric/ibnetdiscover.hpp"
#include "io/fabric/load_fabric.hpp"
#include "plan/formats/plan_write.hpp"
#include "plan/model/plan_fabric.hpp"
#include "tasks/check_cabling.hpp"

namespace {

using namespace fatwood;

constexpr const char* kDefault =
    "plan(hosts=834,rails=8,speed=400,unit=32,radix=64,cage=2,up=32,spines=32,pod_units=4,"
    "spine_up=32,cores=4)";

template <class Work>
double seconds_of(const Work& work) {
  const double start = bench::cpu_seconds();
  work();
  return bench::cpu_seconds() - start;
}

// Cables between switches whose second ends are exchanged.
Plan damaged(Plan plan, std::size_t swaps) {
  Random random(1);
  const auto draw = [&]() -> PlanCable& {
    while (true) {
      PlanCable& one = plan.cables[random.below(static_cast<std::uint32_t>(plan.cables.size()))];
      if (!plan.device(one.a).is_host() && !plan.device(one.b).is_host()) return one;
    }
  };
  for (std::size_t i = 0; i < swaps; ++i) std::swap(draw().b, draw().b);
  return plan;
}

enum class Named { kAll, kHosts, kNone };

std::string discovered(Plan plan, Named names) {
  for (std::size_t d = 0; d < plan.devices.size(); ++d) {
    PlanDevice& device = plan.devices[d];
    if (names == Named::kAll || (names == Named::kHosts && device.is_host())) continue;
    device.name = fmt::format("{}box{}", device.is_host() ? "MT4129 ConnectX7 " : "", d);
  }
  std::ostringstream out;
  write_ibnetdiscover(out, planned_fabric(plan).fabric);
  return out.str();
}

void measure(const std::string& list, const Plan& built, Named names, const char* what) {
  const std::string text = discovered(built, names);
  LoadedFabric plan, found;
  const double reading = seconds_of([&] {
    Input first(list, "plan"), second(text, "found");
    plan = read_fabric(first);
    found = read_fabric(second);
  });
  const Model model(std::move(found.fabric));
  std::size_t faults = 0, moves = 0;
  const double checking = seconds_of([&] {
    const CablingCheck check = check_cabling(*plan.plan, model, found.run);
    faults = check.cabling.faults.size();
    moves = check.moves;
  });
  fmt::print("{:<16} {:>7} cables  {:>5} faults {:>5} moves  read {:>6.3f} s  check {:>6.3f} s\n",
             what, plan.plan->cables.size(), faults, moves, reading, checking);
}

}  // namespace

int main(int count, char** words) {
  const Model model(load_fabric(count > 1 ? words[1] : kDefault).fabric);
  const Plan plan = plan_of(model);
  std::ostringstream list;
  write_cables(list, plan);
  const Plan built = damaged(plan, 50);
  measure(list.str(), built, Named::kAll, "names");
  measure(list.str(), built, Named::kHosts, "names of hosts");
  measure(list.str(), built, Named::kNone, "no names");
}
