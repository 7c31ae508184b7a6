// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Loads, rates and bounds of routes.
//
//   fatwood::compare(model, options)                      every engine, best first
//   fatwood::find_worst(model, paths, name, options)      the worst traffic, exactly
//   fatwood::link_loads(model, paths, traffic)            the load of every channel, exactly
//   fatwood::make_traffic("shift:1", HostNames(model))    who sends to whom
//
// `paths` are resolve_paths(model, "dmodk"), or path_source(model, routing). Ratios and loads are
// exact fractions (fatwood::Fraction): load.to_string() is "4/3", load.value() 1.333.

#include "analysis/load/link_load.hpp"
#include "tasks/compare.hpp"
#include "tasks/worst.hpp"
#include "traffic/traffic.hpp"
