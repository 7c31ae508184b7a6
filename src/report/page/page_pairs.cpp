// SPDX-License-Identifier: BSD-3-Clause
// What pairs of hosts get, what limits them, and which missing cables would help, as the page has
// them.

#include <algorithm>
#include <map>

#include "report/load/pairs_report.hpp"
#include "report/page/page_json.hpp"
#include "routing/tables/path_source.hpp"
#include "topology/channel_speeds.hpp"
#include "topology/recognise/missing_cables.hpp"

namespace fatwood {

namespace {

constexpr std::size_t kMostBottlenecks = 50;
constexpr double kEvenCut = 1.02;

// Of each level and direction: [{"level", "crossing", "cuts", "above", "mean", "worst"}].
Json evenness_by_level(const Evenness& evenness) {
  struct Row {
    std::size_t cuts = 0, above = 0;
    double flows = 0, sum = 0, worst = 0;
  };
  std::map<std::pair<Level, CutDirection>, Row> rows;
  for (const CutLoad& cut : evenness.loads) {
    Row& row = rows[{evenness.cuts[cut.share.cut].level, cut.share.crossing}];
    ++row.cuts;
    if (cut.evenness() > kEvenCut) ++row.above;
    row.flows += cut.share.flows;
    row.sum += cut.share.flows * cut.evenness();
    row.worst = std::max(row.worst, cut.evenness());
  }
  Json json = Json::array();
  for (const auto& [key, row] : rows) {
    json.push_back({{"level", key.first},
                    {"crossing", key.second == CutDirection::kOut ? "out" : "in"},
                    {"cuts", row.cuts},
                    {"above", row.above},
                    {"mean", row.flows > 0 ? row.sum / row.flows : 1},
                    {"worst", row.worst}});
  }
  return json;
}

// What a missing cable is part of: the cut with the largest fair share that it would leave.
struct Lacking {
  const CableGap* cable;
  const TreeCut* cut;
  double now, then;  // at best with tables, of a port
};

double cut_capacity(const ChannelSpeeds& speeds, const TreeCut& cut) {
  double sum = 0;
  for (const Channel c : cut.links) sum += 1.0 / static_cast<double>(speeds.weight(c));
  return sum * static_cast<double>(speeds.weight_of_one());
}

Lacking lacking(const CableGap& missing, const std::vector<TreeCut>& cuts,
                const std::vector<CutShare>& shares, const ChannelSpeeds& speeds, double others) {
  Lacking found{&missing, nullptr, 0, 0};
  double most = 0;
  for (const CutShare& share : shares) {
    const TreeCut& cut = cuts[share.cut];
    if (share.tables.value() <= most || !std::ranges::binary_search(cut.switches, missing.below) ||
        std::ranges::binary_search(cut.switches, missing.above)) {
      continue;
    }
    most = share.tables.value();
    const double links = cut_capacity(speeds, cut);
    found.cut = &cut;
    found.now = std::min(1.0, others / most);
    found.then = std::min(
        1.0, others / share.fair.value() * (links + missing.usual - missing.there) / links);
  }
  return found;
}

}  // namespace

Json page_pairs(const Measured& measured, const EvaluatedEngine& engine) {
  const Model& model = measured.model();
  if (!engine.routing || !engine.routing->sets.empty() || model.adapters().size() < 2 ||
      engine.row.result->reachability.unreachable.terminal_terminal > 0) {
    return nullptr;
  }
  const auto paths = path_source(model, Routing(*engine.routing));
  const PairFigures report = measure_pairs(measured, *paths, 0);
  Json json;
  add_pairs(json, model, report, kMostBottlenecks);
  json["slots"] = Json::array();
  for (std::size_t i = 0; i < report.bottlenecks.size() && i < kMostBottlenecks; ++i) {
    Json slots = Json::array();
    for (const Channel c : report.bottlenecks[i].links) slots.push_back(index(c));
    json["slots"].push_back(std::move(slots));
  }
  json["levels"] = evenness_by_level(report.evenness);
  return json;
}

Json page_put_back(const Measured& measured, const Recognition& known) {
  const Model& model = measured.model();
  Json json = Json::array();
  const ChannelSpeeds& speeds = model.speeds();
  if (known.missing.empty() || model.adapters().size() < 2) return json;
  const std::vector<TreeCut> cuts = tree_cuts(model.fabric(), model.levels());
  const std::vector<CutShare> shares = all_to_all_shares(model, cuts, ports_of_all(model));
  const double others = static_cast<double>(model.adapters().size() - 1);
  std::vector<Lacking> list;
  for (const CableGap& missing : known.missing) {
    list.push_back(lacking(missing, cuts, shares, speeds, others));
  }
  std::erase_if(list, [](const Lacking& one) { return one.then <= one.now; });
  std::ranges::stable_sort(list, [](const Lacking& a, const Lacking& b) { return a.now < b.now; });
  for (const Lacking& one : list) {
    const FreePorts ports = where_missing(model.fabric(), known.blocks, *one.cable);
    Json below = Json::array();
    Json above = Json::array();
    for (const Channel c : ports.below) below.push_back(index(c));
    for (const Channel c : ports.above) above.push_back(index(c));
    json.push_back({{"below", index(one.cable->below)},
                    {"above", index(one.cable->above)},
                    {"cables", one.cable->usual - one.cable->there},
                    {"cut", cut_name(model.fabric(), *one.cut)},
                    {"now", one.now},
                    {"then", one.then},
                    {"ports_below", std::move(below)},
                    {"ports_above", std::move(above)}});
  }
  return json;
}

}  // namespace fatwood
