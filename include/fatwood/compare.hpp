// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Engines side by side, and which one to take.
//
//   const fatwood::Comparison all = fatwood::compare(model, {});      every engine, best first
//   fatwood::recommend(all.rows)                                      one of them, with a reason
//   fatwood::default_engine(model)                                    without comparing

#include "tasks/compare.hpp"
#include "tasks/recommend.hpp"
