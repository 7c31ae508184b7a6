// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The last step of every reader of plans: rows become a Plan and its Fabric. Problems of rows are
// errors with line and column, or warnings if lenient.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "io/base/loaded_fabric.hpp"
#include "io/base/warnings.hpp"
#include "plan/model/plan_builder.hpp"

namespace fatwood {

// The position of a row in its file.
struct RowPlace {
  std::size_t line = 0;
  std::size_t column_a = 0, column_b = 0;  // of its ends
};

struct PlanRows {
  explicit PlanRows(std::string name) : file(name), warnings(std::move(name)) {}

  // Reports a bad row: InputError, or a warning if lenient.
  void refuse(const Location& where, const std::string& message);
  void add(CableRow row, std::size_t column_a, std::size_t column_b);

  std::string file;
  Warnings warnings;
  Strictness strictness = Strictness::kStrict;
  PlanBuilder builder;
  std::vector<RowPlace> places;  // by row of the builder
};

// InputError if it has no cables.
LoadedFabric loaded_plan(PlanRows rows, std::string format);
// The same with speeds of Ethernet; `asked` is that of cables without one ("400"), or "".
LoadedFabric with_ethernet_speeds(PlanRows rows, std::string_view asked, std::string format);
// For a plan that is known to be valid.
LoadedFabric loaded_plan(Plan plan, std::string format, const Warnings& warnings);

// "200000" (Mb/s), "400", "400G", "4xNDR", "100g", "NDR"; Rate{} for "" and unknown texts. `type`:
// of the cable, which may name the signalling.
Rate read_speed(std::string_view text, std::string_view type);
// "5", "5m", "1.5 m", "500 cm", "10ft" in m; no value for other texts. `unit`: of a bare number; ""
// means m.
std::optional<double> read_length(std::string_view text, std::string_view unit);

}  // namespace fatwood
