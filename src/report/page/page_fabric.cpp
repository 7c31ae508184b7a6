// SPDX-License-Identifier: BSD-3-Clause
// The fabric as the page has it.

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "report/page/packed.hpp"
#include "report/page/page_json.hpp"
#include "topology/channel_speeds.hpp"

namespace fatwood {

namespace {

std::string packed_text(const std::string& text) {
  return packed(std::span(reinterpret_cast<const std::uint8_t*>(text.data()), text.size()));
}

void add_names(Json& json, const Fabric& fabric) {
  const Labels labels(fabric);
  std::string names;
  std::string guids;
  for (const Node node : ids<Node>(fabric.num_nodes())) {
    std::string name = labels(node);
    std::ranges::replace(name, '\n', ' ');
    names += name + '\n';
    guids += fmt::format("{:#x}\n", fabric.guid(node));
  }
  json["adapters"] = fabric.num_adapters();
  json["names"] = packed_text(names);
  json["guids"] = packed_text(guids);
}

void add_cables(Json& json, const Fabric& fabric) {
  std::vector<std::uint8_t> ports;
  for (const Node node : ids<Node>(fabric.num_nodes())) {
    ports.push_back(static_cast<std::uint8_t>(fabric.ports(node)));
  }
  std::vector<std::uint32_t> peer;
  std::vector<std::uint8_t> rates;
  std::map<std::string, std::uint8_t> known{{"", 0}};
  std::vector<std::string> rate_names{""};
  std::vector<double> rate_gigabits{0};
  for (const Channel c : ids<Channel>(fabric.num_channels())) {
    peer.push_back(index(fabric.peer(c)));
    const std::string rate = fabric.connected(c) ? to_string(fabric.rate(c)) : "";
    const auto [at, added] = known.emplace(rate, static_cast<std::uint8_t>(known.size()));
    if (added) {
      rate_names.push_back(rate);
      rate_gigabits.push_back(gigabits(fabric.rate(c)));
    }
    rates.push_back(at->second);
  }
  json["ports"] = packed(ports);
  json["peer"] = packed(peer);
  json["rate_names"] = rate_names;
  json["rate_gigabits"] = rate_gigabits;
  json["usual_gigabits"] = ChannelSpeeds(fabric).usual_gigabits();
  json["rates"] = packed(rates);
}

void add_ends(Json& json, const Model& model) {
  const Fabric& fabric = model.fabric();
  const Levels& levels = model.levels();
  std::vector<std::uint8_t> counts;
  std::vector<std::uint32_t> channels;
  std::vector<std::uint8_t> roles;
  std::vector<std::uint32_t> lids;
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
    channels.push_back(index(fabric.terminal_channel(t)));
    roles.push_back(static_cast<std::uint8_t>(levels.role[t]));
    lids.push_back(index(fabric.address(t).lid));
    counts.push_back(model.adapters().sends(t) ? 1 : 0);
  }
  std::vector<std::uint8_t> level;
  for (const Switch s : ids<Switch>(fabric.num_switches())) {
    level.push_back(static_cast<std::uint8_t>(std::min<Level>(levels.level[s], 255)));
    lids.push_back(index(fabric.address(s).lid));
  }
  json["terminals"] = packed(channels);
  json["counts"] = packed(counts);
  json["roles"] = packed(roles);
  json["levels"] = packed(level);
  json["lids"] = packed(lids);
  json["level_names"] = Json::array();
  for (Level l = 1; l <= levels.height; ++l) json["level_names"].push_back(level_name(levels, l));
}

Json numbers(const std::vector<Switch>& switches) {
  Json json = Json::array();
  for (const Switch s : switches) json.push_back(index(s));
  return json;
}

void add_regularity(Json& json, const Recognition& known) {
  json["blocks"] = Json::array();
  for (const TreeBlock& block : known.blocks.block) {
    json["blocks"].push_back({{"level", block.level},
                              {"below", numbers(block.below)},
                              {"above", numbers(block.above)},
                              {"beside", numbers(block.aside)},
                              {"cables", block.cables},
                              {"regular", block.regular()}});
  }
  json["missing"] = Json::array();
  for (const CableGap& gap : known.missing) {
    json["missing"].push_back({index(gap.below), index(gap.above), gap.there, gap.usual});
  }
}

void add_findings(Json& json, const Fabric& fabric, const ShowReport& show) {
  json["odd"] = Json::array();
  for (const ReportedFinding& finding : reported_findings(fabric, show)) {
    Json one{
        {"title", row_of(finding.kind).title}, {"ports", Json::array()}, {"nodes", Json::array()}};
    for (const Channel c : finding.ports) one["ports"].push_back(index(c));
    for (const Node node : finding.nodes) one["nodes"].push_back(index(node));
    json["odd"].push_back(std::move(one));
  }
}

}  // namespace

Json page_fabric(const Model& model, const ShowReport& show) {
  const Fabric& fabric = model.fabric();
  Json json;
  add_names(json, fabric);
  add_cables(json, fabric);
  add_ends(json, model);
  add_regularity(json, show.known);
  add_findings(json, fabric, show);
  return json;
}

}  // namespace fatwood
