// SPDX-License-Identifier: BSD-3-Clause
#include "report/load/permutation_report.hpp"

#include <fmt/format.h>

#include "report/json.hpp"
#include "report/load/among_report.hpp"

namespace fatwood {

std::string permutations_text(const Participants& who, const std::vector<PermutationRow>& rows) {
  std::string text = among_line(who) + fmt::format("{:<16} {:>10} {:>10} {:>9} {:>6}\n", "routing",
                                                   "mean MLOAD", "+- 99%", "samples", "seeds");
  for (const PermutationRow& row : rows) {
    text += fmt::format("{:<16} {:>10.4f} {:>10.4f} {:>9} {:>6}\n", row.routing, row.study.mean,
                        row.study.half_width, row.study.samples, row.seeds);
  }
  return text;
}

std::string permutations_json(const Participants& who, const std::vector<PermutationRow>& rows) {
  Json json;
  json["results"] = Json::list(rows, [&](const PermutationRow& row) -> Json {
    return {{"routing", row.routing},
            {"mean", row.study.mean},
            {"half_width", row.study.half_width},
            {"samples", row.study.samples},
            {"seeds", row.seeds}};
  });
  json["among"] = among_json(who);
  return document(std::move(json));
}

std::string shifts_text(const Participants& who, const std::vector<ShiftRow>& rows) {
  std::string text =
      among_line(who) + fmt::format("{:<16} {:>10} {:>10} {:>10} {:>14} {:>10}\n", "routing",
                                    "shifts", "largest", "at shift", "conflict-free", "mean");
  for (const ShiftRow& row : rows) {
    text += fmt::format("{:<16} {:>10} {:>10} {:>10} {:>14} {:>10.4f}\n", row.routing,
                        row.study.shifts, row.study.worst.to_string(), row.study.worst_shift,
                        row.study.conflict_free, row.study.mean);
  }
  return text;
}

std::string shifts_json(const Participants& who, const std::vector<ShiftRow>& rows) {
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
  json["among"] = among_json(who);
  return document(std::move(json));
}

PlotPanel shifts_panel(const std::vector<ShiftRow>& rows) {
  PlotPanel panel{.title = "Load of the most loaded link",
                  .x_label = "shift: host i sends to host i + x",
                  .y_label = "load"};
  for (const ShiftRow& row : rows) {
    PlotLine line{.name = row.routing};
    for (std::size_t i = 0; i < row.study.loads.size(); ++i) {
      line.points.emplace_back(static_cast<double>(i + 1), row.study.loads[i]);
    }
    panel.lines.push_back(std::move(line));
  }
  return panel;
}

std::string rates_text(const Participants& who, const std::vector<RateRow>& rows,
                       RatePattern pattern) {
  std::string text =
      among_line(who) +
      fmt::format(
          "{}: fair rates, as shares of the hosts' own cables\n"
          "{:<16} {:>8} {:>8} {:>8} {:>8} {:>6} {:>6} {:>6} {:>6} {:>6} {:>9}\n",
          pattern == RatePattern::kBisections ? "random bisections" : "random permutations",
          "routing", "mean", "+- 99%", "slowest", "at full", "p1", "p10", "p50", "p90", "p99",
          "samples");
  for (const RateRow& row : rows) {
    const RateStudy& study = row.study;
    text += fmt::format("{:<16} {:>8.4f} {:>8.4f} {:>8.4f} {:>7.1f}%", row.routing,
                        study.share.mean, study.share.half_width, study.slowest, 100 * study.full);
    for (const double quantile : study.quantiles) text += fmt::format(" {:>6.3f}", quantile);
    text += fmt::format(" {:>9}\n", study.share.samples);
  }
  return text;
}

std::string rates_json(const Participants& who, const std::vector<RateRow>& rows,
                       RatePattern pattern) {
  Json json;
  json["pattern"] = pattern == RatePattern::kBisections ? "bisections" : "permutations";
  json["results"] = Json::array();
  for (const RateRow& row : rows) {
    Json one{{"routing", row.routing},
             {"mean", row.study.share.mean},
             {"half_width", row.study.share.half_width},
             {"samples", row.study.share.samples},
             {"seeds", row.seeds},
             {"slowest", row.study.slowest},
             {"full", row.study.full}};
    for (std::size_t q = 0; q < kRateQuantiles.size(); ++q) {
      one[fmt::format("p{:.0f}", 100 * kRateQuantiles[q])] = row.study.quantiles[q];
    }
    json["results"].push_back(std::move(one));
  }
  json["among"] = among_json(who);
  return document(std::move(json));
}

}  // namespace fatwood
