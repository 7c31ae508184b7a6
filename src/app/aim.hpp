// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What an engine balances its tables for ("for"), and how hard it tries.
//
//   jobs, alltoall, permutations, shifts
//   traffic:FILE   lines "source destination amount"; the stages of a file are added
//   job:FILE       the running jobs, as `job --beside` reads them. A job without a collective sends
//                  all-to-all between its hosts; each job sends equally much per host
// Amounts become small integers: relative to the largest, to one part in a million.

#include <string>
#include <vector>

#include "app/parameter.hpp"
#include "routing/engine.hpp"
#include "topology/model.hpp"

namespace fatwood {

struct AimChoice {
  std::string aim;              // "" if not given
  std::string effort = "full";  // or "quick"
  std::string longest = "";     // "least" or a number of hops
};
template <class Visitor>
void describe(Visitor& visit, AimChoice& choice) {
  visit(choice.aim,
        {.name = "for",
         .help = "engine even: the traffic to balance: jobs (default: neighbouring hosts, and all "
                 "to all), "
                 "alltoall, permutations, shifts, "
                 "job:FILE (jobs, as `fatwood job` reads others) or traffic:FILE (lines \"source "
                 "destination amount\")"});
  visit(choice.effort, {.name = "effort",
                        .help = "engine even: quick (a mean of 1.05, whatever the shifts) or full",
                        .words = {"full", "quick"}});
  visit(choice.longest,
        {.name = "longest",
         .help = "engine even: least (only the shortest legal paths), or how many hops more a "
                 "path may have where a link is overloaded otherwise (default: 2)"});
}

// Whether it differs from the default.
bool asks_for_aim(const AimChoice& choice);

// Sets the corresponding options of an engine; returns what the user should know of the file.
// InputError for an unknown word, and with file and line for a file that cannot be read or names
// hosts that are not there.
std::vector<std::string> set_aim(const Model& model, const AimChoice& choice,
                                 RouteOptions& options);

}  // namespace fatwood
