// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// `fatwood plan --hosts N`: computes alternatives for a fabric of N hosts. Each is counted from its
// cables. If it is not too large, it is also laid out, priced and routed.
//
// Cost: about 10 ns for each link of an alternative, and 1 us if it is laid out. The limit
// kMostLaidOut keeps any request without `choose` to about 3 seconds.

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/progress.hpp"
#include "plan/model/plan_counts.hpp"
#include "plan/sizing/request.hpp"
#include "plan/task/plan_figures.hpp"

namespace fatwood {

enum class Figures : std::uint8_t { kNone, kSmall, kAll };  // kSmall: up to kSmallPlan

// "none", "small" or "all"; InputError for another word.
Figures figures_of(std::string_view word);

// Limit of kSmall: end ports of a plane. Above it, figures take minutes.
inline constexpr std::uint64_t kSmallPlan = 2048;

// Alternatives with more links are laid out only if they are chosen.
inline constexpr std::uint64_t kMostLaidOut = 250'000;

struct PlanOptions : PlanRequest {
  std::uint32_t choose = 0;  // number of the only alternative to compute, from 1; 0: all
  Figures figures = Figures::kSmall;
  FigureOptions figure{};
  Progress progress = {};
};

// What the layout of a plan needs.
struct PlanMaterial {
  std::vector<BillLine> bill;
  std::optional<Cost> cost;  // with prices
  std::size_t racks = 0;
  double cable_m = 0;         // of all cables, in lengths for sale
  std::size_t unreached = 0;  // cables that no kind of the table reaches
};

struct PlannedAlternative {
  std::size_t number = 0;  // from 1
  Alternative alternative;
  PlanCounts counts;
  std::optional<PlanMaterial> material;  // none: above kMostLaidOut
  std::optional<PlanFigures> figures;
};

struct PlanResult {
  std::vector<PlannedAlternative> alternatives;
};

// InputError if there is no alternative with the chosen number.
PlanResult plan_alternatives(const PlanOptions& options);

// The plan of one alternative with places, lengths, types and labels.
struct LaidOutPlan {
  Plan plan;
  Layout layout;
  LayoutRules rules;
};
LaidOutPlan lay_out_design(const Design& design, LayoutRules rules, const CableTable& cables);
// The rules for the plan of a design: splitters and spines where it has them.
LayoutRules rules_for(const Design& design, LayoutRules rules);

}  // namespace fatwood
