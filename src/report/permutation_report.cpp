// SPDX-License-Identifier: BSD-3-Clause
#include "report/permutation_report.hpp"

#include <fmt/format.h>

#include "report/json.hpp"

namespace fatwood {

std::string permutations_text(const std::vector<PermutationRow>& rows) {
  std::string text = fmt::format("{:<16} {:>10} {:>10} {:>9} {:>6}\n", "routing", "mean MLOAD",
                                 "+- 99%", "samples", "seeds");
  for (const PermutationRow& row : rows) {
    text += fmt::format("{:<16} {:>10.4f} {:>10.4f} {:>9} {:>6}\n", row.routing, row.study.mean,
                        row.study.half_width, row.study.samples, row.seeds);
  }
  return text;
}

std::string permutations_json(const std::vector<PermutationRow>& rows) {
  Json json;
  json["results"] = Json::array();
  for (const PermutationRow& row : rows) {
    json["results"].push_back({{"routing", row.routing},
                               {"mean", row.study.mean},
                               {"half_width", row.study.half_width},
                               {"samples", row.study.samples},
                               {"seeds", row.seeds}});
  }
  return document(std::move(json));
}

std::string shifts_text(const std::vector<ShiftRow>& rows) {
  std::string text = fmt::format("{:<16} {:>10} {:>10} {:>10} {:>14} {:>10}\n", "routing", "shifts",
                                 "largest", "at shift", "conflict-free", "mean");
  for (const ShiftRow& row : rows) {
    text += fmt::format("{:<16} {:>10} {:>10} {:>10} {:>14} {:>10.4f}\n", row.routing,
                        row.study.shifts, row.study.worst.to_string(), row.study.worst_shift,
                        row.study.conflict_free, row.study.mean);
  }
  return text;
}

std::string shifts_json(const std::vector<ShiftRow>& rows) {
  Json json;
  json["results"] = Json::array();
  for (const ShiftRow& row : rows) {
    Json one{{"routing", row.routing}};
    add_fraction(one, "worst", row.study.worst);
    one["worst_shift"] = row.study.worst_shift;
    one["mean"] = row.study.mean;
    one["shifts"] = row.study.shifts;
    one["conflict_free"] = row.study.conflict_free;
    json["results"].push_back(std::move(one));
  }
  return document(std::move(json));
}

}  // namespace fatwood
