// SPDX-License-Identifier: BSD-3-Clause
// The cost of losses and the times of jobs, for Python.

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <optional>

#include "app/job.hpp"
#include "app/whatif.hpp"
#include "background.hpp"
#include "core/error.hpp"
#include "parameters.hpp"
#include "report/change/repair_report.hpp"
#include "report/change/whatif_report.hpp"
#include "report/jobs/job_report.hpp"
#include "values.hpp"

namespace fatwood::python {

namespace {

Printed whatif_printed(const FabricValue& fabric, const RoutingValue& value, const py::dict& words,
                       std::uint64_t seed, int threads, const py::object& report_progress) {
  WhatifQuestion question;
  FromKeywords set(words);
  describe(set, question);
  set.finish();
  return in_background(report_progress, [=](const Progress& progress) {
    const Model& model = *fabric.model;
    const Participants who = find_participants(model, question.among).who;
    const RouteOptions route{.lmc = value.routing->tables.lmc(), .threads = threads};
    if (!question.lose.empty()) {
      const LossStages answer = find_loss(model, *value.routing, question, who,
                                          find_host_order(model, question.host_order).order, route);
      return Printed{loss_json(answer.result),
                     loss_text(answer.result, answer.names, answer.engine)};
    }
    WhatifOptions options = whatif_options(who, *value.routing, question, route);
    options.seed = seed;
    options.progress = progress;
    const WhatifResult result = whatif(model, *value.routing, options);
    return Printed{whatif_json(model, result), whatif_text(model, result, question.top)};
  });
}

Printed job(const FabricValue& fabric, const Routes& routes, const py::dict& words,
            std::uint64_t seed, int threads, const py::object& report_progress) {
  JobQuestion question;
  FromKeywords set(words);
  describe(set, question);
  set(question.words.rate, {.name = "rate", .help = "of every cable, like 4xHDR"});
  set.finish();
  return in_background(report_progress, [=](const Progress& progress) {
    const Model& model = *fabric.model;
    JobOptions options = job_options(fabric, question);
    options.limits = true;
    options.seed = seed;
    options.progress = progress;
    const JobResult result = run_job(model, resolved(fabric, routes, seed, threads), options);
    const std::string name = name_of(routes);
    return Printed{job_json(model, name, result), job_text(model, name, result)};
  });
}

}  // namespace

void add_jobs(py::module_& module) {
  module.def("job", job);
  module.def("whatif", whatif_printed);
}

}  // namespace fatwood::python
