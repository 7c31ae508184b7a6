// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Is a plan sound? Every port used once, names unique, cables that reach and fit their speed, one
// speed on all cables between two levels, one part in each cage (plan/cages.hpp), devices in places
// of their own, a regular tree, straight rails.
//
// What rows have wrong (a port used twice, a name without a place) is found while they are read:
// the reader's texts come in. Trees and rails are what recognition says of the plan's fabric
// (topology/recognise, topology/hosts/rails.hpp); report/ has its sentences.

#include <string>
#include <string_view>
#include <vector>

#include "topology/model.hpp"
#include "topology/sizing/layout.hpp"

namespace fatwood {

struct PlanFinding {
  enum class Severity : std::uint8_t { kError, kNote };
  Severity severity = Severity::kError;
  std::string_view kind;  // "row", "name", "place", "reach", "length", "speed", "type", "cage"
  std::string sentence;
  std::size_t line = 0;  // of the plan's file; 0: none
};

struct PlanCheck {
  std::vector<PlanFinding> findings;  // errors first
  std::size_t irregular = 0;          // findings of the tree
  std::size_t rails = 0;              // findings of rails
  std::size_t errors = 0;

  bool sound() const { return errors == 0 && irregular == 0 && rails == 0; }
};

struct PlanCheckOptions {
  CableTable cables = default_cables();
  const LayoutRules* rules = nullptr;  // given: lengths are compared with the way they go
};

// `rows`: what the reader said of rows that it left out.
PlanCheck check_plan(const Plan& plan, const Model& model, const std::vector<std::string>& rows,
                     const PlanCheckOptions& options = {});

// Whether a finding of this kind says that a tree is not regular.
bool is_irregular(std::string_view kind);

}  // namespace fatwood
