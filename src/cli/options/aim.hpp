// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// --for: the traffic that tables are balanced for.
//
//   alltoall, permutations, shifts
//   traffic:FILE   lines "source destination amount"; the stages of a file are added
//   job:FILE       the running jobs, as `job --beside` reads them. A job without a collective sends
//                  all-to-all between its hosts; each job sends equally much per host
// Amounts become small integers: relative to the largest, to one part in a million.

#include <string>

#include "cli/command_line.hpp"
#include "routing/engine.hpp"
#include "traffic/traffic.hpp"

namespace fatwood::cli {

struct AimChoice {
  std::string aim;              // "" if not given
  std::string effort = "full";  // or "quick"
  std::string longest = "";     // "least" or a number of hops
};
// --for, --effort and --longest
void add_aim(Verb& verb, AimChoice& choice);

// Whether it differs from the default.
bool asks_for_aim(const AimChoice& choice);

// Sets the corresponding options of an engine. InputError for an unknown word, and with file and
// line for a file that cannot be read or names hosts that are not there.
void set_aim(const Model& model, const AimChoice& choice, RouteOptions& options);

}  // namespace fatwood::cli
