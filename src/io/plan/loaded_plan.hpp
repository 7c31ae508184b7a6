// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The last step of every reader of plans: rows become a Plan and its Fabric. Problems of rows are
// errors with line and column, or warnings if lenient.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "io/base/warnings.hpp"
#include "io/fabric/load_fabric.hpp"
#include "topology/plan/plan_builder.hpp"

namespace fatwood {

// Where in its file a row is.
struct RowPlace {
  std::size_t line = 0;
  std::size_t column_a = 0, column_b = 0;  // of its ends
};

struct PlanRows {
  explicit PlanRows(std::string name) : file(name), warnings(std::move(name)) {}

  // What is wrong with a row: InputError, or a warning if lenient.
  void refuse(const Location& where, const std::string& message);
  void add(CableRow row, std::size_t column_a, std::size_t column_b);

  std::string file;
  Warnings warnings;
  Strictness strictness = Strictness::kStrict;
  PlanBuilder builder;
  std::vector<RowPlace> places;  // by row of the builder
};

// InputError if it has no cable at all.
LoadedFabric loaded_plan(PlanRows rows, std::string format);
// Of a plan that is known to make sense.
LoadedFabric loaded_plan(Plan plan, std::string format, const Warnings& warnings);

// "200000" (Mb/s), "400", "400G", "4xNDR", "100g", "NDR"; Rate{} for "" and what says nothing.
// `type`: of the cable, which may name the signalling.
Rate read_speed(std::string_view text, std::string_view type);
// "5", "5m", "1.5 m", "500 cm", "10ft" in m; nothing for other texts. `unit`: of a bare number, ""
// for m.
std::optional<double> read_length(std::string_view text, std::string_view unit);

}  // namespace fatwood
