// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Text and JSON of `fatwood diff`, whose man page explains the keys. With a plan there are also the
// keys of cabling_report.hpp.

#include <optional>
#include <string>

#include "report/fabric/cabling_report.hpp"
#include "routing/repair/changes.hpp"
#include "topology/change/fabric_diff.hpp"

namespace fatwood {

struct DiffReport {
  FabricDiff fabric;
  std::optional<TableChanges> tables;
  std::optional<CablingCheck> cabling{};  // if the first is a plan

  bool same() const { return fabric.empty() && (!tables || tables->entries == 0); }
};

std::string diff_text(const Model& before, const Model& after, const DiffReport& report);
std::string diff_json(const Model& before, const Model& after, const DiffReport& report);

}  // namespace fatwood
