// SPDX-License-Identifier: BSD-3-Clause
// An engine's routes, their proof or credit loop, and worst traffic, as the page has them.

#include <algorithm>

#include "report/page/packed.hpp"
#include "report/page/packed_tables.hpp"
#include "report/page/page_json.hpp"

namespace fatwood {

namespace {

constexpr std::size_t kMostEntries = 150'000'000;

std::int64_t end_number(const Endpoint& end) {
  return end.is_switch() ? -1 - std::int64_t{index(end.sw)} : std::int64_t{index(end.terminal)};
}

void add_tables(Json& json, const Fabric& fabric, const Routing& routing,
                std::span<const ForwardingTables* const> earlier, std::size_t bytes_left) {
  json["lmc"] = routing.tables.lmc();
  json["lanes"] = routing.lanes.count;
  json["tables"] = nullptr;
  if (routing.tables.num_destinations() == 0) {
    json["left_out"] = "it routes by pair of switches, which forwarding tables can't hold";
    return;
  }
  // However well they deflate, the browser has to hold and walk them.
  if (routing.tables.num_destinations() * routing.tables.num_switches() > kMostEntries) {
    json["left_out"] = "the tables are too large for a page";
    return;
  }
  Json groups = routing.sets.empty() ? Json() : page_groups(fabric, routing);
  const auto same = std::ranges::find_if(earlier, [&](const ForwardingTables* other) {
    return other != nullptr && *other == routing.tables;
  });
  PackedTables tables;
  if (same == earlier.end()) tables = pack_tables(routing.tables, earlier);
  if (tables.bytes.size() + groups.text().size() > bytes_left) {
    json["left_out"] = "the page is full; name fewer with --engines";
    return;
  }
  if (!groups.is_null()) json["groups"] = std::move(groups);
  if (same == earlier.end()) {
    json["tables"] = std::move(tables.bytes);
    json["by"] = tables.by;
    if (!tables.like.empty()) json["like"] = std::move(tables.like);
    if (tables.base != PackedTables::kNoBase) json["base"] = tables.base;
  } else {
    json["tables"] = same - earlier.begin();
  }
  if (!routing.lanes.lane.empty()) {
    json["lane_of"] = packed(routing.lanes.row_of);
    json["lane_bytes"] = packed(routing.lanes.lane);
  }
}

void add_proof(Json& json, const Deadlock& deadlock) {
  json["dependencies"] = Json::array();
  for (const LaneVerdict& lane : deadlock.lanes) json["dependencies"].push_back(lane.dependencies);
  json["orders"] = Json::array();
  json["cycle"] = nullptr;
  if (deadlock.free()) {
    for (const LaneVerdict& lane : deadlock.lanes) {
      std::vector<std::uint32_t> order;
      for (const Channel c : lane.order) order.push_back(index(c));
      json["orders"].push_back(packed(order));
    }
    return;
  }
  const std::size_t lane = deadlock.cyclic_lane();
  json["cycle"] = {{"lane", lane}, {"steps", Json::array()}};
  for (const Dependency& step : deadlock.lanes[lane].cycle) {
    json["cycle"]["steps"].push_back({{"channel", index(step.channel)},
                                      {"source", end_number(step.source)},
                                      {"destination", end_number(step.destination)},
                                      {"offset", step.offset}});
  }
}

}  // namespace

Json page_routes(const Model& model, const EvaluatedEngine& engine,
                 std::span<const ForwardingTables* const> earlier, std::size_t table_bytes_left) {
  const Fabric& fabric = model.fabric();
  const bool given = !is_engine(engine.row.name);
  Json json{{"name", engine.row.name}, {"given", given}};
  if (!engine.routing) return json;
  add_tables(json, fabric, *engine.routing, earlier, table_bytes_left);
  add_proof(json, engine.deadlock);
  json["hops"] = engine.row.result->hops.terminals.pairs;
  return json;
}

Json page_worst(const Model& model, const WorstReport& worst) {
  Json json = worst_object(model, worst);
  json["engine"] = worst.routing;
  json["why_bounds"] = worst.why_bounds;
  const Channel c = worst.exact ? worst.exact->channel : worst.bounds->channel;
  json["at"] = c == kNone<Channel> ? Json() : Json(index(c));
  json["load"] = (worst.exact ? worst.exact->load : worst.bounds->load).to_string();
  json["traffic"] = Json::array();
  for (const Flow& flow : worst.traffic.flows) {
    json["traffic"].push_back({index(model.adapters().terminals(flow.source).front()),
                               index(model.adapters().terminals(flow.destination).front()),
                               worst.traffic.amount(flow).value()});
  }
  return json;
}

}  // namespace fatwood
