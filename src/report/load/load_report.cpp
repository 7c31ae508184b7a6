// SPDX-License-Identifier: BSD-3-Clause
#include "report/load/load_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "report/json.hpp"
#include "report/load/among_report.hpp"
#include "report/load/jobs_report.hpp"
#include "topology/channel_speeds.hpp"

namespace fatwood {

namespace {

std::string_view kind_name(OloadKind kind) {
  constexpr std::string_view kNames[] = {"theorem", "attained", "linear program", "lower bound"};
  return kNames[static_cast<std::size_t>(kind)];
}

bool is_bound(const StageLoad& stage) { return stage.oload.kind == OloadKind::kLowerBound; }

Json stage_json(const StageLoad& stage) {
  Json json;
  add_fraction(json, "mload", stage.mload);
  add_fraction(json, "oload", stage.oload.value);
  add_fraction(json, "perf", stage.perf());
  json["oload_is"] = is_bound(stage) ? "bound" : "exact";
  if (is_bound(stage)) {
    add_fraction(json, "oload_at_least", stage.oload.value);
    add_fraction(json, "perf_at_most", stage.perf());
  }
  json["oload_kind"] = kind_name(stage.oload.kind);
  json["flows"] = stage.flows;
  return json;
}

Fraction mean(const LevelLoad& level) {
  return level.sum / Fraction(static_cast<std::int64_t>(std::max<std::size_t>(level.channels, 1)));
}

std::string hash_words(const HashedReport& report) {
  if (report.alike) return ", all switches hash alike";
  if (report.hash == "tier") return ", switches of a level hash alike";
  return report.hash == "own" ? "" : ", hashed as in " + report.hash;
}

// "up-links unused on average (at worst): level 1 3.1% (12.5%), level 2 50.0% (62.5%)"
std::string unused_text(const HashedLoad& load) {
  std::string text;
  for (const UnusedUpLinks& one : load.unused) {
    text += fmt::format("{}level {} {:.1f}% ({:.1f}%)", text.empty() ? "" : ", ", one.level,
                        100 * one.mean, 100 * one.worst);
  }
  if (text.empty()) return text;
  return fmt::format("up-links unused on average (at worst), {} queue pairs: {}\n",
                     load.queue_pairs, text);
}

std::string hashed_text(const HashedReport& report) {
  std::string text = fmt::format(
      "\nports by hash, {} seeds{}\n{:>11} {:>32} {:>32} {:>9}\n{:>11} {:>10} {:>10} {:>10} {:>10} "
      "{:>10} {:>10} {:>9}\n",
      report.seeds, hash_words(report), "", "most loaded link", "slowest flow gets", "channels",
      "queue pairs", "median", "p99", "worst", "median", "p99", "worst", "used");
  const auto row = [&](const HashedLoad& one) {
    text += fmt::format(
        "{:>11} {:>10.3f} {:>10.3f} {:>10.3f} {:>10.3f} {:>10.3f} {:>10.3f} {:>8.1f}%\n",
        one.queue_pairs, one.max_load.median, one.max_load.p99, one.max_load.worst,
        one.slowest.median, one.slowest.p99, one.slowest.worst, 100 * one.used);
  };
  for (const HashedLoad& one : report.rows) row(one);
  for (const HashedLoad& one : report.rows) text += unused_text(one);
  if (!report.at_most) return text;
  for (const HashedLoad& one : report.needed.tried) {
    const auto same = [&](const HashedLoad& shown) { return shown.queue_pairs == one.queue_pairs; };
    if (std::ranges::none_of(report.rows, same)) row(one);
  }
  text += report.needed.queue_pairs > 0
              ? fmt::format("{} queue pairs keep the p99 at or below {}\n",
                            report.needed.queue_pairs, *report.at_most)
              : fmt::format("no number of queue pairs up to {} keeps the p99 at or below {}\n",
                            report.needed.tried.back().queue_pairs, *report.at_most);
  return text;
}

Json spread_json(const Spread& spread) {
  return {{"mean", spread.mean},
          {"median", spread.median},
          {"p99", spread.p99},
          {"worst", spread.worst}};
}

Json hashed_json(const HashedReport& report) {
  std::vector<HashedLoad> all = report.rows;
  if (report.at_most) {
    all.insert(all.end(), report.needed.tried.begin(), report.needed.tried.end());
  }
  Json json{{"seeds", report.seeds},
            {"same_hash", report.alike},
            {"hash", report.alike ? "same" : report.hash},
            {"rows", hashed_rows(all)},
            {"at_most", nullptr},
            {"queue_pairs_needed", nullptr}};
  if (!report.at_most) return json;
  json["at_most"] = *report.at_most;
  if (report.needed.queue_pairs > 0) json["queue_pairs_needed"] = report.needed.queue_pairs;
  return json;
}

// "flows", or what a load of 1 is where speeds differ.
std::string unit(const ChannelSpeeds& speeds) {
  if (speeds.uniform()) return "flows";
  return fmt::format("flows on a channel of {:g} Gb/s", speeds.usual_gigabits());
}

}  // namespace

Json hashed_rows(const std::vector<HashedLoad>& loads) {
  return Json::list(loads, [&](const HashedLoad& one) -> Json {
    return {{"queue_pairs", one.queue_pairs},
            {"fullest", spread_json(one.max_load)},
            {"slowest", spread_json(one.slowest)},
            {"used", one.used},
            {"up_links", Json::list(one.unused,
                                    [](const UnusedUpLinks& level) {
                                      return Json{{"level", level.level},
                                                  {"links", level.links},
                                                  {"unused", level.mean},
                                                  {"unused_worst", level.worst}};
                                    })},
            {"worst_seed", one.worst_seed}};
  });
}

std::string load_text(const Model& model, const ScheduleLoad& load, const Participants& who,
                      const std::optional<HashedReport>& hashed, const AllPairs& pairs) {
  std::string text = among_line(who);
  const Fabric& fabric = model.fabric();
  const ChannelSpeeds& speeds = model.speeds();
  if (!speeds.uniform()) text += fmt::format("unit   {}\n", unit(speeds));
  const StageLoad& worst = load.stages[load.worst];
  if (load.stages.size() > 1) {
    text += fmt::format("{:>6} {:>8} {:>12} {:>12} {:>12}\n", "stage", "flows", "MLOAD", "OLOAD",
                        "PERF");
    constexpr std::size_t kShown = 40;
    for (std::size_t i = 0; i < load.stages.size() && i < kShown; ++i) {
      const StageLoad& stage = load.stages[i];
      text += fmt::format("{:>6} {:>8} {:>12} {:>12} {:>12}\n", i + 1, stage.flows,
                          stage.mload.to_string(),
                          (is_bound(stage) ? ">= " : "") + stage.oload.value.to_string(),
                          (is_bound(stage) ? "<= " : "") + stage.perf().to_string());
    }
    if (load.stages.size() > kShown) {
      text += fmt::format("and {} more (--json has all)\n", load.stages.size() - kShown);
    }
    text += fmt::format("\nworst: stage {} of {}\n", load.worst + 1, load.stages.size());
  }
  text += fmt::format("MLOAD  {}\n", fraction_text(worst.mload));
  text += fmt::format("OLOAD  {}{} ({}{})\n", is_bound(worst) ? "at least " : "",
                      fraction_text(worst.oload.value), kind_name(worst.oload.kind),
                      worst.oload.kind == OloadKind::kLinearProgram ? ", to 1e-8" : "");
  text +=
      fmt::format("PERF   {}{}\n", is_bound(worst) ? "at most " : "", fraction_text(worst.perf()));
  if (load.tables && *load.tables > worst.oload.value) {
    text += fmt::format("tables at least {}{}\n", fraction_text(*load.tables),
                        *load.tables == worst.mload ? ": none have less" : "");
  }
  text += '\n';
  text += fmt::format("{:<18} {:>9} {:>14} {:>10}\n", "channels", "number", "largest", "mean");
  for (const LevelLoad& level : load.levels) {
    text += fmt::format("{:<18} {:>9} {:>14} {:>10.4f}\n", level.name, level.channels,
                        level.max.to_string(), mean(level).value());
  }
  text += "\nmost loaded\n";
  for (const ChannelLoad& channel : load.channels) {
    text += fmt::format(
        "{:>14}  {} -> {}{}\n", channel.load.to_string(), port_name(fabric, channel.channel),
        port_name(fabric, fabric.peer(channel.channel)),
        speeds.uniform() ? "" : fmt::format(", {:g} Gb/s", gigabits(fabric.rate(channel.channel))));
  }
  const std::size_t most = std::max<std::size_t>(load.channels.size(), 1);
  for (const auto* report : {&pairs.asked, &pairs.compute}) {
    if (*report) text += pairs_text(model, **report, most);
  }
  if (const auto& jobs = pairs.compute_jobs ? pairs.compute_jobs : pairs.jobs) {
    text += jobs_text(model, *jobs);
  }
  if (hashed) text += hashed_text(*hashed);
  return text;
}

std::string load_json(const Model& model, const ScheduleLoad& load, const Participants& who,
                      const std::optional<HashedReport>& hashed, const AllPairs& pairs) {
  Json json = stage_json(load.stages[load.worst]);
  const Fabric& fabric = model.fabric();
  const ChannelSpeeds& speeds = model.speeds();
  json["among"] = among_json(who);
  json["unit"] = unit(speeds);
  json["stage"] = load.worst + 1;
  if (load.tables) add_fraction(json, "tables_at_least", *load.tables);
  json["stages"] =
      Json::list(load.stages, [&](const StageLoad& stage) { return stage_json(stage); });
  json["levels"] = Json::array();
  for (const LevelLoad& level : load.levels) {
    Json one{{"name", level.name}, {"channels", level.channels}};
    add_fraction(one, "max", level.max);
    add_fraction(one, "mean", mean(level));
    json["levels"].push_back(std::move(one));
  }
  json["channels"] = Json::array();
  for (const ChannelLoad& channel : load.channels) {
    Json one{{"channel", port_name(fabric, channel.channel)}};
    add_fraction(one, "load", channel.load);
    one["gigabits_per_second"] = gigabits(fabric.rate(channel.channel));
    json["channels"].push_back(std::move(one));
  }
  const std::size_t most = std::max<std::size_t>(load.channels.size(), 1);
  if (pairs.asked) add_pairs(json, model, *pairs.asked, most);
  if (pairs.asked) json["jobs"] = jobs_json(model, pairs.jobs);
  if (pairs.compute) {
    add_pairs(json["compute"], model, *pairs.compute, most);
    json["compute"]["jobs"] = jobs_json(model, pairs.compute_jobs);
  }
  if (hashed) json["hashed"] = hashed_json(*hashed);
  return document(std::move(json));
}

PlotPanel load_panel(const ScheduleLoad& load) {
  PlotLine line;
  for (const ChannelLoad& one : load.channels) {
    line.points.emplace_back(static_cast<double>(line.points.size() + 1), one.load.value());
  }
  return {.title = "Loads of channels, the largest first",
          .x_label = "channels",
          .y_label = "load",
          .lines = {std::move(line)}};
}

}  // namespace fatwood
