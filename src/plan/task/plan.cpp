// SPDX-License-Identifier: BSD-3-Clause
#include "plan/task/plan.hpp"

#include <fmt/format.h>

#include "core/error.hpp"

namespace fatwood {

Figures figures_of(std::string_view word) {
  if (word == "none") return Figures::kNone;
  if (word == "small") return Figures::kSmall;
  if (word == "all") return Figures::kAll;
  throw InputError(fmt::format("figures: expected none, small or all, found \"{}\"", word));
}

LayoutRules rules_for(const Design& design, LayoutRules rules) {
  rules.host_splitters = design.split > 1;
  if (design.own_spines != 0) rules.spines_with_units = true;
  return rules;
}

LaidOutPlan lay_out_design(const Design& design, LayoutRules rules, const CableTable& cables) {
  LaidOutPlan result{make_plan(design), {}, rules_for(design, std::move(rules))};
  result.layout = lay_out(result.plan, result.rules, cables);
  return result;
}

namespace {

PlanMaterial material_of(const Design& design, const PlanOptions& options) {
  Plan plan = make_plan(design);
  const LayoutRules rules = rules_for(design, options.rules);
  const Layout layout = lay_out_lengths(plan, rules, options.cables);
  PlanMaterial material;
  const Sharing sharing{rules.host_splitters, options.links_per_cable};
  material.bill =
      options.prices ? bill_with_ends(plan, sharing, *options.prices) : bill_of(plan, sharing);
  material.racks = layout.racks.size();
  material.unreached = layout.unreached.size();
  for (const BillLine& line : material.bill) {
    material.cable_m += line.length_m * static_cast<double>(line.count);
  }
  if (options.prices) material.cost = cost_of(*options.prices, material.bill);
  return material;
}

}  // namespace

PlanResult plan_alternatives(const PlanOptions& options) {
  PlanResult result;
  std::vector<Alternative> all = size_fabric(options.sizing);
  if (options.choose > all.size()) {
    throw InputError(fmt::format("{}: there are {} alternatives",
                                 param("choose", std::to_string(options.choose)), all.size()));
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (options.choose != 0 && i + 1 != options.choose) continue;
    PlannedAlternative& row = result.alternatives.emplace_back();
    row.number = i + 1;
    row.alternative = std::move(all[i]);
    const Design& design = row.alternative.design;
    row.counts = count_design(design, options.links_per_cable);
    if (options.choose != 0 || row.counts.links() <= kMostLaidOut) {
      row.material = material_of(design, options);
    }
  }
  if (options.figures == Figures::kNone) return result;
  std::size_t done = 0;
  for (PlannedAlternative& row : result.alternatives) {
    const Design& design = row.alternative.design;
    const std::uint64_t ends = std::uint64_t{design.places()} * design.plane_ends();
    if (options.figures == Figures::kAll || ends <= kSmallPlan) {
      row.figures = plan_figures(design, options.figure);
    }
    report(options.progress,
           static_cast<double>(++done) / static_cast<double>(result.alternatives.size()),
           row.alternative.name);
  }
  return result;
}

}  // namespace fatwood
