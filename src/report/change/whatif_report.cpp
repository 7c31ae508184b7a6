// SPDX-License-Identifier: BSD-3-Clause
#include "report/change/whatif_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "report/change/repair_report.hpp"
#include "report/first_lines.hpp"
#include "report/json.hpp"
#include "report/load/among_report.hpp"

namespace fatwood {

namespace {

// Cables whose loss would give hosts more, best first.
std::vector<std::size_t> better_without(const WhatifResult& report) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < report.faults.size(); ++i) {
    const bool cable = report.faults[i].cut.size() == 1;
    const FaultCost& cost = report.costs[i];
    if (cable && cost.pairs_lost <= report.before.pairs_lost &&
        cost.gigabits > report.before.gigabits * (1 + 1e-6)) {
      found.push_back(i);
    }
  }
  std::ranges::stable_sort(found, std::ranges::greater(),
                           [&](std::size_t i) { return report.costs[i].gigabits; });
  return found;
}

std::string fault_name(const Model& model, const Fault& fault) {
  if (fault.removed != kNone<Switch>) return model.labels()(fault.removed);
  if (fault.cut.size() == 1) return model.labels().cable(fault.cut.front());
  std::vector<std::string> words;
  for (const Channel c : fault.cut) words.push_back(model.labels().port(c));
  return listed(words, 4);
}

Json number_or_null(double value) { return value > 0 ? Json(value) : Json(nullptr); }

void add_standing(Json& json, const Standing& standing) {
  json["pairs_lost"] = standing.pairs_lost;
  add_fraction(json, "mload", standing.mload);
  json["gigabits_per_second"] = number_or_null(standing.gigabits);
  if (standing.permutation_gigabits > 0) {
    json["permutation_gigabits_per_second"] = standing.permutation_gigabits;
  }
  json["worst_gbps"] = number_or_null(standing.worst * standing.usual_gigabits);
  json["p1_gbps"] = number_or_null(standing.p1 * standing.usual_gigabits);
  json["median_gbps"] = number_or_null(standing.median * standing.usual_gigabits);
}

Json standing_json(const Standing& standing) {
  Json json;
  add_standing(json, standing);
  return json;
}

void add_fault(Json& json, const Model& model, const Fault& fault) {
  const Labels& labels = model.labels();
  if (fault.removed != kNone<Switch>) {
    json["remove"] = labels(fault.removed);
  } else if (fault.cut.size() == 1) {
    json["cut"] = labels.port(fault.cut.front());
    json["to"] = labels.port(model.fabric().peer(fault.cut.front()));
  } else {
    json["cut"] = Json::list(fault.cut, [&](const Channel c) { return labels.port(c); });
  }
}

const LossDetail* detail_of(const WhatifResult& report, std::size_t fault) {
  const auto found = std::ranges::find(report.details, fault, &LossDetail::fault);
  return found == report.details.end() ? nullptr : &*found;
}

Json fault_json(const Model& model, const WhatifResult& report, std::size_t number) {
  const Fault& fault = report.faults[number];
  const FaultCost& cost = report.costs[number];
  Json json;
  add_fault(json, model, fault);
  json["pairs_lost"] = cost.pairs_lost;
  add_fraction(json, "mload", cost.mload);
  if (cost.most_loaded != kNone<Channel>) {
    json["fullest"] = Json::array({model.labels().port(cost.most_loaded),
                                   model.labels().port(model.fabric().peer(cost.most_loaded))});
  }
  json["gigabits_per_second"] = number_or_null(cost.gigabits);
  json["permutation_gigabits_per_second"] = number_or_null(cost.permutation_gigabits);
  json["entries_changed"] = cost.entries;
  json["blocks_changed"] = cost.blocks;
  json["transition"] = safety_name(cost.transition);
  const LossDetail* const detail = detail_of(report, number);
  json["unrepaired"] = detail == nullptr ? Json() : loss_figures_json(detail->unrepaired);
  json["repaired"] = detail == nullptr ? Json() : loss_figures_json(detail->repaired);
  json["rerouted"] =
      detail == nullptr || !detail->rerouted ? Json() : loss_figures_json(*detail->rerouted);
  return json;
}

std::string end_name(const Model& model, Switch s, Channel port) {
  return port == kNone<Channel> ? model.labels()(s) : model.labels().port(port);
}

Json put_back_json(const Model& model, const PutBack& back) {
  Json json;
  json["from"] = end_name(model, back.cable.below, back.cable.port_below);
  json["to"] = end_name(model, back.cable.above, back.cable.port_above);
  add_standing(json, back.then);
  add_fraction(json, "ends_mload_before", back.ends_before);
  add_fraction(json, "ends_mload_after", back.ends_after);
  return json;
}

Json replace_json(const Model& model, const Replaced& one) {
  const Fabric& fabric = model.fabric();
  Json json;
  json["from"] = model.labels().port(one.cable);
  json["to"] = model.labels().port(fabric.peer(one.cable));
  json["rate"] = to_string(fabric.rate(one.cable));
  json["usual"] = to_string(one.rate);
  add_standing(json, one.then);
  add_fraction(json, "ends_mload_before", one.ends_before);
  add_fraction(json, "ends_mload_after", one.ends_after);
  return json;
}

// "leaf-1[20] - spine-2[3], 4xDDR"
std::string slow_name(const Model& model, const Replaced& one) {
  return model.labels().cable(one.cable) + ", " + to_string(model.fabric().rate(one.cable));
}

Json end_of_pair(const Model& model, Channel cable, Switch gone) {
  Json json;
  if (gone != kNone<Switch>) {
    json["remove"] = model.labels()(gone);
  } else {
    json["cut"] = model.labels().port(cable);
  }
  return json;
}

std::string standing_text(const Standing& standing) {
  std::string text;
  if (standing.usual_gigabits > 0) {
    const auto rate = [&](double share) { return share * standing.usual_gigabits; };
    text = fmt::format("worst pair {:.4g} Gb/s, 1% {:.4g}, median {:.4g}", rate(standing.worst),
                       rate(standing.p1), rate(standing.median));
  } else {
    text = fmt::format("worst pair {:.3f} of a port, 1% {:.3f}, median {:.3f}", standing.worst,
                       standing.p1, standing.median);
  }
  if (standing.permutation_gigabits > 0) {
    text += fmt::format(", slowest flow of a permutation {:.4g}", standing.permutation_gigabits);
  }
  if (standing.pairs_lost > 0) text += fmt::format(", {} pairs lost", standing.pairs_lost);
  return text;
}

// "187/187/198": the worst, 1st-percentile and median pair.
std::string rates_text(const LossFigures& figures) {
  if (figures.worst_gbps <= 0) return "-";
  return fmt::format("{:.4g}/{:.4g}/{:.4g}", figures.worst_gbps, figures.p1_gbps,
                     figures.median_gbps);
}

std::string fault_table(const Model& model, const WhatifResult& report,
                        const std::vector<std::size_t>& order, std::size_t top) {
  std::string text = fmt::format("  {:>9} {:>9} {:>18} {:>18} {:>18} {:>8} {:>7}  {:<10} {}\n",
                                 "lost now", "repaired", "Gb/s unrepaired", "repaired", "rerouted",
                                 "entries", "blocks", "rewrite", "lost");
  for (std::size_t i = 0; i < order.size() && i < top; ++i) {
    const FaultCost& cost = report.costs[order[i]];
    const LossDetail* const detail = detail_of(report, order[i]);
    if (detail == nullptr) break;
    text += fmt::format("  {:>9} {:>9} {:>18} {:>18} {:>18} {:>8} {:>7}  {:<10} {}\n",
                        detail->unrepaired.pairs_lost, detail->repaired.pairs_lost,
                        rates_text(detail->unrepaired), rates_text(detail->repaired),
                        detail->rerouted ? rates_text(*detail->rerouted) : "-", cost.entries,
                        cost.blocks, safety_name(cost.transition),
                        fault_name(model, report.faults[order[i]]));
  }
  if (order.size() > top)
    text += fmt::format("  and {} more (--top, --json)\n", order.size() - top);
  return text;
}

std::string kinds_text(const Model& model, const WhatifResult& report, std::size_t top) {
  std::string text;
  const auto part = [&](std::string_view title, const auto& is_kind) {
    std::vector<std::size_t> order;
    for (const std::size_t i : worst_first(report)) {
      if (is_kind(report.faults[i])) order.push_back(i);
    }
    if (order.empty()) return;
    std::uint64_t entries = 0;
    std::uint64_t parting = 0;
    for (const std::size_t i : order) {
      entries += report.costs[i].entries;
      parting += report.costs[i].pairs_lost > report.before.pairs_lost ? 1U : 0U;
    }
    text += fmt::format("{} ({}; {:.0f} entries change on average, {} lose pairs), worst first:\n",
                        title, order.size(),
                        static_cast<double>(entries) / static_cast<double>(order.size()), parting);
    text += fault_table(model, report, order, top);
  };
  part("Loss of a cable", [](const Fault& f) { return f.cut.size() == 1; });
  part("Loss of a switch", [](const Fault& f) { return f.removed != kNone<Switch>; });
  part("Loss of several cables", [](const Fault& f) { return f.cut.size() > 1; });
  return text;
}

std::string put_back_text(const Model& model, const WhatifResult& report, std::size_t top) {
  const auto& cables = report.put_back.cables;
  if (!report.by_engine)
    return "Put back: not known for a file of tables; name an engine instead.\n";
  if (report.put_back.missing == 0)
    return "Put back: no cable is missing that the fabric's shape asks for.\n";
  std::string text = fmt::format("Put back first ({} missing; routed by {} each time):\n",
                                 counted(report.put_back.missing, "cable"), report.engine);
  text += first_lines(cables, top, "", [&](const PutBack& back) {
    return fmt::format("{} - {}: {}; most loaded link at its ends: {} now, {} with it",
                       end_name(model, back.cable.below, back.cable.port_below),
                       end_name(model, back.cable.above, back.cable.port_above),
                       standing_text(back.then), back.ends_before.to_string(),
                       back.ends_after.to_string());
  });
  if (const std::size_t idle = report.put_back.missing - cables.size(); idle > 0) {
    text += fmt::format(
        "  {} alone: no gain of 1% for the worst, the 1% or the median pair (not listed)\n",
        counted(idle, "cable"));
  }
  return text +
         fmt::format("  all {}: {}\n", report.put_back.missing, standing_text(report.put_back.all));
}

std::string replace_text(const Model& model, const WhatifResult& report, std::size_t top) {
  const ReplaceOrder& order = report.replace;
  if (order.slow == 0) return "";
  std::string text = fmt::format("Replace first ({}; routed by {} each time):\n",
                                 counted(order.slow, "slow cable"), report.engine);
  text += first_lines(order.cables, top, "", [&](const Replaced& one) {
    return fmt::format("{} by {}: {}; most loaded link at its ends: {} now, {} with it",
                       slow_name(model, one), to_string(one.rate), standing_text(one.then),
                       one.ends_before.to_string(), one.ends_after.to_string());
  });
  if (const std::size_t idle = order.slow - order.cables.size(); idle > 0) {
    text += fmt::format(
        "  {} alone: no gain of 1% for the worst, the 1% or the median pair (not listed)\n",
        counted(idle, "cable"));
  }
  return text + fmt::format("  all {}: {}\n", order.slow, standing_text(order.all));
}

std::string pairs_text(const Model& model, const FaultPairs& pairs, std::size_t top) {
  if (pairs.pairs.empty())
    return "No pair of faults disconnects hosts that neither fault disconnects alone.\n";
  std::string text = fmt::format("Pairs of faults that disconnect hosts: {}{}\n",
                                 pairs.pairs.size(), pairs.all ? "" : " and more");
  const auto name = [&](Channel cable, Switch gone) {
    return gone == kNone<Switch> ? model.labels().cable(cable) : model.labels()(gone);
  };
  for (std::size_t i = 0; i < pairs.pairs.size() && i < top; ++i) {
    const FaultPair& pair = pairs.pairs[i];
    text += fmt::format("  {} and {}: {} cut off\n", name(pair.cable_a, pair.switch_a),
                        name(pair.cable_b, pair.switch_b), counted(pair.cut_off, "terminal"));
  }
  return text;
}

std::string csv_word(const std::string& text) {
  std::string word = "\"";
  for (const char c : text) word += c == '"' ? "\"\"" : std::string(1, c);
  return word + "\"";
}

}  // namespace

std::string whatif_text(const Model& model, const WhatifResult& report, std::size_t top) {
  std::string text = fmt::format(
      "Now, {}: {}\n"
      "Rates: worst/1%/median pair of {} when all send to all, per host; pairs without a route are "
      "left out.\nUnrepaired: nothing is rewritten yet. Repaired: in the blocks that must be sent. "
      "Rerouted: {}.\n\n",
      report.engine, standing_text(report.before),
      report.who.among == "all" ? "hosts" : describe(report.who),
      report.by_engine ? "by " + report.engine + ", from scratch" : "not for a file of tables");
  if (report.adaptive) {
    text.pop_back();
    text +=
        "Adaptive tables: packets that may choose. A switch leaves out ports without a link by "
        "itself; a repair leaves out those that lead nowhere.\n\n";
  }
  text += kinds_text(model, report, top) + "\n" + put_back_text(model, report, top) +
          replace_text(model, report, top);
  const std::vector<std::size_t> pull = better_without(report);
  if (!pull.empty()) {
    text += "Routes balance better without these links:\n";
    for (std::size_t i = 0; i < pull.size() && i < top; ++i) {
      text += fmt::format("  {}: {:.2f} Gb/s per host instead of {:.2f}\n",
                          fault_name(model, report.faults[pull[i]]), report.costs[pull[i]].gigabits,
                          report.before.gigabits);
    }
  }
  for (const AddedGain& gain : report.added) {
    text += fmt::format("Add {} ({}{}): {}\n", gain.what, counted(gain.cables, "cable"),
                        gain.ports_lacking == 0
                            ? ""
                            : fmt::format(", {} lacking", counted(gain.ports_lacking, "port")),
                        standing_text(gain.then));
  }
  return text + pairs_text(model, report.pairs, top) +
         fmt::format("{:.2f} s for {}\n", report.seconds, counted(report.faults.size(), "fault"));
}

std::string whatif_json(const Model& model, const WhatifResult& report) {
  Json json;
  json["engine"] = report.engine;
  json["among"] = among_json(report.who);
  json["now"] = standing_json(report.before);
  json["faults"] = Json::list(worst_first(report),
                              [&](const std::size_t i) { return fault_json(model, report, i); });
  json["put_back"] = Json::list(report.put_back.cables,
                                [&](const PutBack& back) { return put_back_json(model, back); });
  json["put_back_all"] =
      report.put_back.missing == 0 ? Json(nullptr) : standing_json(report.put_back.all);
  json["put_back_missing"] = report.put_back.missing;
  json["replace"] = Json::list(report.replace.cables,
                               [&](const Replaced& one) { return replace_json(model, one); });
  json["replace_all"] =
      report.replace.slow == 0 ? Json(nullptr) : standing_json(report.replace.all);
  json["replace_slow"] = report.replace.slow;
  json["pull"] = Json::array();
  for (const std::size_t i : better_without(report)) {
    Json one;
    add_fault(one, model, report.faults[i]);
    one["gigabits_per_second"] = report.costs[i].gigabits;
    one["now_gigabits_per_second"] = report.before.gigabits;
    json["pull"].push_back(std::move(one));
  }
  json["add"] = Json::array();
  for (const AddedGain& gain : report.added) {
    Json one{{"what", gain.what}, {"cables", gain.cables}, {"ports_lacking", gain.ports_lacking}};
    add_standing(one, gain.then);
    json["add"].push_back(std::move(one));
  }
  json["pairs"] = Json::array();
  for (const FaultPair& pair : report.pairs.pairs) {
    Json one;
    one["faults"] = Json::array({end_of_pair(model, pair.cable_a, pair.switch_a),
                                 end_of_pair(model, pair.cable_b, pair.switch_b)});
    one["terminals_cut_off"] = pair.cut_off;
    json["pairs"].push_back(std::move(one));
  }
  json["pairs_complete"] = report.pairs.all;
  json["seconds"] = report.seconds;
  return document(std::move(json));
}

std::string whatif_csv(const Model& model, const WhatifResult& report) {
  std::string text =
      "fault,lost,pairs_lost,mload,gigabits_per_second,entries_changed,blocks_changed,transition,"
      "permutation_gigabits_per_second\n";
  const auto number = [](double value) { return value > 0 ? fmt::format("{}", value) : ""; };
  for (const std::size_t i : worst_first(report)) {
    const Fault& fault = report.faults[i];
    const FaultCost& cost = report.costs[i];
    text += fmt::format("{},{},{},{},{},{},{},{},{}\n",
                        fault.removed != kNone<Switch> ? "remove" : "cut",
                        csv_word(fault_name(model, fault)), cost.pairs_lost, cost.mload.value(),
                        number(cost.gigabits), cost.entries, cost.blocks,
                        safety_name(cost.transition), number(cost.permutation_gigabits));
  }
  return text;
}

}  // namespace fatwood
