// SPDX-License-Identifier: BSD-3-Clause
// after_a_cut BEFORE AFTER ENGINE: tables of the fabric before a cut, repaired after it, and what
// the damaged fabric then gives: its hosts, a job, the simulator.

#include <algorithm>
#include <exception>
#include <fatwood/fatwood.hpp>
#include <iostream>

int main(int argc, char** argv) try {
  using namespace fatwood;
  if (argc != 4) return 2;
  const Model before(load_fabric(argv[1]).fabric), after(load_fabric(argv[2]).fabric);
  const Routing old = route(find_engine(argv[3]), before);
  const RepairResult repaired = repair(after, old, assign_lids(after.fabric(), 0));
  std::cout << "holds " << repaired.holds() << "\nentries " << repaired.changes.entries << '\n';
  const Transition change = transition(after, old, repaired.routing);
  std::cout << "same safety " << (change.safety == repaired.transition.safety) << '\n';

  const WhatifResult lost = whatif(after, repaired.routing, {.losses = Losses::kCables});
  std::cout << "losses " << lost.faults.size() << '\n';
  const auto paths = path_source(after, repaired.routing);
  const Measured measured(after, *paths, default_participants(after));
  std::cout << "worst pair " << measure_pairs(measured, 0).rates.worst.to_string() << '\n';

  const ResolvedRouting routing = resolve_routing(after, argv[3]);
  JobOptions job;
  for (const Host host : ids<Host>(after.hosts().hosts.size())) job.job.hosts.push_back(host);
  std::cout << "seconds " << run_job(after, routing, job).study.jobs[0].seconds << '\n';
  const Simulation simulation(after, resolve_routing(after, argv[3]), {});
  const SimResult simulated = simulate_loads(simulation, {.loads = {0.1}});
  std::cout << "points " << simulated.points.size() << '\n';
  return repaired.holds() ? 0 : 1;
} catch (const std::exception& error) {
  std::cerr << error.what() << "\n";
  return 2;
}
