// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The request for `whatif`, of every front end: what each loss costs, or one loss in all stages.

#include <optional>
#include <string>
#include <vector>

#include "app/among.hpp"
#include "app/host_order.hpp"
#include "app/open_fabric.hpp"
#include "tasks/change/whatif.hpp"

namespace fatwood {

struct WhatifQuestion {
  std::string only = {};                         // "cables", "switches" or "": both
  std::size_t sets = 0;                          // 0: single losses
  std::size_t samples = 1000;                    // of sets
  std::optional<std::size_t> permutations = {};  // default: 8
  std::vector<std::string> add = {};
  std::vector<std::string> lose = {};  // one loss, instead of all
  std::string among = {}, host_order = {};
  std::size_t top = 10;
  std::string keep = {};
};
template <class Visitor>
void describe(Visitor& visit, WhatifQuestion& question) {
  visit(question.only, {.name = "only",
                        .help = "cables or switches (default: both)",
                        .words = {"cables", "switches"}});
  visit(question.sets, {.name = "sets",
                        .help = "try random sets of this many cables instead of single losses",
                        .least = 1,
                        .most = 1 << 20,
                        .excludes = {"only"}});
  visit(
      question.samples,
      {.name = "samples", .help = "how many sets", .least = 1, .most = 1 << 30, .needs = {"sets"}});
  visit(question.permutations,
        {.name = "permutations",
         .help = "random permutations used for the rate of the slowest flow; 0: none (default: 8)",
         .least = 0,
         .most = 1000});
  visit(question.add,
        {.name = "add",
         .help = "what cable@LEVEL (one more up from each switch), switch@LEVEL or 2xswitch@LEVEL "
                 "would give",
         .pattern = "[a-z0-9][a-z0-9@]{0,63}"});
  visit(question.lose,
        {.name = "lose",
         .help = "this switch, adapter or cable NAME[PORT], or so many switches at random (3, 2%, "
                 "2@3), is lost: before, unrepaired, repaired and rerouted",
         .excludes = {"only", "sets"},
         .pattern = kNodePattern});
  describe_among(visit, question.among);
  describe_host_order(visit, question.host_order);
  visit(question.top, {.name = "top", .help = "lines of each table"});
  visit(question.keep, {.name = "keep",
                        .help = "file: results so far; a run that was stopped goes on from it",
                        .file = true});
}

// Without seed, progress and share. `route`: the options with which an engine made the tables.
// InputError for what makes no sense for these tables.
WhatifOptions whatif_options(const Participants& who, const Routing& routing,
                             const WhatifQuestion& question, RouteOptions route);

struct LossStages {
  LossResult result;
  std::string names;  // what is lost, as it was named; of what was drawn, also its names
  std::string engine;
};
// REQUIRES question.lose.
LossStages find_loss(const Model& model, const Routing& routing, const WhatifQuestion& question,
                     const Participants& who, const GivenOrder& order, RouteOptions route);

}  // namespace fatwood
