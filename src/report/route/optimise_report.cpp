// SPDX-License-Identifier: BSD-3-Clause
#include "report/route/optimise_report.hpp"

#include <fmt/format.h>

#include "report/json.hpp"

namespace fatwood {

namespace {

Json usage_json(const UsageStatistics& usage) {
  return {
      {"links", usage.links},       {"flows", usage.flows},           {"mean", usage.mean},
      {"variance", usage.variance}, {"deviation", usage.deviation()}, {"largest", usage.largest}};
}

Json tolerance_json(const FaultTolerance& tolerance) {
  return {{"avoided", tolerance.avoided},
          {"covered", tolerance.covered},
          {"pairs", tolerance.pairs},
          {"ready", tolerance.ready},
          {"addresses", tolerance.addresses}};
}

}  // namespace

std::string optimise_text(const OptimiseReport& report) {
  const OptimiseResult& result = report.result;
  std::string text = fmt::format("engine        {}\n", report.engine);
  text +=
      fmt::format("deadlock      {}\n", report.guard == Guard::kKept
                                            ? "free before, and after"
                                            : "the routes had a cycle before; no move was refused");
  text += fmt::format("alternatives  {}\n", result.alternatives);
  text += fmt::format("moves         {} between parallel links, {} of {} trials; {} refused\n",
                      result.duplicate_moves, result.moves, result.trials, result.refused);
  text += fmt::format("time          {:.4f} s\n\n", report.seconds);
  text += fmt::format("{:<18} {:>12} {:>14} {:>12} {:>10}\n", "usage of links", "mean", "variance",
                      "deviation", "largest");
  const auto usage_line = [&](std::string_view name, const UsageStatistics& usage) {
    text += fmt::format("{:<18} {:>12.3f} {:>14.3f} {:>12.3f} {:>10}\n", name, usage.mean,
                        usage.variance, usage.deviation(), usage.largest);
  };
  usage_line("before", result.before);
  usage_line("duplicates shared", result.after_duplicates);
  usage_line("after", result.after);
  text += fmt::format("\n{:<18} {:>12} {:>14} {:>12} {:>10}\n", "fault tolerance", "path avoided",
                      "links covered", "alternatives", "addresses");
  const auto tolerance_line = [&](std::string_view name, const FaultTolerance& tolerance) {
    text +=
        fmt::format("{:<18} {:>11.2f}% {:>13.2f}% {:>12} {:>10}\n", name, 100 * tolerance.avoided,
                    100 * tolerance.covered, tolerance.ready, tolerance.addresses);
  };
  tolerance_line("before", report.tolerance_before);
  tolerance_line("after", report.tolerance_after);
  for (const std::string& file : report.files) text += fmt::format("\nwritten       {}\n", file);
  return text;
}

std::string optimise_json(const OptimiseReport& report) {
  const OptimiseResult& result = report.result;
  Json json{
      {"engine", report.engine},
      {"guarded", report.guard == Guard::kKept},
      {"alternatives", result.alternatives},
      {"trials", result.trials},
      {"moves", result.moves},
      {"duplicate_moves", result.duplicate_moves},
      {"refused", result.refused},
      {"usage",
       {{"before", usage_json(result.before)},
        {"after_duplicates", usage_json(result.after_duplicates)},
        {"after", usage_json(result.after)}}},
      {"tolerance",
       {{"before", tolerance_json(report.tolerance_before)},
        {"after", tolerance_json(report.tolerance_after)}}},
      {"seconds", report.seconds},
      {"files", report.files},
  };
  return document(std::move(json));
}

}  // namespace fatwood
