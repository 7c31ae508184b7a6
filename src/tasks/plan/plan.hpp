// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// `fatwood plan --hosts N`: alternatives side by side, each counted from its cables, laid out,
// priced and, where it is not too large, routed.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/progress.hpp"
#include "tasks/plan/plan_figures.hpp"
#include "topology/plan/plan_counts.hpp"
#include "topology/sizing/request.hpp"

namespace fatwood {

enum class Figures : std::uint8_t { kNone, kSmall, kAll };  // kSmall: up to kSmallPlan

// "none", "small" or "all"; InputError for another word.
Figures figures_of(std::string_view word);

// Above this, figures take minutes: end ports of a plane.
inline constexpr std::uint64_t kSmallPlan = 2048;

struct PlanOptions : PlanRequest {
  std::uint32_t choose = 0;  // the number of an alternative, from 1: only that one; 0: all
  Figures figures = Figures::kSmall;
  FigureOptions figure{};
  Progress progress = {};
};

struct PlannedAlternative {
  std::size_t number = 0;  // from 1
  Alternative alternative;
  PlanCounts counts;
  std::vector<BillLine> bill;
  std::optional<Cost> cost;
  std::optional<PlanFigures> figures;
  std::size_t racks = 0;
  double cable_m = 0;         // of all cables, as sold
  std::size_t unreached = 0;  // cables that no kind of the table reaches
};

struct PlanResult {
  std::vector<PlannedAlternative> alternatives;
};

// InputError when there is no alternative of the number chosen.
PlanResult plan_fabric(const PlanOptions& options);

// The plan of one alternative with places, lengths, types and labels.
struct LaidOutPlan {
  Plan plan;
  Layout layout;
  LayoutRules rules;
};
LaidOutPlan lay_out_design(const Design& design, LayoutRules rules, const CableTable& cables);

}  // namespace fatwood
