// SPDX-License-Identifier: BSD-3-Clause
#include "report/change/spread_report.hpp"

#include <fmt/format.h>

namespace fatwood {

namespace {

constexpr std::array<std::string_view, kSpreadQuantiles.size()> kQuantileNames{
    "min", "p5", "p25", "median", "p75", "p95", "max"};

}  // namespace

std::string spread_text(const FaultSpread& found) {
  std::string text = fmt::format(
      "Distribution over {} sets; {} of them ({:.1f}%) lose pairs.\n  {:<32}", found.faults,
      found.losing,
      found.faults == 0
          ? 0
          : 100.0 * static_cast<double>(found.losing) / static_cast<double>(found.faults),
      "");
  for (const std::string_view name : kQuantileNames) text += fmt::format("{:>9}", name);
  text += fmt::format("{:>10}{:>22}{:>10}\n", "mean", "95% of the mean", "sd");
  for (const FigureSpread& figure : found.figures) {
    const LossSpread& spread = figure.spread;
    text += fmt::format("  {:<32}", figure.key);
    for (const double value : spread.quantiles) text += fmt::format("{:>9.4g}", value);
    text += fmt::format("{:>10.4g}{:>22}{:>10.3g}\n", spread.mean,
                        fmt::format("{:.4g} to {:.4g}", spread.mean_low, spread.mean_high),
                        spread.deviation);
  }
  return text;
}

Json spread_json(const FaultSpread& found) {
  Json json{{"sets", found.faults}, {"sets_losing_pairs", found.losing}};
  for (const FigureSpread& figure : found.figures) {
    const LossSpread& spread = figure.spread;
    Json one{{"mean", spread.mean},
             {"mean_low", spread.mean_low},
             {"mean_high", spread.mean_high},
             {"sd", spread.deviation}};
    for (std::size_t q = 0; q < kQuantileNames.size(); ++q) {
      one[std::string(kQuantileNames[q])] = spread.quantiles[q];
    }
    json[std::string(figure.key)] = std::move(one);
  }
  return json;
}

}  // namespace fatwood
