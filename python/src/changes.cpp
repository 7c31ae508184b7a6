// SPDX-License-Identifier: BSD-3-Clause
// Tables that follow a fabric as it changes, for Python: repair, diff, transition.

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <map>
#include <numeric>
#include <optional>
#include <unordered_map>

#include "app/among.hpp"
#include "app/compare_fabrics.hpp"
#include "app/host_order.hpp"
#include "background.hpp"
#include "core/error.hpp"
#include "report/change/repair_report.hpp"
#include "report/fabric/diff_report.hpp"
#include "routing/shortest/layers.hpp"
#include "routing/tables/destination_tree.hpp"
#include "routing/tables/lids.hpp"
#include "tasks/change/transition.hpp"
#include "tasks/recommend.hpp"
#include "values.hpp"

namespace fatwood::python {

namespace {

// Maps the switches and destinations of a fabric to another one: switches by GUID, terminals by
// node GUID and port. kNone: it is new.
struct Places {
  std::vector<Switch> switches;
  std::vector<Destination> destinations;
};

Places places_in(const Fabric& was, const ForwardingTables& tables, const Fabric& now) {
  std::unordered_map<std::uint64_t, Switch> switch_of;
  for (const Switch s : ids<Switch>(was.num_switches())) switch_of[was.guid(was.node(s))] = s;
  std::map<std::pair<std::uint64_t, Port>, Terminal> terminal_of;
  for (const Terminal t : ids<Terminal>(was.num_terminals())) {
    terminal_of[{was.guid(was.adapter_node(t)), was.port(was.terminal_channel(t))}] = t;
  }
  Places places;
  for (const Terminal t : ids<Terminal>(now.num_terminals())) {
    const auto at =
        terminal_of.find({now.guid(now.adapter_node(t)), now.port(now.terminal_channel(t))});
    for (std::uint32_t offset = 0; offset < (1U << tables.lmc()); ++offset) {
      places.destinations.push_back(
          at == terminal_of.end() ? kNone<Destination> : tables.destination(at->second, offset));
    }
  }
  for (const Switch s : ids<Switch>(now.num_switches())) {
    const auto at = switch_of.find(now.guid(now.node(s)));
    places.switches.push_back(at == switch_of.end() ? kNone<Switch> : at->second);
    places.destinations.push_back(at == switch_of.end() ? kNone<Destination>
                                                        : tables.destination(at->second));
  }
  return places;
}

}  // namespace

Routing carried(const RoutingValue& old, const Fabric& now) {
  const ForwardingTables& tables = old.routing->tables;
  if (tables.num_destinations() == 0) {
    throw InputError(old.routing->engine + " routes by pair: there are no tables to keep");
  }
  if (!old.routing->sets.empty()) {
    throw InputError(old.routing->engine + ": expected one port an entry, not adaptive tables");
  }
  const Lanes& lanes = old.routing->lanes;
  Routing all;
  if (old.model->fabric() == now) {
    all.tables = tables;
    all.lanes = lanes;
    return all;
  }
  const Places places = places_in(old.model->fabric(), tables, now);
  const std::size_t switches = now.num_switches();
  all.tables = ForwardingTables(now.num_terminals(), switches, tables.lmc());
  std::vector<std::uint8_t> lane(places.destinations.size() * switches);
  std::vector<std::uint32_t> row_of(places.destinations.size());
  std::iota(row_of.begin(), row_of.end(), 0U);
  for (std::size_t to = 0; to < places.destinations.size(); ++to) {
    const Destination from = places.destinations[to];
    const std::span<Port> row = all.tables.row(static_cast<Destination>(to));
    for (std::size_t s = 0; s < switches && from != kNone<Destination>; ++s) {
      if (places.switches[s] == kNone<Switch>) continue;
      row[s] = tables.at(from, places.switches[s]);
      lane[to * switches + s] = static_cast<std::uint8_t>(lanes.at(from, places.switches[s]));
    }
  }
  for (const Switch s : ids<Switch>(switches)) {
    all.tables.row(all.tables.destination(s))[index(s)] = kOwnPort;
  }
  if (!lanes.single()) all.lanes = pack_lanes(lanes.count, switches, lane, row_of);
  return all;
}

namespace {

py::tuple repair(const FabricValue& fabric, const RoutingValue& old, bool forced_only,
                 std::uint64_t spare_blocks, std::optional<std::uint64_t> blocks, unsigned lanes,
                 const std::string& engine, const std::string& among, const std::string& host_order,
                 int threads) {
  if (blocks && (forced_only || spare_blocks > 0)) {
    throw InputError("give one of blocks, spare_blocks and forced_only");
  }
  auto [printed, value] = in_background(py::none(), [=](const Progress&) {
    const Model& model = *fabric.model;
    const Routing before = carried(old, model.fabric());
    RepairResult result =
        fatwood::repair(model, before, assign_lids(model.fabric(), before.tables.lmc()),
                        {.rebalance = !forced_only,
                         .spare_blocks = spare_blocks,
                         .max_lanes = lanes,
                         .threads = threads},
                        {.blocks = blocks,
                         .engine = &find_engine(engine.empty() ? default_engine(model) : engine),
                         .who = find_participants(model, among).who,
                         .order = find_host_order(model, host_order).order});
    Printed report{repair_json(result), repair_text(result)};
    return std::pair(
        std::move(report),
        RoutingValue{
            fabric.model, std::make_shared<const Routing>(std::move(result.routing)), {}, {}});
  });
  return py::make_tuple(printed, value);
}

Printed diff(const FabricValue& before, const FabricValue& after,
             const std::optional<RoutingValue>& old, const std::optional<RoutingValue>& now,
             int threads) {
  return in_background(py::none(), [=](const Progress&) {
    ComparedFabrics compared = compare_fabrics(before, after, TakenAsPlan::kIfItIsOne);
    DiffReport report{std::move(compared.fabric), {}, std::move(compared.cabling)};
    if (old && now) {
      const Fabric& fabric = after.model->fabric();
      const ForwardingTables was = carried(*old, fabric).tables, is = carried(*now, fabric).tables;
      require_same_lmc(was, is);
      report.tables = table_changes(*after.model, was, is, assign_lids(fabric, is.lmc()), threads);
    }
    return Printed{diff_json(*before.model, *after.model, report),
                   diff_text(*before.model, *after.model, report)};
  });
}

Printed transition(const FabricValue& fabric, const RoutingValue& old, const RoutingValue& now,
                   int threads) {
  return in_background(py::none(), [=](const Progress&) {
    const Model& model = *fabric.model;
    const Routing was = carried(old, model.fabric());
    const Routing is = carried(now, model.fabric());
    const Lids lids = assign_lids(model.fabric(), is.tables.lmc());
    const Transition found = fatwood::transition(model, was, is, threads);
    return Printed{transition_json(model, is.tables, lids, found),
                   transition_text(model, is.tables, lids, found)};
  });
}

}  // namespace

void add_changes(py::module_& module) {
  module.def("repair", repair);
  module.def("diff", diff);
  module.def("transition", transition);
}

}  // namespace fatwood::python
