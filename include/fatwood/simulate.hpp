// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What a fabric delivers, flit by flit.
//
//   const fatwood::Simulation simulation(model, routing, {});
//   fatwood::simulate_loads(simulation, {.loads = {0.3}})                   open traffic
//   fatwood::simulate_collective(simulation, {.collective = "alltoall", .sizes = {4096}})
//
// `routing` is fatwood::resolve_routing(model, "sftree", options), or none: then switches choose
// the shortest queue.

#include "tasks/simulate.hpp"
