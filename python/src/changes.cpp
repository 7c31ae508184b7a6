// SPDX-License-Identifier: BSD-3-Clause
// Tables that follow a fabric as it changes, for Python: repair, diff, transition.

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <map>
#include <optional>
#include <unordered_map>

#include "analysis/load/all_to_all.hpp"
#include "apart.hpp"
#include "core/error.hpp"
#include "report/change/repair_report.hpp"
#include "report/fabric/diff_report.hpp"
#include "routing/tables/lids.hpp"
#include "values.hpp"
#include "verify/deadlock/deadlock.hpp"
#include "verify/further_routes.hpp"
#include "verify/reach/reachability.hpp"
#include "verify/transition.hpp"

namespace fatwood::python {

namespace {

// The old tables as the switches and terminals of another fabric have them: the same switch has the
// same GUID, the same terminal the same node GUID and port. What is new has no entries.
ForwardingTables carried(const RoutingValue& old, const Fabric& now) {
  const ForwardingTables& tables = old.routing->tables;
  if (tables.num_targets() == 0) {
    throw InputError(old.routing->engine + " routes by pair: there are no tables to keep");
  }
  if (!old.routing->sets.empty()) {
    throw InputError(old.routing->engine + ": expected one port an entry, not adaptive tables");
  }
  const Fabric& was = old.model->fabric();
  if (was == now) return tables;
  std::unordered_map<std::uint64_t, Switch> switch_of;
  for (const Switch s : ids<Switch>(was.num_switches())) switch_of[was.guid(was.node(s))] = s;
  std::map<std::pair<std::uint64_t, Port>, Terminal> terminal_of;
  for (const Terminal t : ids<Terminal>(was.num_terminals())) {
    terminal_of[{was.guid(was.adapter(t)), was.port(was.terminal_channel(t))}] = t;
  }
  ForwardingTables all(now.num_terminals(), now.num_switches(), tables.lmc());
  const auto carry = [&](Target from, Target to) {
    for (const Switch s : ids<Switch>(now.num_switches())) {
      const auto at = switch_of.find(now.guid(now.node(s)));
      if (at != switch_of.end()) all.row(to)[index(s)] = tables.at(from, at->second);
    }
  };
  for (const Terminal t : ids<Terminal>(now.num_terminals())) {
    const auto at = terminal_of.find({now.guid(now.adapter(t)), now.port(now.terminal_channel(t))});
    if (at == terminal_of.end()) continue;
    for (std::uint32_t offset = 0; offset < (1U << tables.lmc()); ++offset) {
      carry(tables.target(at->second, offset), all.target(t, offset));
    }
  }
  for (const Switch s : ids<Switch>(now.num_switches())) {
    const auto at = switch_of.find(now.guid(now.node(s)));
    if (at != switch_of.end()) carry(tables.target(at->second), all.target(s));
    all.row(all.target(s))[index(s)] = kOwnPort;
  }
  return all;
}

void require_same_lmc(const ForwardingTables& old, const ForwardingTables& now) {
  if (old.lmc() == now.lmc()) return;
  throw InputError(
      fmt::format("expected tables of LMC {}, as before, found {}", old.lmc(), now.lmc()));
}

py::tuple repair(const FabricValue& fabric, const RoutingValue& old, int threads) {
  auto [printed, value] = apart(py::none(), [=](const Progress&) {
    const Model& model = *fabric.model;
    const ForwardingTables before = carried(old, model.fabric());
    const Repaired by_levels = keep_what_can_stay(model, before, threads);
    Repaired repaired = with_further_routes(model, before, by_levels, threads);
    const std::uint64_t least = least_changes(model, before, by_levels, repaired);
    Routing routing;
    routing.engine = "repair";
    routing.tables = std::move(repaired.tables);
    std::vector<TableEntry> forced = repaired.forced;
    forced.insert(forced.end(), repaired.dropped.begin(), repaired.dropped.end());
    const Lids lids = assign_lids(model.fabric(), before.lmc());
    const Reachability reach = find_reachability(model.fabric(), routing, threads);
    RepairReport report;
    report.changes = table_changes(model, before, routing.tables, lids, threads);
    report.entries_forced = forced.size();
    report.entries_least = least;
    report.blocks_forced = blocks_of(forced, before, lids);
    report.entries_dropped = repaired.dropped.size();
    report.mload = all_to_all_load(model, routing, threads).mload;
    report.mload_forced = report.mload;
    report.transition = find_transition(model, before, routing.tables, threads).safety;
    report.unreachable = reach.unreachable;
    report.loops = reach.loops;
    report.deadlock_free = find_deadlock(model.fabric(), routing, Sources::kAll, threads).free();
    return std::pair(
        Printed{repair_json(report), repair_text(report)},
        RoutingValue{fabric.model, std::make_shared<const Routing>(std::move(routing)), {}, {}});
  });
  return py::make_tuple(printed, value);
}

Printed diff(const FabricValue& before, const FabricValue& after,
             const std::optional<RoutingValue>& old, const std::optional<RoutingValue>& now,
             int threads) {
  return apart(py::none(), [=](const Progress&) {
    DiffReport report{diff_fabrics(*before.model, *after.model), {}};
    if (old && now) {
      const Fabric& fabric = after.model->fabric();
      const ForwardingTables was = carried(*old, fabric), is = carried(*now, fabric);
      require_same_lmc(was, is);
      report.tables = table_changes(*after.model, was, is, assign_lids(fabric, is.lmc()), threads);
    }
    return Printed{diff_json(*before.model, *after.model, report),
                   diff_text(*before.model, *after.model, report)};
  });
}

Printed transition(const FabricValue& fabric, const RoutingValue& old, const RoutingValue& now,
                   int threads) {
  return apart(py::none(), [=](const Progress&) {
    const Model& model = *fabric.model;
    const ForwardingTables was = carried(old, model.fabric()), is = carried(now, model.fabric());
    require_same_lmc(was, is);
    const Lids lids = assign_lids(model.fabric(), is.lmc());
    const Transition found = find_transition(model, was, is, threads);
    return Printed{transition_json(model, is, lids, found),
                   transition_text(model, is, lids, found)};
  });
}

}  // namespace

void add_changes(py::module_& module) {
  module.def("repair", repair);
  module.def("diff", diff);
  module.def("transition", transition);
}

}  // namespace fatwood::python
