// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Loads of links, and what pairs of hosts get.
//
//   fatwood::make_traffic("shift:1", AdapterNames(model))    who sends to whom
//   fatwood::link_loads(model, paths, traffic)            the load of every channel, exactly
//   fatwood::measure_pairs(Measured(model, paths, default_participants(model)), threads)
//                                        rates of pairs in all-to-all, evenness, bottlenecks
//
// `paths` are resolve_paths(model, "dmodk"), or path_source(model, routing) (fatwood/route.hpp).
// Loads are exact fractions (fatwood::Fraction): load.to_string() is "4/3", load.value() 1.333.

#include "analysis/load/link_load.hpp"
#include "tasks/measured.hpp"
#include "traffic/traffic.hpp"
