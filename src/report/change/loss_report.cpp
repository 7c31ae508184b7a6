// SPDX-License-Identifier: BSD-3-Clause
#include "report/change/loss_report.hpp"

#include <fmt/format.h>

#include "report/change/repair_report.hpp"
#include "report/load/among_report.hpp"

namespace fatwood {

namespace {

std::string line(std::string_view name, const LossFigures& figures) {
  const auto rate = [](double gbps) { return gbps > 0 ? fmt::format("{:.4g}", gbps) : "-"; };
  return fmt::format("{:<18} {:>10} {:>9} {:>9} {:>9}\n", name, figures.pairs_lost,
                     rate(figures.worst_gbps), rate(figures.p1_gbps), rate(figures.median_gbps));
}

}  // namespace

Json loss_figures_json(const LossFigures& figures) {
  const auto known = [](double gbps) { return gbps > 0 ? Json(gbps) : Json(); };
  return {{"pairs_lost", figures.pairs_lost},
          {"worst_gbps", known(figures.worst_gbps)},
          {"p1_gbps", known(figures.p1_gbps)},
          {"median_gbps", known(figures.median_gbps)}};
}

Json loss_object(const LossResult& result) {
  Json json{{"among", among_json(result.who)},
            {"before", loss_figures_json(result.before)},
            {"unrepaired", loss_figures_json(result.unrepaired)},
            {"repaired", Json()}};
  const bool known = result.stage >= LossStage::kRepaired;  // of the new tables
  const bool repaired = known && result.not_repaired.empty();
  if (repaired) json["repaired"] = loss_figures_json(result.repaired);
  json["not_repaired"] = result.not_repaired.empty() ? Json() : Json(result.not_repaired);
  json["rerouted"] = result.rerouted ? loss_figures_json(*result.rerouted) : Json();
  json["not_rerouted"] = result.not_rerouted.empty() ? Json() : Json(result.not_rerouted);
  json["entries_changed"] = known ? Json(result.entries_changed) : Json();
  json["blocks_changed"] = known ? Json(result.blocks_changed) : Json();
  json["transition"] = known ? Json(safety_name(result.transition)) : Json();
  json["deadlock_free"] = known ? Json(result.deadlock_free) : Json();
  json["seconds"] = result.seconds;
  return json;
}

std::string loss_json(const LossResult& result) { return document(loss_object(result)); }

std::string loss_text(const LossResult& result, const std::string& what,
                      const std::string& engine) {
  std::string text = fmt::format("Lost: {}\n\n{:<18} {:>10} {:>9} {:>9} {:>9}\n", what, "",
                                 "pairs lost", "worst", "1%", "median");
  text += line("before", result.before);
  text += line("unrepaired", result.unrepaired);
  const bool repaired = result.not_repaired.empty();
  if (repaired) text += line("repaired", result.repaired);
  if (result.rerouted) text += line(fmt::format("routed by {}", engine), *result.rerouted);
  if (!result.not_rerouted.empty()) {
    text += fmt::format("{} can't route it: {}\n", engine, result.not_rerouted);
  }
  text += fmt::format(
      "\nworst, 1%, median: what pairs of {} get when all send to all, Gb/s per host; pairs "
      "without a route are left out\n",
      result.who.among == "all" ? "hosts" : describe(result.who));
  if (!repaired) text += fmt::format("not repaired: {}\n", result.not_repaired);
  return text + fmt::format("{}: {} entries in {} blocks; switches rewritten in {}; {}\n",
                            repaired ? "repair" : "new routes", result.entries_changed,
                            result.blocks_changed,
                            result.transition == Safety::kNone ? "no safe order"
                                                               : safety_name(result.transition),
                            result.deadlock_free ? "no deadlock" : "DEADLOCK");
}

}  // namespace fatwood
