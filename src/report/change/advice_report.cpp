// SPDX-License-Identifier: BSD-3-Clause
#include "report/change/advice_report.hpp"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "report/change/repair_report.hpp"
#include "report/load/among_report.hpp"
#include "topology/labels.hpp"

namespace fatwood {
namespace {

using Ends = std::pair<Channel, Channel>;

// The cables that each step takes out, by both ends. A step may take out one that an earlier step
// put in.
std::vector<std::vector<Ends>> cables_out(const Fabric& fabric, const CablingAdvice& advice) {
  Table<Channel, Channel> peer(fabric.num_channels());
  for (const Channel c : ids<Channel>(fabric.num_channels())) {
    peer[c] = fabric.connected(c) ? fabric.peer(c) : kNone<Channel>;
  }
  std::vector<std::vector<Ends>> steps;
  for (const CablingStep& step : advice.steps) {
    steps.emplace_back();
    for (const Channel c : step.change.out) steps.back().emplace_back(c, peer[c]);
    for (const Recabling::Cable& cable : step.change.in) {
      peer[cable.from] = cable.to;
      peer[cable.to] = cable.from;
    }
  }
  return steps;
}

std::string figures_text(const LossFigures& figures) {
  std::string text = "no jobs";
  if (figures.jobs) {
    text = fmt::format("jobs {:.1f}% on average, {:.1f}% at worst; the cables allow {:.1f}%",
                       100 * figures.jobs->mean, 100 * figures.jobs->worst,
                       100 * figures.jobs->ideal_mean);
  }
  if (figures.worst_gbps > 0) text += fmt::format("; worst pair {:.4g} Gb/s", figures.worst_gbps);
  if (figures.pairs_lost > 0) text += fmt::format("; {} pairs lost", figures.pairs_lost);
  return text;
}

std::string step_text(const Labels& labels, const CablingStep& step, const std::vector<Ends>& out) {
  const auto ends = [&](const Ends& cable) {
    return fmt::format("{} - {}", labels.port(cable.first), labels.port(cable.second));
  };
  const Recabling& change = step.change;
  const auto in = [&](std::size_t i) { return ends({change.in[i].from, change.in[i].to}); };
  if (change.action == "add") {
    return fmt::format("add {} ({})", in(0), to_string(change.in[0].rate));
  }
  if (change.action == "replace") {
    return fmt::format("replace {} by {}", ends(out[0]), to_string(change.in[0].rate));
  }
  if (change.action == "move") return fmt::format("move {} to {}", ends(out[0]), in(0));
  return fmt::format("exchange {} and {}: then {} and {}", ends(out[0]), ends(out[1]), in(0),
                     in(1));
}

}  // namespace

std::string advice_text(const Fabric& fabric, const CablingAdvice& advice) {
  const Labels labels(fabric);
  std::string text = fmt::format(
      "\nWhat jobs gain by cables, routed by {} each time, {}:\n  now: {}\n", advice.engine,
      advice.who.among == "all" ? "all hosts" : describe(advice.who), figures_text(advice.now));
  const std::vector<std::vector<Ends>> out = cables_out(fabric, advice);
  for (std::size_t i = 0; i < advice.steps.size(); ++i) {
    text += fmt::format("  {}. {}\n     {}\n", i + 1, step_text(labels, advice.steps[i], out[i]),
                        figures_text(advice.steps[i].then));
  }
  if (advice.candidates == 0) return text + "  no cable to add, replace or move was found\n";
  if (advice.steps.empty()) text += "  no single change gives jobs more\n";
  return text +
         fmt::format("  tried: {} of {}\n", advice.tried, counted(advice.candidates, "change"));
}

Json advice_json(const Fabric& fabric, const CablingAdvice& advice) {
  const Labels labels(fabric);
  const std::vector<std::vector<Ends>> out = cables_out(fabric, advice);
  Json json;
  json["engine"] = advice.engine;
  json["among"] = among_json(advice.who);
  json["now"] = loss_figures_json(advice.now);
  json["steps"] = Json::array();
  for (std::size_t i = 0; i < advice.steps.size(); ++i) {
    const CablingStep& step = advice.steps[i];
    Json one;
    one["action"] = step.change.action;
    one["out"] = Json::list(out[i], [&](const Ends& cable) -> Json {
      return {labels.port(cable.first), labels.port(cable.second)};
    });
    one["in"] = Json::list(step.change.in, [&](const Recabling::Cable& cable) -> Json {
      return {labels.port(cable.from), labels.port(cable.to), to_string(cable.rate)};
    });
    one["then"] = loss_figures_json(step.then);
    json["steps"].push_back(std::move(one));
  }
  json["candidates"] = advice.candidates;
  json["tried"] = advice.tried;
  return json;
}

}  // namespace fatwood
