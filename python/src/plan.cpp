// SPDX-License-Identifier: BSD-3-Clause
// Planning for Python: alternatives for a fabric, and a fabric compared with its plan.

#include "plan/task/plan.hpp"

#include <pybind11/stl.h>

#include <memory>
#include <optional>

#include "app/compare_fabrics.hpp"
#include "app/plan.hpp"
#include "background.hpp"
#include "core/error.hpp"
#include "parameters.hpp"
#include "plan/report/plan_report.hpp"
#include "report/fabric/diff_report.hpp"
#include "values.hpp"

namespace fatwood::python {

namespace {

Printed plan(const py::dict& words, int threads, const py::object& report_progress) {
  PlanQuestion question;
  FromKeywords set(words);
  describe(set, question);
  set.finish();
  return in_background(report_progress, [=](const Progress& progress) {
    PlanOptions options{read_plan_words(question)};
    options.figures = figures_of(question.figures);
    options.choose = question.choose;
    options.figure = {question.engine, threads};
    options.progress = progress;
    const PlanResult result = plan_alternatives(options);
    return Printed{plan_json(options, result), plan_text(options, result)};
  });
}

// A file or formula, or a value.
using Source = std::variant<std::string, FabricValue>;

Printed check_cabling(const Source& planned, const Source& built,
                      const std::optional<Source>& before) {
  return in_background(py::none(), [=](const Progress&) {
    const auto opened = [](const Source& source, const OpenFabric* first) {
      if (const auto* value = std::get_if<FabricValue>(&source)) return *value;
      const FabricRequest request{.name = std::get<std::string>(source)};
      return first == nullptr ? open_fabric(request) : open_other(*first, request);
    };
    const OpenFabric plan = opened(planned, nullptr), found = opened(built, &plan);
    std::optional<OpenFabric> earlier;
    if (before) earlier = opened(*before, nullptr);
    ComparedFabrics compared =
        compare_fabrics(plan, found, TakenAsPlan::kAlways, earlier ? &*earlier : nullptr);
    const DiffReport report{std::move(compared.fabric), {}, std::move(compared.cabling)};
    return Printed{diff_json(*plan.model, *found.model, report),
                   diff_text(*plan.model, *found.model, report)};
  });
}

}  // namespace

void add_plan(py::module_& module) {
  module.def("plan", plan);
  module.def("check_cabling", check_cabling);
}

}  // namespace fatwood::python
