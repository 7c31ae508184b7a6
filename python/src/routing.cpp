// SPDX-License-Identifier: BSD-3-Clause
// Routings for Python: from an engine, a file, or an array.

#include "routing/tables/routing.hpp"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <cstring>

#include "app/open_routing.hpp"
#include "background.hpp"
#include "core/error.hpp"
#include "io/tables/routing_files.hpp"
#include "parameters.hpp"
#include "report/route/route_report.hpp"
#include "routing/engine.hpp"
#include "routing/resolve.hpp"
#include "values.hpp"

namespace fatwood::python {

namespace {

RoutingValue value_of(const FabricValue& fabric, OpenRouting open) {
  RoutingValue value{fabric.model,
                     std::make_shared<const Routing>(std::move(open.routing)),
                     std::move(open.choice),
                     std::move(open.warnings),
                     std::move(open.contradictions),
                     open.lanes_known};
  if (!open.note.empty()) value.warnings.insert(value.warnings.begin(), std::move(open.note));
  return value;
}

RoutingValue route_by(const FabricValue& fabric, const std::string& name, const py::dict& words,
                      std::uint64_t seed, int threads, const py::object& report_progress) {
  RoutingRequest request{.name = name, .seed = seed, .threads = threads};
  FromKeywords set(words);
  describe(set, request.engine);
  set.finish();
  if (!names_engine(name)) {
    throw InputError(name + " is not an engine: a file of tables is opened by Routing.load");
  }
  return in_background(report_progress, [=](const Progress& progress) mutable {
    request.progress = progress;
    return value_of(fabric, open_routing(fabric, request));
  });
}

RoutingValue load(const FabricValue& fabric, const std::string& path, const std::string& sl,
                  const std::string& sl2vl) {
  return in_background(py::none(), [=](const Progress&) {
    return value_of(fabric,
                    open_routing(fabric, {.name = path, .lanes = {.sl = sl, .sl2vl = sl2vl}}));
  });
}

using Bytes = py::array_t<std::uint8_t, py::array::c_style>;

unsigned lmc_of(const Fabric& fabric, py::ssize_t rows, py::ssize_t columns) {
  const std::size_t terminals = fabric.num_terminals(), switches = fabric.num_switches();
  const auto destinations = static_cast<std::size_t>(rows);
  if (static_cast<std::size_t>(columns) == switches) {
    for (unsigned lmc = 0; lmc <= 7; ++lmc) {
      if (destinations == (terminals << lmc) + switches) return lmc;
    }
  }
  throw InputError(fmt::format(
      "tables of shape ({}, {}): expected ({}, {}), a row for each of {} terminals and {} switches "
      "(or 2^lmc rows a terminal) with the port of each switch",
      rows, columns, terminals + switches, switches, terminals, switches));
}

// An entry is a port of its switch, 255 for none, or 0 if the switch is the destination.
void check_entry(const Fabric& fabric, const ForwardingTables& tables, Destination destination,
                 Switch s) {
  const Port port = tables.at(destination, s);
  const bool own = tables.is_switch(destination) && tables.as_switch(destination) == s;
  const bool exists = port != kOwnPort && index(port) <= fabric.ports(fabric.node(s));
  if (own ? port == kOwnPort : port == kNoRoute || exists) return;
  throw InputError(
      fmt::format("tables[{}, {}] is {}: expected {}", index(destination), index(s), index(port),
                  own ? std::string("0, as the switch is its own target")
                      : fmt::format("a port of {}, 1 to {}, or 255 for none",
                                    unique_name(fabric, s), fabric.ports(fabric.node(s)))));
}

RoutingValue from_array(const FabricValue& fabric, const Bytes& array, const std::string& name) {
  if (array.ndim() != 2) {
    throw InputError(fmt::format("tables have two dimensions, not {}", array.ndim()));
  }
  const Fabric& of = fabric.model->fabric();
  const unsigned lmc = lmc_of(of, array.shape(0), array.shape(1));
  Routing routing;
  routing.engine = name;
  routing.tables = ForwardingTables::unfilled(of.num_terminals(), of.num_switches(), lmc);
  ForwardingTables& tables = routing.tables;
  for (const Destination destination : ids<Destination>(tables.num_destinations())) {
    std::memcpy(tables.row(destination).data(),
                array.data(static_cast<py::ssize_t>(index(destination)), 0), of.num_switches());
    for (const Switch s : ids<Switch>(of.num_switches())) check_entry(of, tables, destination, s);
  }
  return {fabric.model, std::make_shared<const Routing>(std::move(routing)), {}, {}};
}

py::array_t<std::uint8_t> tables_of(const py::object& self) {
  const ForwardingTables& tables = self.cast<const RoutingValue&>().routing->tables;
  const std::size_t destinations = tables.num_destinations();
  const std::uint8_t* const data = bytes_of(tables.entries()).data();
  return read_only(
      data,
      {static_cast<py::ssize_t>(destinations), static_cast<py::ssize_t>(tables.num_switches())},
      self);
}

// [destination][switch], like the tables.
py::array_t<std::uint8_t> levels_of(const RoutingValue& value) {
  const Routing& routing = *value.routing;
  const std::size_t destinations = routing.tables.num_destinations(),
                    n = routing.tables.num_switches();
  std::vector<std::uint8_t> all(destinations * n);
  for (const Destination destination : ids<Destination>(destinations)) {
    for (const Switch s : ids<Switch>(n)) {
      all[std::size_t{index(destination)} * n + index(s)] =
          static_cast<std::uint8_t>(routing.lanes.at(destination, s));
    }
  }
  const py::array_t<std::uint8_t> flat = read_only(std::move(all));
  return read_only(flat.data(),
                   {static_cast<py::ssize_t>(destinations), static_cast<py::ssize_t>(n)}, flat);
}

std::vector<int> ports_of(const RoutingValue& value, std::uint32_t destination, std::uint32_t s) {
  const ForwardingTables& tables = value.routing->tables;
  if (destination >= tables.num_destinations() || s >= tables.num_switches()) {
    throw InputError("no such target or switch");
  }
  const auto ports =
      value.routing->ports(static_cast<Switch>(s), static_cast<Destination>(destination));
  const auto numbers = bytes_of(ports);
  return {numbers.begin(), numbers.end()};
}

void check_host(const PathSource& paths, std::uint32_t host) {
  if (host >= paths.num_adapters()) throw InputError("no such host");
}

// The channels of each path of a pair.
std::vector<std::vector<std::uint32_t>> paths_between(const FabricValue& fabric,
                                                      const Routes& routes, std::uint32_t source,
                                                      std::uint32_t destination) {
  const auto paths = paths_of(fabric, routes, 1, 0);
  check_host(*paths, source);
  check_host(*paths, destination);
  std::vector<std::vector<std::uint32_t>> all;
  if (source == destination) return all;
  const PathList list =
      paths->paths(static_cast<Adapter>(source), static_cast<Adapter>(destination));
  for (std::size_t i = 0; i < list.size(); ++i) {
    all.emplace_back();
    for (const Channel c : list[i]) all.back().push_back(index(c));
  }
  return all;
}

Printed summary(const RoutingValue& value, int threads) {
  return in_background(py::none(), [=](const Progress&) {
    const RouteFigures figures = route_figures(*value.model, *value.routing, threads);
    return Printed{route_json(figures, 0, {}), route_text(figures, 0, {})};
  });
}

std::vector<py::dict> engine_rows() {
  std::vector<py::dict> rows;
  for (const Engine& engine : engines()) {
    py::dict row;
    row["name"] = std::string(engine.name);
    row["summary"] = std::string(engine.summary);
    row["needs"] = std::string(engine.needs);
    row["deadlock_free"] = engine.has(Engine::kDeadlockFree);
    row["lmc"] = engine.has(Engine::kLmc);
    rows.push_back(row);
  }
  return rows;
}

}  // namespace

ResolvedRouting resolved(const FabricValue& fabric, const Routes& routes, std::uint64_t seed,
                         int threads) {
  if (const auto* const value = std::get_if<RoutingValue>(&routes)) {
    return {nullptr, *value->routing, {}, value->choice};
  }
  return open_routing(fabric,
                      {.name = std::get<std::string>(routes), .seed = seed, .threads = threads},
                      {.wanted = Wanted::kPaths, .run_lanes = RunLanes::kIgnored});
}

std::shared_ptr<const PathSource> paths_of(const FabricValue& fabric, const Routes& routes,
                                           std::uint64_t seed, int threads, Entries entries) {
  std::shared_ptr<const PathSource> paths =
      fatwood::paths_of(*fabric.model, resolved(fabric, routes, seed, threads));
  if (entries == Entries::kOnePort && paths->adaptive() != nullptr) {
    throw InputError(name_of(routes) + ": adaptive tables have no list of paths");
  }
  return paths;
}

std::string name_of(const Routes& routes) {
  if (const auto* const name = std::get_if<std::string>(&routes)) return *name;
  return std::get<RoutingValue>(routes).routing->engine;
}

void add_routing(py::module_& module) {
  py::class_<RoutingValue>(module, "Routing")
      .def_property_readonly("engine", [](const RoutingValue& v) { return v.routing->engine; })
      .def_property_readonly("lmc", [](const RoutingValue& v) { return v.routing->tables.lmc(); })
      .def_property_readonly("num_lanes",
                             [](const RoutingValue& v) { return v.routing->lanes.count; })
      .def_property_readonly("adaptive",
                             [](const RoutingValue& v) { return !v.routing->sets.empty(); })
      .def_readonly("warnings", &RoutingValue::warnings)
      .def("levels", levels_of)
      .def("ports", ports_of)
      .def("of_same_fabric",
           [](const RoutingValue& v, const FabricValue& f) {
             return v.model == f.model || v.model->fabric() == f.model->fabric();
           })
      .def("save", [](const RoutingValue& v, const std::string& path) {
        if (v.routing->tables.num_destinations() == 0) {
          throw PromiseError(v.routing->engine + " routes by pair: there are no tables to write");
        }
        save_tables(path, v.model->fabric(), v.routing->tables);
      });
  module.def("tables", tables_of);
  module.def("route", route_by);
  module.def("load_tables", load);
  module.def("routing_from_array", from_array);
  module.def("paths", paths_between);
  module.def("summary", summary);
  module.def("engines", engine_rows);
}

}  // namespace fatwood::python
