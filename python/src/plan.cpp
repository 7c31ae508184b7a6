// SPDX-License-Identifier: BSD-3-Clause
// Planning for Python: alternatives for a fabric, and a fabric compared with its plan.

#include "plan/task/plan.hpp"

#include <pybind11/stl.h>

#include <memory>
#include <optional>

#include "background.hpp"
#include "core/error.hpp"
#include "io/fabric/load_fabric.hpp"
#include "plan/formats/plan_words.hpp"
#include "plan/model/plan_fabric.hpp"
#include "plan/report/plan_report.hpp"
#include "report/fabric/diff_report.hpp"
#include "values.hpp"

namespace fatwood::python {

namespace {

struct PlanArguments : PlanWords {
  std::string figures = "small";
  std::string engine = "even";
  unsigned choose = 0;
  int threads = 0;
};

void check_arguments(const PlanArguments& words) {
  check_range("hosts", words.hosts, 1, kMostPlanHosts);
  check_range("rails", words.rails, 1, 64);
  check_range("adapter_ports", words.adapter_ports, 1, 8);
  check_range("rate", words.rate, 1, 10000);
  check_range("split", words.split, 1, 8);
  check_range("planes", words.planes, 0, 64);
  check_range("unit", words.unit, 0, kMostPlanHosts);
  check_range("pod", words.pod, 0, kMostPlanHosts);
  if (words.radix != 0) check_range("radix", words.radix, 2, 254);
  if (words.radix == 0 && (words.split != 1 || !words.spine_radix.empty())) {
    throw InputError("split and spine_radix need radix");
  }
}

Printed plan(const PlanArguments& words, const py::object& report_progress) {
  return in_background(report_progress, [=](const Progress& progress) {
    check_arguments(words);
    PlanOptions options{read_plan_words(words)};
    options.figures = figures_of(words.figures);
    options.choose = words.choose;
    options.figure = {words.engine, words.threads};
    options.progress = progress;
    const PlanResult result = plan_alternatives(options);
    return Printed{plan_json(options, result), plan_text(options, result)};
  });
}

// A file or formula, with other data of the file; or a value.
using Source = std::variant<std::string, FabricValue>;

struct Loaded {
  std::shared_ptr<const Model> model;
  RunData run;
  std::optional<Plan> plan;
};

Loaded loaded(const Source& source) {
  if (const auto* value = std::get_if<FabricValue>(&source)) return {value->model, {}, {}};
  LoadedFabric file = load_fabric(std::get<std::string>(source), {});
  Loaded result{nullptr, std::move(file.run), std::nullopt};
  if (file.plan) result.plan = *file.plan;
  result.model = std::make_shared<const Model>(std::move(file.fabric));
  return result;
}

Printed check_cabling(const Source& planned, const Source& built,
                      const std::optional<Source>& before) {
  return in_background(py::none(), [=](const Progress&) {
    const Loaded plan = loaded(planned), found = loaded(built);
    const Loaded then = before ? loaded(*before) : Loaded{};
    if (before && (then.run.counters.empty() || found.run.counters.empty())) {
      throw InputError("earlier: both runs need counters of ports (ibdiagnet with its pm file)");
    }
    DiffReport report;
    Plan wanted = plan.plan ? *plan.plan : plan_of(*plan.model, plan.run);
    if (before) {
      const EarlierRun earlier{*then.model, then.run};
      report.cabling = fatwood::check_cabling(std::move(wanted), *found.model, found.run, &earlier);
    } else {
      report.cabling = fatwood::check_cabling(std::move(wanted), *found.model, found.run);
    }
    report.fabric =
        plan.plan ? diff_fabrics(*plan.model, *found.model, report.cabling->cabling.match.found_of)
                  : diff_fabrics(*plan.model, *found.model);
    return Printed{diff_json(*plan.model, *found.model, report),
                   diff_text(*plan.model, *found.model, report)};
  });
}

}  // namespace

void add_plan(py::module_& module) {
  py::class_<PlanArguments> words(module, "PlanWords");
  words.def(py::init<>());
  const auto add = [&]<class Value>(const char* name, Value PlanWords::* field) {
    words.def_property(
        name, [=](const PlanArguments& of) { return of.*field; },
        [=](PlanArguments& of, Value value) { of.*field = std::move(value); });
  };
  for (const auto& [name, field] :
       {std::pair{"hosts", &PlanWords::hosts}, std::pair{"rails", &PlanWords::rails},
        std::pair{"adapter_ports", &PlanWords::adapter_ports}, std::pair{"rate", &PlanWords::rate},
        std::pair{"radix", &PlanWords::radix}, std::pair{"split", &PlanWords::split},
        std::pair{"unit", &PlanWords::unit}, std::pair{"pod", &PlanWords::pod},
        std::pair{"planes", &PlanWords::planes}}) {
    add(name, field);
  }
  for (const auto& [name, field] :
       {std::pair{"spine_radix", &PlanWords::spine_radix},
        std::pair{"oversubscription", &PlanWords::oversubscription},
        std::pair{"growth", &PlanWords::growth}, std::pair{"catalogue", &PlanWords::catalogue},
        std::pair{"prices", &PlanWords::prices}, std::pair{"layout", &PlanWords::layout},
        std::pair{"cables", &PlanWords::cables}}) {
    add(name, field);
  }
  add("reserve", &PlanWords::reserve);
  add("twin", &PlanWords::twin);
  add("unit_spine", &PlanWords::unit_spine);
  words.def_readwrite("figures", &PlanArguments::figures)
      .def_readwrite("engine", &PlanArguments::engine)
      .def_readwrite("choose", &PlanArguments::choose)
      .def_readwrite("threads", &PlanArguments::threads);
  module.def("plan", plan);
  module.def("check_cabling", check_cabling);
}

}  // namespace fatwood::python
