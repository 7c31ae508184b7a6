// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Is a plan sound? Checks that every port is used once, names are unique, cables are long enough
// and support their speed, all cables between two levels have one speed, each cage has one
// transceiver (plan/cable_table.hpp), no two devices share a place, the tree is regular, and rails
// are straight.
//
// The reader finds errors of rows (a port used twice, a name without a place); its texts are passed
// in. Trees and rails come from recognition of the plan's fabric (topology/recognise,
// topology/hosts/rails.hpp); report/ has the sentences.

#include <string>
#include <string_view>
#include <vector>

#include "plan/sizing/layout.hpp"
#include "topology/model.hpp"

namespace fatwood {

struct PlanFinding {
  enum class Severity : std::uint8_t { kError, kNote };
  Severity severity = Severity::kError;
  std::string_view kind;  // "row", "name", "place", "reach", "length", "speed", "type", "cage"
  std::string sentence;
  std::size_t line = 0;  // in the plan's file; 0: none
};

struct PlanCheck {
  std::vector<PlanFinding> findings;  // errors first
  std::size_t irregular = 0;          // findings about the tree
  std::size_t rails = 0;              // findings about rails
  std::size_t errors = 0;

  bool sound() const { return errors == 0 && irregular == 0 && rails == 0; }
};

struct PlanCheckOptions {
  CableTable cables = default_cables();
  const LayoutRules* rules = nullptr;  // if given, lengths are compared with the cable runs
};

// `rows`: messages of the reader about rows that it left out.
PlanCheck check_plan(const Plan& plan, const Model& model, const std::vector<std::string>& rows,
                     const PlanCheckOptions& options = {});

// Whether a finding of this kind means that a tree is not regular.
bool is_irregular(FindingKind kind);

}  // namespace fatwood
