// SPDX-License-Identifier: BSD-3-Clause
#include "report/route/compare_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "report/load/among_report.hpp"
#include "report/load/jobs_report.hpp"
#include "report/proof/verify_lines.hpp"
#include "tasks/recommend.hpp"
#include "topology/channel_speeds.hpp"

namespace fatwood {

namespace {

Json spread_json(const UseSpread& use) {
  return {{"largest", use.largest.den() == 1 ? Json(use.largest.num()) : Json(use.largest.value())},
          {"mean", use.mean},
          {"deviation", use.deviation}};
}

// The worst pair's rate over that of the baseline; none where there is no baseline, or it loses
// pairs: what the others get is then no measure.
const EngineResult* base_of(const Comparison& comparison) {
  const auto base = std::ranges::find(comparison.rows, comparison.baseline, &EngineRow::name);
  if (base == comparison.rows.end() || !base->result || base->result->rates.worst == 0 ||
      lost_between_hosts(base->result->reachability, base->result->all_rates.unreachable) != 0) {
    return nullptr;
  }
  return &*base->result;
}

std::optional<double> gain(const Comparison& comparison, const EngineRow& row) {
  const EngineResult* base = base_of(comparison);
  if (base == nullptr) return std::nullopt;
  return (row.result->rates.worst / base->rates.worst).value();
}

// The mean job efficiency over that of the baseline.
std::optional<double> jobs_gain(const Comparison& comparison, const EngineRow& row) {
  const EngineResult* base = base_of(comparison);
  if (base == nullptr || !base->jobs || !row.result->jobs) return std::nullopt;
  const double mean = base->jobs->at_once().mean;
  if (mean == 0) return std::nullopt;
  return row.result->jobs->at_once().mean / mean;
}

void add_rates(Json& json, const Model& model, const PairRates& rates) {
  const double usual = model.speeds().usual_gigabits();
  const auto add = [&](const std::string& name, const Fraction& rate) {
    json[name + "_gbps"] = usual == 0 ? Json() : Json(rate.value() * usual);
    json[name + "_share"] = rate.value();
  };
  add("worst", rates.worst);
  add("p1", rates.p1);
  add("median", rates.median);
}

constexpr std::array kMeasuredKeys{"kept",
                                   "refused",
                                   "lanes",
                                   "unreachable",
                                   "apart",
                                   "lost_between_hosts",
                                   "loops",
                                   "hops",
                                   "mload",
                                   "mload_value",
                                   "use",
                                   "destinations",
                                   "worst_gbps",
                                   "worst_share",
                                   "p1_gbps",
                                   "p1_share",
                                   "median_gbps",
                                   "median_share",
                                   "gain",
                                   "jobs_gain",
                                   "jobs",
                                   "evenness_mean",
                                   "evenness_worst",
                                   "shift",
                                   "adaptive",
                                   "demanded"};

// Both kinds of rows have the same keys.
Json row_json(const Model& model, const Comparison& comparison, const EngineRow& row) {
  Json json{{"name", row.name}};
  for (const char* key : {"seconds", "deadlock_free"}) json[key] = nullptr;
  json["promises_deadlock_free"] = row.promises_deadlock_free;
  for (const char* key : kMeasuredKeys) json[key] = nullptr;
  if (!row.result) {
    json["refused"] = row.refused;
    return json;
  }
  const EngineResult& result = *row.result;
  json["seconds"] = result.seconds;
  json["deadlock_free"] = result.deadlock_free;
  json["kept"] = result.promise_kept;
  json["lanes"] = result.lanes;
  json["unreachable"] = by_kind(result.reachability.unreachable);
  json["apart"] = by_kind(result.reachability.disconnected);
  json["lost_between_hosts"] =
      lost_between_hosts(result.reachability, result.all_rates.unreachable);
  json["loops"] = result.reachability.loops;
  json["hops"] = {{"mean", result.hops.terminals.mean()},
                  {"longest", result.hops.terminals.longest()}};
  add_fraction(json, "mload", result.load.mload);
  json["use"] = spread_json(result.flows);
  json["destinations"] = spread_json(result.destinations);
  add_rates(json, model, result.rates);
  if (const auto value = gain(comparison, row)) json["gain"] = *value;
  if (const auto value = jobs_gain(comparison, row)) json["jobs_gain"] = *value;
  json["jobs"] = jobs_json(model, result.jobs);
  json["evenness_mean"] = result.evenness_mean;
  json["evenness_worst"] = result.evenness_worst;
  json["adaptive"] = result.adaptive;
  if (result.demanded) json["demanded"] = *result.demanded;
  if (const auto& shift = result.shift) {
    json["shift"] = {{"shifts", shift->shifts},       {"conflicted", shift->conflicted},
                     {"conflicts", shift->conflicts}, {"channels", shift->channels},
                     {"largest", shift->largest},     {"mean_largest", shift->mean_largest()}};
  }
  return json;
}

std::string state(const EngineRow& row) {
  const EngineResult& result = *row.result;
  const std::uint64_t lost = result.reachability.lost().total();
  const auto hosts = lost_between_hosts(result.reachability, result.all_rates.unreachable);
  std::string text = !result.deadlock_free ? (row.promises_deadlock_free ? "DEADLOCK" : "deadlock")
                     : result.reachability.loops > 0 ? "LOOPS"
                     : !result.promise_kept          ? "BROKEN"
                     : lost == 0                     ? "safe"
                     : hosts == 0                    ? "safe between hosts only"
                                                     : "NOT SAFE";
  if (lost > 0) text += fmt::format(", {} pairs lost", lost);
  if (hosts && *hosts > 0) text += fmt::format(", {} between hosts", *hosts);
  if (result.adaptive) text += ", adaptive";
  if (row.source_routes) text += ", source routes";
  if (row.current) text += ", in use";
  return text;
}

std::string percent(const std::optional<JobEfficiency>& jobs, double JobSummary::* figure) {
  return jobs ? fmt::format("{:.1f}%", 100 * (jobs->at_once().*figure)) : "-";
}

std::string row_text(const Model& model, const Comparison& comparison, const EngineRow& row) {
  const EngineResult& result = *row.result;
  const double usual = model.speeds().usual_gigabits();
  const auto rate = [&](const Fraction& value) {
    return usual == 0 ? fmt::format("{:.3f}", value.value())
                      : fmt::format("{:.4g}", value.value() * usual);
  };
  const auto gained = gain(comparison, row);
  std::string text = fmt::format(
      "{:<12} {:>6} {:>6} {:>7} {:>7} {:>7} {:>6} {:>8.3f} {:>8.3f} {:>5} {:>6.2f} {:>6} {:>8.2f}  "
      "{}",
      row.name, percent(result.jobs, &JobSummary::mean), percent(result.jobs, &JobSummary::worst),
      rate(result.rates.worst), rate(result.rates.p1), rate(result.rates.median),
      gained ? fmt::format("{:.2f}x", *gained) : "-", result.evenness_mean, result.evenness_worst,
      result.lanes, result.hops.terminals.mean(),
      result.shift ? fmt::format("{:.2f}", result.shift->mean_largest()) : "-", result.seconds,
      state(row));
  if (result.demanded) text += fmt::format(", demanded {:.3f}", *result.demanded);
  return text + "\n";
}

// Explains the columns of jobs.
std::string jobs_footer(const Comparison& comparison) {
  for (const EngineRow& row : comparison.rows) {
    if (!row.result || !row.result->jobs) continue;
    const JobEfficiency& jobs = *row.result->jobs;
    return fmt::format(
        "\njobs, least: what jobs of {} to {} hosts get of what their own cables allow, mean and "
        "worst\n  (all-to-all, neighbours and random, hosts in {}; the cables of the fabric allow "
        "{:.1f}%)\n",
        jobs.cells.front().hosts, jobs.cells.back().hosts, order_text(jobs),
        100 * jobs.at_once().ideal_mean);
  }
  return "\n";
}

// Explains the columns.
std::string footer(const Model& model, const Comparison& comparison, bool demands) {
  std::string text =
      fmt::format("worst, 1%, median: what pairs of {} get when all send to all, {}\n",
                  comparison.who.among == "all" ? "hosts" : describe(comparison.who),
                  model.speeds().usual_gigabits() == 0 ? "as a share of a port" : "Gb/s per host");
  text = jobs_footer(comparison) + text;
  if (!comparison.baseline.empty()) {
    text += fmt::format("gain: of the worst pair over {}{}\n", comparison.baseline,
                        comparison.baseline == "minhop" ? ", OpenSM's default" : "");
  }
  text +=
      "cuts, cut max: load of the most loaded link over the best possible; mean of all cuts, and "
      "the "
      "worst\n"
      "hops: mean; shift: flows on the most loaded link of a shift permutation, mean of all "
      "shifts\n";
  if (demands) {
    text +=
        "demanded: under the traffic of --for, the most loaded channel between switches over that "
        "of a host\n";
  }
  if (!comparison.left_out.empty()) {
    text += fmt::format("left out, slow and unlikely to win: {} (--all runs all)\n",
                        fmt::join(comparison.left_out, ", "));
  }
  return text;
}

// " Jobs get 88.0% where minhop gives 62.1%; the worst pair 1.70 times as much.", or nothing.
std::string gain_text(const Comparison& comparison, const std::string& engine) {
  const auto row = std::ranges::find(comparison.rows, engine, &EngineRow::name);
  const EngineResult* base = base_of(comparison);
  if (row == comparison.rows.end() || base == nullptr || engine == comparison.baseline) return "";
  const auto gained = jobs_gain(comparison, *row);
  if (!gained) return "";
  return fmt::format(" Jobs get {} where {} gives {}; the worst pair gets {:.2f} times as much.",
                     percent(row->result->jobs, &JobSummary::mean), comparison.baseline,
                     percent(base->jobs, &JobSummary::mean), *gain(comparison, *row));
}

std::string recommendation_text(const Comparison& comparison) {
  const auto best = recommend(comparison.rows);
  if (!best) return "none. No engine with forwarding tables is free of deadlock.";
  if (best->keep_current) {
    return fmt::format("keep what you have: no engine gives more than {}.", comparison.baseline);
  }
  if (best->all_equal) return "all equal here: keep what you have. Else " + best->reason;
  return best->reason + gain_text(comparison, best->engine);
}

}  // namespace

std::string compare_text(const Model& model, const Comparison& comparison) {
  std::string text = fmt::format(
      "{:<12} {:>6} {:>6} {:>7} {:>7} {:>7} {:>6} {:>8} {:>8} {:>5} {:>6} {:>6} {:>8}  {}\n",
      "engine", "jobs", "least", "worst", "1%", "median", "gain", "cuts", "cut max", "VLs", "hops",
      "shift", "seconds", "state");
  std::string refusals;
  bool demands = false;
  std::uint64_t disconnected = 0;
  for (const EngineRow& row : comparison.rows) {
    if (!row.result) {
      refusals += fmt::format("{} refuses: {}\n", row.name, row.refused);
      continue;
    }
    text += row_text(model, comparison, row);
    demands = demands || row.result->demanded;
    disconnected = row.result->reachability.disconnected.total();
  }
  text += footer(model, comparison, demands);
  if (disconnected > 0) {
    text += fmt::format("{} pairs are disconnected: promises are checked on the others\n",
                        disconnected);
  }
  if (!refusals.empty()) text += "\n" + refusals;
  return text + fmt::format("\nRecommended: {}\n", recommendation_text(comparison));
}

Json compare_object(const Model& model, const Comparison& comparison) {
  Json json{{"engines", Json::array()}};
  for (const EngineRow& row : comparison.rows) {
    json["engines"].push_back(row_json(model, comparison, row));
  }
  json["among"] = among_json(comparison.who);
  json["baseline"] = text_or_null(comparison.baseline);
  json["left_out"] = comparison.left_out;
  json["recommendation"] = nullptr;
  if (const auto best = recommend(comparison.rows)) {
    json["recommendation"] = {{"engine", best->engine},
                              {"reason", best->reason},
                              {"all_equal", best->all_equal},
                              {"keep_current", best->keep_current}};
  }
  return json;
}

std::string compare_json(const Model& model, const Comparison& comparison) {
  return document(compare_object(model, comparison));
}

}  // namespace fatwood
