// SPDX-License-Identifier: BSD-3-Clause
// Proofs, loads, worst cases and comparisons for Python; the same as the verbs of the command line.

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <algorithm>

#include "app/load.hpp"
#include "app/permutations.hpp"
#include "app/questions.hpp"
#include "background.hpp"
#include "core/error.hpp"
#include "core/version.hpp"
#include "io/base/output.hpp"
#include "parameters.hpp"
#include "report/load/load_report.hpp"
#include "report/load/permutation_report.hpp"
#include "report/load/worst_report.hpp"
#include "report/page/page.hpp"
#include "report/proof/verify_report.hpp"
#include "report/route/compare_report.hpp"
#include "tasks/recommend.hpp"
#include "tasks/verify.hpp"
#include "tasks/worst.hpp"
#include "topology/hosts/participants.hpp"
#include "topology/hosts/roles.hpp"
#include "traffic/traffic.hpp"
#include "values.hpp"

namespace fatwood::python {

namespace {

Printed verify_routes(const FabricValue& of, const RoutingValue& value, bool terminals_only,
                      bool rechoose, const std::optional<RoutingValue>& old,
                      const std::string& certificate, int threads) {
  return in_background(py::none(), [=](const Progress&) {
    const Model& model = *value.model;
    const Fabric& fabric = model.fabric();
    const Routing& routing = *value.routing;
    std::optional<Routing> before;
    if (old) before = carried(*old, fabric);
    const Proof proof =
        prove(model, routing,
              {.verify = {.sources = terminals_only ? Sources::kTerminals : Sources::kAll,
                          .threads = threads,
                          .settings = &of.run.adaptive},
               .rechoose = rechoose,
               .old = before ? &*before : nullptr,
               .by_lane = old && old->lanes_known && value.lanes_known});
    if (!certificate.empty()) {
      if (!proof.deadlock_free()) {
        throw PromiseError("no certificate written: the routes can deadlock");
      }
      write_output(certificate,
                   [&](std::ostream& out) { write_certificate(out, fabric, routing, proof); });
    }
    std::optional<FromOld> from;
    if (before) {
      from.emplace(FromOld{model, assign_lids(fabric, routing.tables.lmc()), *proof.transition});
    }
    const FromOld* const change = from ? &*from : nullptr;
    return Printed{verify_json(fabric, routing, proof.verdict, value.contradictions, change),
                   verify_text(fabric, routing, proof.verdict, value.contradictions, change)};
  });
}

// Checks an output file before any work is done. `form`: tables, certificate or page.
void check_output(const std::string& option, const std::string& path, const std::string& form,
                  bool force) {
  Outputs outputs;
  outputs.add(option, path,
              form == "tables"        ? output_form::kTables
              : form == "certificate" ? output_form::kCertificate
                                      : output_form::kPage);
  outputs.check(force ? Foreign::kOverwritten : Foreign::kRefused);
}

// The flows of a traffic: sources, destinations, units, and the units in 1.
using Flows = std::tuple<std::vector<std::uint32_t>, std::vector<std::uint32_t>,
                         std::vector<std::int64_t>, std::int64_t>;

Flows flows_of(const Traffic& traffic) {
  Flows all;
  auto& [sources, destinations, units, one] = all;
  one = traffic.units_in_one;
  for (const Flow& flow : traffic.flows) {
    sources.push_back(index(flow.source));
    destinations.push_back(index(flow.destination));
    units.push_back(flow.units);
  }
  return all;
}

Traffic traffic_of(std::size_t hosts, const Flows& flows) {
  const auto& [sources, destinations, units, one] = flows;
  if (one < 1) throw InputError("a traffic's unit is a part of 1: expected 1 or more in one");
  Traffic traffic{.adapters = hosts, .units_in_one = one, .flows = {}};
  for (std::size_t i = 0; i < sources.size(); ++i) {
    if (sources[i] >= hosts || destinations[i] >= hosts) {
      throw InputError(fmt::format("flow {}: hosts are 0 to {}", i, hosts - 1));
    }
    if (units[i] < 1) throw InputError(fmt::format("flow {}: expected an amount above 0", i));
    if (sources[i] == destinations[i]) {
      throw InputError(fmt::format("flow {}: host {} sends to itself", i, sources[i]));
    }
    traffic.flows.push_back(
        {static_cast<Adapter>(sources[i]), static_cast<Adapter>(destinations[i]), units[i]});
  }
  return traffic;
}

// Makes traffic from the name of a pattern, or from flows.
using Pattern = std::variant<std::string, Flows>;

Schedule schedule_of(const Model& model, const Pattern& pattern, std::uint64_t seed) {
  if (const auto* const name = std::get_if<std::string>(&pattern)) {
    return make_traffic(*name, AdapterNames(model), seed);
  }
  const Traffic traffic = traffic_of(model.adapters().size(), std::get<Flows>(pattern));
  return {.name = "flows", .stages = 1, .stage = [traffic](std::size_t) { return traffic; }};
}

py::tuple find_worst_of(const FabricValue& fabric, const Routes& routes, const py::dict& words,
                        std::uint64_t seed, int threads, const py::object& report_progress) {
  WorstQuestion question;
  FromKeywords set(words);
  describe(set, question);
  set.finish();
  auto [printed, flows] = in_background(report_progress, [=](const Progress& progress) {
    const auto paths = paths_of(fabric, routes, seed, threads);
    const Measured measured(*fabric.model, *paths,
                            find_participants(*fabric.model, question.among).who);
    const Model& model = measured.model();
    const WorstReport report = find_worst(
        model, measured.paths(), name_of(routes),
        {.traffic = question.permutation ? TrafficClass::kPermutation : TrafficClass::kAny,
         .threads = threads,
         .progress = progress});
    return std::pair(Printed{worst_json(model, report, measured.who()),
                             worst_text(model, report, measured.who())},
                     flows_of(report.traffic));
  });
  auto& [sources, destinations, units, one] = flows;
  return py::make_tuple(printed, read_only(std::move(sources)), read_only(std::move(destinations)),
                        read_only(std::move(units)), one);
}

// With the units on each channel in the worst stage, and the units in 1.
py::tuple load_of(const FabricValue& fabric, const Routes& routes, const Pattern& pattern,
                  const py::dict& words, std::uint64_t seed, int threads,
                  const py::object& report_progress) {
  LoadQuestion question;
  FromKeywords set(words);
  describe(set, question);
  set.finish();
  const bool flows = std::holds_alternative<Flows>(pattern);
  if (!flows) question.traffic = std::get<std::string>(pattern);
  if (flows && question.among != "all") throw InputError("among is for patterns of traffic");
  auto [printed, units, one] = in_background(report_progress, [=](const Progress& progress) {
    const Model& all = *fabric.model;
    const auto paths = paths_of(fabric, routes, seed, threads, Entries::kAny);
    const Measured measured(all, *paths, find_participants(all, question.among).who);
    const Model& model = measured.model();
    const Schedule schedule = schedule_of(model, pattern, seed);
    const LoadAnswer answer = find_load(all, *paths, measured, schedule, question,
                                        {.seed = seed,
                                         .threads = threads,
                                         .progress = progress,
                                         .routing = name_of(routes),
                                         .order = find_host_order(all, question.host_order).order});
    const Participants& who = measured.who();
    const auto& [load, hashed, pairs] = answer;
    const LinkLoads loads =
        link_loads(model, measured.paths(), schedule.stage(load.worst), threads);
    return std::tuple(Printed{load_json(model, load, who, hashed, pairs),
                              load_text(model, load, who, hashed, pairs)},
                      std::vector<std::int64_t>(loads.units.begin(), loads.units.end()),
                      loads.units_in_one);
  });
  return py::make_tuple(printed, read_only(std::move(units)), one);
}

StudiedRouting studied(const FabricValue& fabric, const Routes& routes, int threads,
                       Entries entries) {
  const auto* const name = std::get_if<std::string>(&routes);
  const AlgebraicKind* const kind = name == nullptr ? nullptr : find_algebraic(*name);
  return {name_of(routes), kind != nullptr && kind->seeded,
          [=](std::uint64_t seed) { return paths_of(fabric, routes, seed, threads, entries); }};
}

Printed permutations_of(const FabricValue& fabric, const std::vector<Routes>& list,
                        const py::dict& words, std::uint64_t seed, int threads,
                        const py::object& report_progress) {
  PermutationQuestion question;
  FromKeywords set(words);
  describe(set, question);
  set.finish();
  return in_background(report_progress, [=](const Progress& progress) {
    const Model& model = *fabric.model;
    const Entries entries = question.rates ? Entries::kAny : Entries::kOnePort;
    std::vector<StudiedRouting> routings;
    for (const Routes& routes : list) routings.push_back(studied(fabric, routes, threads, entries));
    const auto [who, rows, shifts, rates, pattern] = find_permutations(
        model, find_participants(model, question.among).who, routings, question,
        [&](const std::string&) {
          return PermutationOptions{.seed = seed, .threads = threads, .progress = progress};
        });
    if (question.shifts) return Printed{shifts_json(who, shifts), shifts_text(who, shifts)};
    if (question.rates) {
      return Printed{rates_json(who, rates, pattern), rates_text(who, rates, pattern)};
    }
    return Printed{permutations_json(who, rows), permutations_text(who, rows)};
  });
}

std::vector<EvaluatedEngine> evaluated_engines(const FabricValue& fabric,
                                               const std::vector<Routes>& list,
                                               const CompareQuestion& question, std::uint64_t seed,
                                               int threads, const Progress& progress) {
  RouteOptions options;
  options.seed = seed;
  options.threads = threads;
  const Model& model = *fabric.model;
  const EngineEvaluator evaluator(model, find_participants(model, question.among).who,
                                  CountShifts::kYes, threads,
                                  find_host_order(model, question.host_order).order);
  std::vector<EvaluatedEngine> evaluated;
  for (const Routes& routes : list) {
    report(progress, static_cast<double>(evaluated.size()) / static_cast<double>(list.size()),
           name_of(routes));
    if (const auto* const name = std::get_if<std::string>(&routes)) {
      evaluated.push_back(evaluator.engine(find_engine(*name), options));
    } else {
      evaluated.push_back(
          evaluator.tables(name_of(routes), *std::get<RoutingValue>(routes).routing));
    }
  }
  return evaluated;
}

Printed compare(const FabricValue& fabric, const std::vector<Routes>& list, const py::dict& words,
                std::uint64_t seed, int threads, const py::object& report_progress) {
  CompareQuestion question;
  FromKeywords set(words);
  describe(set, question);
  set.finish();
  return in_background(report_progress, [=](const Progress& progress) {
    std::vector<EngineRow> rows;
    for (EvaluatedEngine& engine :
         evaluated_engines(fabric, list, question, seed, threads, progress)) {
      rows.push_back(std::move(engine.row));
    }
    rank_rows(rows);
    const Model& model = *fabric.model;
    const Comparison result =
        compared(find_participants(model, question.among).who, std::move(rows));
    return Printed{compare_json(model, result), compare_text(model, result)};
  });
}

std::string page(const FabricValue& fabric, const std::vector<Routes>& list,
                 const std::vector<std::string>& worst, const std::string& title,
                 std::uint64_t seed, int threads, const py::object& report_progress) {
  return in_background(report_progress, [=](const Progress& progress) {
    if (!has_page()) throw InputError("this fatwood was built without the page (nodejs and npm)");
    const Model& model = *fabric.model;
    PageContent content;
    content.title = title;
    content.command = "fatwood.report";
    content.version = std::string(version());
    content.show = show_report(model, fabric.format, fabric.warnings);
    content.who = default_participants(model);
    content.engines = evaluated_engines(fabric, list, {}, seed, threads, progress);
    for (const EvaluatedEngine& engine : content.engines) {
      if (!engine.routing || !engine.routing->sets.empty()) continue;
      if (std::ranges::count(worst, engine.row.name) == 0) continue;
      if (engine.row.result->reachability.unreachable.terminal_terminal > 0) continue;
      WorstOptions options;
      options.threads = threads;
      options.progress = progress;
      content.worst.push_back(
          find_worst(model, *path_source(model, *engine.routing), engine.row.name, options));
    }
    return page_html(model, content);
  });
}

}  // namespace

void add_analyses(py::module_& module) {
  module.def("verify", verify_routes);
  module.def("worst", find_worst_of);
  module.def("load", load_of);
  module.def("permutations", permutations_of);
  module.def("compare", compare);
  module.def("page", page);
  module.def("check_output", check_output);
  module.def("write",
             [](const std::string& path, const std::string& text) { write_output(path, text); });
  module.def("patterns", [] {
    std::vector<std::pair<std::string, std::string>> all;
    for (const fatwood::Pattern& pattern : patterns()) {
      all.emplace_back(std::string(pattern.usage), std::string(pattern.summary));
    }
    return all;
  });
}

}  // namespace fatwood::python
