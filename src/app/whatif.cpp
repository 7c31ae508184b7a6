// SPDX-License-Identifier: BSD-3-Clause
#include "app/whatif.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>
#include <utility>

#include "core/error.hpp"
#include "routing/engine.hpp"
#include "tasks/recommend.hpp"

namespace fatwood {

namespace {

// The words as given; of a number or percentage, which is drawn, the names drawn.
std::string lost_names(const Model& model, const std::vector<std::string>& words,
                       std::span<const FaultRequest> orders, const ResolvedFaults& faults) {
  if (std::ranges::none_of(orders, is_drawn)) return fmt::format("{}", fmt::join(words, ", "));
  std::vector<std::string> names;
  for (const Node node : faults.removed) names.push_back(model.labels()(node));
  for (const Channel c : faults.cut) names.push_back(port_name(model.fabric(), c));
  return fmt::format("{} ({})", fmt::join(words, ", "), fmt::join(names, ", "));
}

}  // namespace

WhatifOptions whatif_options(const Participants& who, const Routing& routing,
                             const WhatifQuestion& question, RouteOptions route) {
  if (question.permutations.value_or(0) > 0 && !routing.sets.empty()) {
    throw InputError({.file = param("permutations")},
                     "tables with one port per entry are needed, and these are adaptive. Leave it "
                     "out");
  }
  WhatifOptions options{.set_size = question.sets,
                        .samples = question.samples,
                        .who = who,
                        .detailed = question.top,
                        .add = question.add,
                        .keep = question.keep,
                        .route = std::move(route)};
  if (question.only == "cables") options.losses = Losses::kCables;
  if (question.only == "switches") options.losses = Losses::kSwitches;
  if (question.permutations) options.permutations = *question.permutations;
  return options;
}

LossStages find_loss(const Model& model, const Routing& routing, const WhatifQuestion& question,
                     const Participants& who, const GivenOrder& order, RouteOptions route) {
  std::vector<FaultRequest> orders;
  for (const std::string& name : question.lose) {
    const FaultKind kind = name.ends_with(']') ? FaultKind::kCut : FaultKind::kRemove;
    orders.push_back({kind, name, {.file = param("lose", name)}});
  }
  LossOptions options{
      .who = who, .jobs = MeasureJobs::kYes, .order = order, .threads = route.threads};
  options.route = std::move(route);
  const bool by_engine = is_engine(routing.engine);
  options.engine = &find_engine(by_engine ? routing.engine : default_engine(model));
  options.route.lmc = routing.tables.lmc();
  const ResolvedFaults faults = find_faults(model.fabric(), orders);
  return {lose(model, routing, assign_lids(model.fabric(), routing.tables.lmc()), faults, options),
          lost_names(model, question.lose, orders, faults), std::string(options.engine->name)};
}

}  // namespace fatwood
