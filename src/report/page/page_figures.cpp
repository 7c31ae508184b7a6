// SPDX-License-Identifier: BSD-3-Clause
// All-to-all of one population (all hosts, compute hosts, ..), as the page has it.

#include <algorithm>
#include <cmath>

#include "report/load/among_report.hpp"
#include "report/page/packed.hpp"
#include "report/page/page_json.hpp"
#include "topology/channel_speeds.hpp"
#include "topology/levels/tree_cuts.hpp"

namespace fatwood {

namespace {

constexpr std::size_t kCurvePoints = 201;

// What each channel carries, all to all, for routes that the page has no tables of.
std::string packed_flows(const ChannelUse& use) {
  const std::uint64_t unit = use.units_in_one;
  std::vector<std::uint32_t> flows;
  for (const std::uint64_t count : use.flows) {
    const std::uint64_t whole = (count + unit / 2) / unit;
    flows.push_back(static_cast<std::uint32_t>(std::min<std::uint64_t>(whole, 0xffffffffU)));
  }
  return packed(flows);
}

// Flows of the channels between switches, weighed by their speed, most first, at even steps from
// first to last.
Json load_curve(const Model& model, const ChannelUse& use) {
  const Fabric& fabric = model.fabric();
  const ChannelSpeeds& speeds = model.speeds();
  const double one =
      static_cast<double>(use.units_in_one) * static_cast<double>(speeds.weight_of_one());
  std::vector<std::int64_t> flows;
  for (const Channel c : ids<Channel>(fabric.num_channels())) {
    if (fabric.between_switches(c)) {
      flows.push_back(std::llround(static_cast<double>(use.flows[c]) *
                                   static_cast<double>(speeds.weight(c)) / one));
    }
  }
  std::ranges::sort(flows, std::greater<>());
  Json curve = Json::array();
  if (flows.empty()) return curve;
  for (std::size_t i = 0; i < kCurvePoints; ++i) {
    curve.push_back(flows[i * (flows.size() - 1) / (kCurvePoints - 1)]);
  }
  return curve;
}

void add_pair_rates(Json& json, const Model& model, const PairRates& rates) {
  const double usual = model.speeds().usual_gigabits();
  const auto add = [&](const std::string& name, const Fraction& rate) {
    json[name + "_gbps"] = usual == 0 ? Json() : Json(rate.value() * usual);
    json[name + "_share"] = rate.value();
  };
  add("worst", rates.worst);
  add("p1", rates.p1);
  add("median", rates.median);
}

// By channel, in thousandths: the least that the most loaded link of its cut can carry with tables,
// weighed by speed; the most of several cuts; 0: in no cut.
std::vector<std::uint32_t> least_loads(const Model& model) {
  const Fabric& fabric = model.fabric();
  std::vector<std::uint32_t> least(fabric.num_channels(), 0);
  if (!model.levels().is_tree() || model.adapters().size() < 2) return least;
  const std::vector<TreeCut> cuts = tree_cuts(fabric, model.levels());
  for (const CutShare& share : all_to_all_shares(model, cuts, ports_of_all(model))) {
    const auto thousandths = static_cast<std::uint32_t>(std::lround(1000 * share.tables.value()));
    for (const Channel link : cuts[share.cut].links) {
      const Channel c = share.crossing == CutDirection::kOut ? link : fabric.peer(link);
      least[index(c)] = std::max(least[index(c)], thousandths);
    }
  }
  return least;
}

}  // namespace

Json page_population(const Model& model, const Measured& measured) {
  const Participants& who = measured.who();
  Json json = among_json(who);
  json["text"] = describe(who);
  std::vector<std::uint8_t> takes_part(model.fabric().num_terminals(), 0);
  for (const Adapter adapter : who.adapters) {
    for (const Terminal t : model.adapters().terminals(adapter)) takes_part[index(t)] = 1;
  }
  json["terminals"] = packed(takes_part);
  json["least"] = packed(least_loads(measured.model()));
  return json;
}

Json page_figures(const Measured& measured, const EvaluatedEngine& engine, bool has_tables) {
  const Model& model = measured.model();
  const bool all = measured.who().among == "all";
  const ChannelUse use = all ? engine.use : find_channel_use(model, *engine.routing);
  Json json;
  json["largest"] = spread_of_flows(model, use).largest.value();
  json["curve"] = load_curve(model, use);
  add_pair_rates(json, model, all ? engine.row.result->all_rates : engine.row.result->rates);
  // Where switches choose, flows are split evenly: that is counted already.
  if (!has_tables || !engine.routing->sets.empty()) json["flows"] = packed_flows(use);
  json["pairs"] = page_pairs(measured, engine);
  return json;
}

Json page_flows(const Measured& measured, const Routing& routing) {
  return {{"flows", packed_flows(find_channel_use(measured.model(), routing))}, {"pairs", nullptr}};
}

}  // namespace fatwood
