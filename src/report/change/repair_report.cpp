// SPDX-License-Identifier: BSD-3-Clause
#include "report/change/repair_report.hpp"

#include <fmt/format.h>

#include "report/json.hpp"
#include "report/load/among_report.hpp"
#include "report/proof/verify_lines.hpp"
#include "verify/reach/endpoint.hpp"

namespace fatwood {

namespace {

std::string percent(std::uint64_t part, std::uint64_t all) {
  return all == 0
             ? "0%"
             : fmt::format("{:.2f}%", 100 * static_cast<double>(part) / static_cast<double>(all));
}

std::string switch_name(const Model& model, Switch s) { return model.labels()(s); }

std::vector<std::string> names(const Model& model, const std::vector<Switch>& switches) {
  std::vector<std::string> words;
  words.reserve(switches.size());
  for (const Switch s : switches) words.push_back(switch_name(model, s));
  return words;
}

Json entries_json(const Model& model, const ForwardingTables& tables, const Lids& lids,
                  const std::vector<TableEntry>& entries) {
  return Json::list(entries, [&](const TableEntry& entry) -> Json {
    return {switch_name(model, entry.at), index(lids.of(tables, entry.destination))};
  });
}

Json counter_example(const Model& model, const ForwardingTables& tables,
                     const Transition& transition) {
  if (!transition.loop.empty()) {
    const MixedLoop& loop = transition.loop.front();
    return {{"kind", "loop"},
            {"target", endpoint_name(model.fabric(), endpoint(tables, loop.destination))},
            {"switches", names(model, loop.switches)},
            {"written", names(model, loop.written)}};
  }
  if (transition.cycle.empty()) return nullptr;
  Json channels = Json::list(transition.cycle,
                             [&](const Channel c) { return channel_name(model.fabric(), c); });
  return {{"kind", "cycle"}, {"channels", channels}, {"lane", transition.cycle_lane}};
}

std::string rounds_text(const std::vector<Round>& rounds) {
  std::string text;
  for (std::size_t i = 0; i < rounds.size(); ++i) {
    const Round& round = rounds[i];
    text += fmt::format("round {}    write {} entries", i + 1, round.write.size());
    if (!round.clear.empty()) text += fmt::format(", set {} to no route", round.clear.size());
    text += round.wait_between_levels
                ? "; leaves first, then level by level, each answered before the next\n"
                : ", in any order\n";
    if (round.drain_after) text += "           then wait until the fabric has drained\n";
  }
  return text;
}

std::string counter_text(const Model& model, const ForwardingTables& tables,
                         const Transition& transition) {
  if (!transition.loop.empty()) {
    const MixedLoop& loop = transition.loop.front();
    return fmt::format("           packets to {} loop through {} {}\n",
                       endpoint_name(model.fabric(), endpoint(tables, loop.destination)),
                       listed(names(model, loop.switches), 12),
                       loop.written.empty() ? "in the old tables"
                                            : fmt::format("while {} is new and the rest old",
                                                          listed(names(model, loop.written), 12)));
  }
  std::string text = "           channels that can wait for each other in a cycle:\n";
  for (const Channel c : transition.cycle) {
    text += fmt::format("             {}\n", channel_name(model.fabric(), c));
  }
  return text;
}

std::string pairs_text(const PairCounts& lost) {
  if (lost.total() == 0) return "every pair has a route";
  if (lost.terminal_terminal > 0) {
    return fmt::format("{} pairs of terminals have no route", lost.terminal_terminal);
  }
  return fmt::format("every pair of terminals has a route, {} pairs with switches have none",
                     lost.total());
}

std::string line(std::string_view name, const LossFigures& figures) {
  const auto rate = [](double gbps) { return gbps > 0 ? fmt::format("{:.4g}", gbps) : "-"; };
  const auto percent = [&](double JobSummary::* share) {
    return figures.jobs ? fmt::format("{:.1f}%", 100 * ((*figures.jobs).*share)) : "-";
  };
  return fmt::format("{:<18} {:>10} {:>9} {:>9} {:>9} {:>7} {:>7}\n", name, figures.pairs_lost,
                     rate(figures.worst_gbps), rate(figures.p1_gbps), rate(figures.median_gbps),
                     percent(&JobSummary::mean), percent(&JobSummary::worst));
}

// A row of the table of a repair: what the tables change, and what hosts get with them.
std::string trade_line(const RepairResult& result, std::string_view name,
                       std::optional<std::uint64_t> blocks, const LossFigures& figures) {
  const auto rate = [](double gbps) { return gbps > 0 ? fmt::format("{:.4g}", gbps) : "-"; };
  const auto share = [&](double JobSummary::* part) {
    return figures.jobs ? fmt::format("{:.1f}%", 100 * ((*figures.jobs).*part)) : "-";
  };
  return fmt::format("{:<18} {:>8} {:>8} {:>10} {:>9} {:>7} {:>7}\n", name,
                     blocks ? fmt::format("{}", *blocks) : "-",
                     blocks ? percent(*blocks, result.changes.all_blocks) : "-", figures.pairs_lost,
                     rate(figures.worst_gbps), share(&JobSummary::mean), share(&JobSummary::worst));
}

std::string trade_text(const RepairResult& result) {
  std::string text = fmt::format("\n{:<18} {:>8} {:>8} {:>10} {:>9} {:>7} {:>7}\n", "", "blocks",
                                 "of all", "pairs lost", "worst", "jobs", "least");
  text += trade_line(result, "unrepaired", std::nullopt, result.unrepaired);
  text += trade_line(result, "must change", result.blocks_forced, result.forced_figures);
  for (const TradePoint& point : result.trade) {
    text += trade_line(result, point.taken ? "balanced, taken" : "balanced", point.blocks,
                       point.figures);
  }
  if (result.rerouted) {
    text += trade_line(result, fmt::format("routed by {}", result.engine), result.blocks_rerouted,
                       *result.rerouted);
  }
  if (!result.not_rerouted.empty()) {
    text += fmt::format("{} can't route it: {}\n", result.engine, result.not_rerouted);
  }
  return text + fmt::format(
                    "worst: the slowest pair of {}, Gb/s per host, when all send to all\njobs, "
                    "least: what jobs get of what their hosts' own cables allow, mean and worst\n",
                    result.who.among == "all" ? "hosts" : describe(result.who));
}

Json trade_json(const RepairResult& result) {
  return Json::list(result.trade, [](const TradePoint& point) {
    Json row = loss_figures_json(point.figures);
    row["blocks_changed"] = point.blocks;
    row["taken"] = point.taken;
    return row;
  });
}

}  // namespace

std::string_view safety_name(Safety safety) {
  constexpr std::string_view kNames[] = {"any order", "rounds", "none"};
  return kNames[static_cast<std::size_t>(safety)];
}

std::string repair_text(const RepairResult& result, const std::vector<std::string>& files) {
  const TableChanges& changes = result.changes;
  std::string text = fmt::format(
      "entries    {} of {} change ({}): {} for the repair, {} of these are now unrouted\n",
      changes.entries, changes.all_entries, percent(changes.entries, changes.all_entries),
      result.forced.size(), result.entries_dropped);
  if (result.entries_least < result.forced.size()) {
    text += fmt::format("at least   {} change in any repair: their cables are gone\n",
                        result.entries_least);
  }
  text += fmt::format("blocks     {} of {} to send ({}), {} of them for the repair\n",
                      changes.blocks, changes.all_blocks,
                      percent(changes.blocks, changes.all_blocks), result.blocks_forced);
  text += fmt::format("pairs      {} of {} take another route ({})\n", changes.pairs,
                      changes.all_pairs, percent(changes.pairs, changes.all_pairs));
  text +=
      fmt::format("load       {} on the most loaded link, all to all{}\n", result.mload.to_string(),
                  result.mload == result.mload_forced
                      ? ""
                      : fmt::format(" ({} before balancing)", result.mload_forced.to_string()));
  text += fmt::format("transition {}\n", result.transition.safety == Safety::kAnyOrder
                                             ? "safe in any order of writing"
                                         : result.transition.safety == Safety::kRounds
                                             ? "safe in rounds: see fatwood transition"
                                             : "no safe order was found");
  const std::string lanes = result.routing.lanes.count == 1
                                ? "one lane"
                                : fmt::format("{} lanes", result.routing.lanes.count);
  text += fmt::format("proof      {}, {} {}\n", pairs_text(result.reach.unreachable),
                      result.deadlock_free ? "no deadlock on" : "CAN DEADLOCK on", lanes);
  if (result.routing.lanes.count > 1) {
    text += fmt::format("lanes      {} routes from a switch to a destination take another lane\n",
                        result.routes_moved);
  }
  if (result.reach.disconnected.total() > 0) {
    text += fmt::format("no cables  {} of the pairs without a route are disconnected\n",
                        result.reach.disconnected.total());
  }
  text += fmt::format("time       {:.4f} s\n", result.seconds);
  text += trade_text(result);
  for (const std::string& file : files) text += fmt::format("written    {}\n", file);
  return text;
}

std::string repair_json(const RepairResult& result, const std::vector<std::string>& files) {
  Json json{{"entries_changed", result.changes.entries},
            {"entries_forced", result.forced.size()},
            {"entries_least", result.entries_least},
            {"entries_dropped", result.entries_dropped},
            {"entries", result.changes.all_entries},
            {"blocks_changed", result.changes.blocks},
            {"blocks_forced", result.blocks_forced},
            {"blocks", result.changes.all_blocks},
            {"pairs_changed", result.changes.pairs},
            {"pairs", result.changes.all_pairs},
            {"transition", safety_name(result.transition.safety)},
            {"unreachable", by_kind(result.reach.unreachable)},
            {"apart", by_kind(result.reach.disconnected)},
            {"loops", result.reach.loops},
            {"deadlock_free", result.deadlock_free},
            {"lanes", result.routing.lanes.count},
            {"routes_moved", result.routes_moved},
            {"holds", result.holds()},
            {"seconds", result.seconds},
            {"files", files}};
  add_fraction(json, "mload", result.mload);
  add_fraction(json, "mload_forced", result.mload_forced);
  json["spare_blocks"] = result.spare_blocks;
  json["among"] = among_json(result.who);
  json["host_order"] = result.host_order;
  json["unrepaired"] = loss_figures_json(result.unrepaired);
  json["forced"] = loss_figures_json(result.forced_figures);
  json["repaired"] = loss_figures_json(result.repaired);
  json["jobs"] = json["repaired"]["jobs"];
  json["rerouted"] = result.rerouted ? loss_figures_json(*result.rerouted) : Json();
  json["not_rerouted"] = text_or_null(result.not_rerouted);
  json["blocks_rerouted"] = result.blocks_rerouted ? Json(*result.blocks_rerouted) : Json();
  json["engine"] = result.engine;
  json["trade"] = trade_json(result);
  return document(std::move(json));
}

std::string transition_text(const Model& model, const ForwardingTables& tables, const Lids&,
                            const Transition& transition) {
  std::string text = fmt::format("entries    {} change\n", transition.entries);
  switch (transition.safety) {
    case Safety::kAnyOrder:
      return text + fmt::format(
                        "safe       in any order: {} channels can be numbered so that every "
                        "mixture of old "
                        "and new routes only goes up ({}{} dependencies)\n",
                        transition.orders.front().size(),
                        transition.orders.size() == 1
                            ? ""
                            : fmt::format("each of {} lanes by itself, ", transition.orders.size()),
                        transition.dependencies);
    case Safety::kRounds:
      text += fmt::format("safe       in {} round{}; not in any order:\n", transition.rounds.size(),
                          transition.rounds.size() == 1 ? "" : "s");
      return text + counter_text(model, tables, transition) + rounds_text(transition.rounds);
    case Safety::kNone:
      text += "safe       no: not in any order, and no safe rounds are known\n";
      return text + counter_text(model, tables, transition);
  }
  return text;
}

Json transition_object(const Model& model, const ForwardingTables& tables, const Lids& lids,
                       const Transition& transition) {
  Json rounds = Json::list(transition.rounds, [&](const Round& round) -> Json {
    return {{"write", entries_json(model, tables, lids, round.write)},
            {"clear", entries_json(model, tables, lids, round.clear)},
            {"order", names(model, round.order)},
            {"wait_between_levels", round.wait_between_levels},
            {"drain_after", round.drain_after}};
  });
  Json json{{"safe", safety_name(transition.safety)},
            {"entries_changed", transition.entries},
            {"dependencies", transition.dependencies},
            {"rounds", rounds},
            {"counter_example", counter_example(model, tables, transition)}};
  return json;
}

std::string transition_json(const Model& model, const ForwardingTables& tables, const Lids& lids,
                            const Transition& transition) {
  return document(transition_object(model, tables, lids, transition));
}

Json loss_figures_json(const LossFigures& figures) {
  const auto known = [](double gbps) { return gbps > 0 ? Json(gbps) : Json(); };
  return {{"pairs_lost", figures.pairs_lost},
          {"worst_gbps", known(figures.worst_gbps)},
          {"p1_gbps", known(figures.p1_gbps)},
          {"median_gbps", known(figures.median_gbps)},
          {"jobs", figures.jobs ? Json{{"mean", figures.jobs->mean},
                                       {"worst", figures.jobs->worst},
                                       {"ideal_mean", figures.jobs->ideal_mean}}
                                : Json()}};
}

std::string loss_json(const LossResult& result) {
  Json json{{"among", among_json(result.who)},
            {"host_order", result.host_order},
            {"before", loss_figures_json(result.before)},
            {"unrepaired", loss_figures_json(result.unrepaired)},
            {"repaired", Json()}};
  const bool known = result.stage >= LossStage::kRepaired;  // of the new tables
  const bool repaired = known && result.not_repaired.empty();
  if (repaired) json["repaired"] = loss_figures_json(result.repaired);
  json["not_repaired"] = text_or_null(result.not_repaired);
  json["rerouted"] = result.rerouted ? loss_figures_json(*result.rerouted) : Json();
  json["not_rerouted"] = text_or_null(result.not_rerouted);
  json["entries_changed"] = known ? Json(result.entries_changed) : Json();
  json["blocks_changed"] = known ? Json(result.blocks_changed) : Json();
  json["transition"] = known ? Json(safety_name(result.transition)) : Json();
  json["deadlock_free"] = known ? Json(result.deadlock_free) : Json();
  json["seconds"] = result.seconds;
  return document(std::move(json));
}

std::string loss_text(const LossResult& result, const std::string& what,
                      const std::string& engine) {
  std::string text = fmt::format("Lost: {}\n\n{:<18} {:>10} {:>9} {:>9} {:>9} {:>7} {:>7}\n", what,
                                 "", "pairs lost", "worst", "1%", "median", "jobs", "least");
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
      "without a route are left out\njobs, least: what jobs get of what their hosts' own cables "
      "allow, "
      "mean and worst\n",
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
