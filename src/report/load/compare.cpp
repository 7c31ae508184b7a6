// SPDX-License-Identifier: BSD-3-Clause
#include "report/load/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>

#include "analysis/load/link_load.hpp"
#include "core/error.hpp"
#include "report/json.hpp"
#include "report/load/recommendation.hpp"
#include "report/proof/kind_report.hpp"
#include "routing/adaptive/target_classes.hpp"
#include "verify/adaptive/choices.hpp"
#include "verify/reach/up_down.hpp"

namespace fatwood {

namespace {

// Whether what was found is what the engine's row promises.
bool keeps_promise(const Engine& engine, const Model& model, const Routing& routing,
                   const EngineResult& result) {
  if (engine.has(Engine::kDeadlockFree) && !result.deadlock_free) return false;
  if (result.reachability.loops > 0) return false;
  const PairCounts lost = result.reachability.lost();
  switch (engine.pairs) {
    case Pairs::kAll:
    case Pairs::kPerPair:
      return lost.total() == 0;
    case Pairs::kTerminalsAndLegal:
      return lost.terminal_terminal == 0 && lost.switch_terminal == 0;
    case Pairs::kLegal:
      return find_legal_but_lost(model.fabric(), routing, model.levels()).total() == 0;
  }
  return false;
}

struct Judged {
  EngineResult result;
  Deadlock deadlock;
  ChannelUse use;
};

// Adaptive tables: whatever is chosen, and flows split evenly.
Judged judge_adaptive(const Model& model, const Routing& routing, int threads) {
  const Fabric& fabric = model.fabric();
  ChoiceFindings found =
      find_choices(model, routing, target_classes(fabric, routing, threads), threads);
  Judged judged{.result = {},
                .deadlock = find_deadlock(fabric, routing, Sources::kAll, threads),
                .use = find_channel_use(model, routing, threads)};
  judged.result.reachability = std::move(found.reachability);
  judged.result.deadlock_free = judged.deadlock.free();
  judged.result.lanes = judged.deadlock.lanes.size();
  judged.result.hops = std::move(found.most);
  judged.result.load = all_to_all_load(model, judged.use);
  judged.result.flows = spread_of_flows(model, judged.use);
  judged.result.destinations = spread_of_destinations(model, judged.use);
  judged.result.adaptive = true;
  return judged;
}

Judged judge(const Model& model, const Routing& routing, int threads) {
  if (!routing.sets.empty()) return judge_adaptive(model, routing, threads);
  const Fabric& fabric = model.fabric();
  Judged judged{.result = {},
                .deadlock = find_deadlock(fabric, routing, Sources::kAll, threads),
                .use = find_channel_use(model, routing, threads)};
  Reachability reachability = find_reachability(fabric, routing, threads);
  HopCounts hops = reachability.hops;
  judged.result = {.reachability = std::move(reachability),
                   .deadlock_free = judged.deadlock.free(),
                   .lanes = judged.deadlock.lanes.size(),
                   .hops = std::move(hops),
                   .load = all_to_all_load(model, judged.use),
                   .flows = spread_of_flows(model, judged.use),
                   .destinations = spread_of_destinations(model, judged.use),
                   .shift = count_shift_conflicts(model, routing, threads),
                   .adaptive = false,
                   .seconds = 0,
                   .kept = false};
  return judged;
}

// Nothing where some pair has no route.
std::optional<double> demanded_load(const Model& model, const Routing& routing,
                                    const RouteOptions& options) try {
  const Fabric& fabric = model.fabric();
  std::map<std::pair<Adapter, Adapter>, std::int64_t> amounts;
  for (const PairDemand& demand : options.demands) {
    const Adapter from = model.adapters().of(demand.source);
    const Adapter to = model.adapters().of(demand.destination);
    amounts[{from, to}] += static_cast<std::int64_t>(demand.amount);
  }
  Traffic traffic{.hosts = model.adapters().size()};
  for (const auto& [pair, amount] : amounts) {
    traffic.flows.push_back({pair.first, pair.second, amount});
  }
  const auto paths = path_source(model, Routing(routing));
  const LinkLoads loads = link_loads(model, *paths, traffic, options.threads);
  std::int64_t switches = 0;
  std::int64_t hosts = 1;
  for (const Channel c : ids<Channel>(fabric.num_channels())) {
    if (!fabric.connected(c)) continue;
    const bool inner = fabric.is_switch(fabric.owner(c)) && fabric.is_switch(fabric.neighbour(c));
    (inner ? switches : hosts) = std::max(inner ? switches : hosts, loads.units[c]);
  }
  return static_cast<double>(switches) / static_cast<double>(hosts);
} catch (const PromiseError&) {
  return std::nullopt;
}

std::string number_text(const Fraction& value) {
  return value.den() == 1 ? value.to_string() : fmt::format("{:.2f}", value.value());
}

Json spread_json(const UseSpread& use) {
  return {{"largest", use.largest.den() == 1 ? Json(use.largest.num()) : Json(use.largest.value())},
          {"mean", use.mean},
          {"deviation", use.deviation}};
}

// Both kinds of rows have the same keys.
Json row_json(const EngineRow& row) {
  Json json{{"name", row.name}};
  for (const char* key : {"seconds", "deadlock_free"}) json[key] = nullptr;
  json["promises_deadlock_free"] = row.promises_deadlock_free;
  for (const char* key :
       {"kept", "refused", "lanes", "unreachable", "apart", "loops", "hops", "mload", "mload_value",
        "use", "destinations", "shift", "adaptive", "demanded"}) {
    json[key] = nullptr;
  }
  if (!row.result) {
    json["refused"] = row.refused;
    return json;
  }
  const EngineResult& result = *row.result;
  json["seconds"] = result.seconds;
  json["deadlock_free"] = result.deadlock_free;
  json["kept"] = result.kept;
  json["lanes"] = result.lanes;
  json["unreachable"] = by_kind(result.reachability.unreachable);
  json["apart"] = by_kind(result.reachability.apart);
  json["loops"] = result.reachability.loops;
  json["hops"] = {{"mean", result.hops.terminals.mean()},
                  {"longest", result.hops.terminals.longest()}};
  add_fraction(json, "mload", result.load.mload);
  json["use"] = spread_json(result.flows);
  json["destinations"] = spread_json(result.destinations);
  json["adaptive"] = result.adaptive;
  if (result.demanded) json["demanded"] = *result.demanded;
  if (result.adaptive) return json;
  json["shift"] = {
      {"shifts", result.shift.shifts},       {"conflicted", result.shift.conflicted},
      {"conflicts", result.shift.conflicts}, {"channels", result.shift.channels},
      {"largest", result.shift.largest},     {"mean_largest", result.shift.mean_largest()}};
  return json;
}

// Without the options that only some engines support.
RouteOptions supported_by(const Engine& engine, RouteOptions options) {
  if (!engine.has(Engine::kAims)) {
    options.aim = Aim::kAllToAll;
    options.demands.clear();
  }
  if (!engine.has(Engine::kAdaptive)) options.choice = EntryState::kFree;
  return options;
}

}  // namespace

JudgedEngine judge_engine(const Engine& engine, const Model& model, const RouteOptions& options) {
  JudgedEngine judged;
  judged.row.name = engine.name;
  judged.row.promises_deadlock_free = engine.has(Engine::kDeadlockFree);
  judged.row.source_routes = engine.pairs == Pairs::kPerPair;
  judged.row.for_trees = engine.has(Engine::kForTrees);
  try {
    const auto start = std::chrono::steady_clock::now();
    Routing routing = route(engine, model, supported_by(engine, options));
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
    Judged found = judge(model, routing, options.threads);
    if (!options.demands.empty()) found.result.demanded = demanded_load(model, routing, options);
    found.result.seconds = spent.count();
    found.result.kept = keeps_promise(engine, model, routing, found.result);
    judged.row.result = std::move(found.result);
    judged.deadlock = std::move(found.deadlock);
    judged.use = std::move(found.use);
    judged.routing = std::move(routing);
  } catch (const PromiseError& error) {
    judged.row.refused = error.what();
  } catch (const InputError& error) {
    judged.row.refused = error.what();
  }
  return judged;
}

JudgedEngine judge_tables(const std::string& name, const Model& model, Routing routing,
                          int threads) {
  Judged found = judge(model, routing, threads);
  found.result.kept = found.result.deadlock_free && found.result.reachability.loops == 0 &&
                      found.result.reachability.lost().total() == 0;
  return {.row = {.name = name,
                  .promises_deadlock_free = true,
                  .source_routes = !routing.source_routes.empty(),
                  .for_trees = false,
                  .refused = "",
                  .result = std::move(found.result)},
          .routing = std::move(routing),
          .deadlock = std::move(found.deadlock),
          .use = std::move(found.use)};
}

std::vector<EngineRow> compare_engines(const Model& model, const RouteOptions& options,
                                       std::span<const Engine> list) {
  std::vector<EngineRow> rows;
  RouteOptions silent = options;
  silent.progress = {};
  for (const Engine& engine : list) {
    report(options.progress, static_cast<double>(rows.size()) / static_cast<double>(list.size()),
           engine.name);
    rows.push_back(judge_engine(engine, model, silent).row);
  }
  return rows;
}

std::string compare_text(const std::vector<EngineRow>& rows) {
  std::string text =
      fmt::format("{:<11} {:<7} {:<8} {:>5} {:>11} {:>6} {:>4} {:>9} {:>9} {:>10} {:>9} {:>9}\n",
                  "engine", "promise", "deadlock", "lanes", "unreachable", "hops", "max", "flows",
                  "spread", "shift mean", "shift max", "seconds");
  const bool demands = std::ranges::any_of(
      rows, [](const EngineRow& row) { return row.result && row.result->demanded; });
  if (demands) text.insert(text.size() - 1, "  demanded");
  std::string refusals;
  for (const EngineRow& row : rows) {
    if (!row.result) {
      text += fmt::format("{:<11} {}\n", row.name, "refuses");
      refusals += fmt::format("{}: {}\n", row.name, row.refused);
      continue;
    }
    const EngineResult& result = *row.result;
    text += fmt::format(
        "{:<11} {:<7} {:<8} {:>5} {:>11} {:>6.3f} {:>4} {:>9} {:>9.1f} {:>10} {:>9} {:>9.4f}\n",
        row.name, result.kept ? "kept" : "BROKEN",
        result.deadlock_free         ? "free"
        : row.promises_deadlock_free ? "CYCLE"
                                     : "cycle",
        result.lanes, result.reachability.unreachable.total(), result.hops.terminals.mean(),
        result.hops.terminals.longest(), number_text(result.flows.largest), result.flows.deviation,
        result.adaptive ? "-" : fmt::format("{:.2f}", result.shift.mean_largest()),
        result.adaptive ? "-" : std::to_string(result.shift.largest), result.seconds);
    if (result.demanded) {
      text.insert(text.size() - 1, fmt::format(" {:>9.3f}", *result.demanded));
    }
  }
  const auto routed =
      std::ranges::find_if(rows, [](const EngineRow& row) { return row.result.has_value(); });
  const std::uint64_t apart = routed == rows.end() ? 0 : routed->result->reachability.apart.total();
  if (apart > 0) {
    text += fmt::format("\nno cables join {} pairs: promises are judged on the others\n", apart);
  }
  if (demands) {
    text +=
        "\ndemanded: under the traffic of --for, the fullest channel between switches over the "
        "fullest of a host\n";
  }
  if (!refusals.empty()) text += "\n" + refusals;
  const auto recommended = recommend(rows);
  text += fmt::format("\nRecommended: {}\n",
                      recommended ? recommended->reason
                                  : "none. No engine with forwarding tables is free of deadlock.");
  return text;
}

Json compare_object(const std::vector<EngineRow>& rows) {
  Json json{{"engines", Json::array()}};
  for (const EngineRow& row : rows) json["engines"].push_back(row_json(row));
  json["recommendation"] = nullptr;
  if (const auto recommended = recommend(rows)) {
    json["recommendation"] = {{"engine", recommended->engine}, {"reason", recommended->reason}};
  }
  return json;
}

std::string compare_json(const std::vector<EngineRow>& rows) {
  return document(compare_object(rows));
}

}  // namespace fatwood
