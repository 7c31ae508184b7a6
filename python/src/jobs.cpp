// SPDX-License-Identifier: BSD-3-Clause
// The cost of losses and the times of jobs, for Python.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <optional>

#include "background.hpp"
#include "core/error.hpp"
#include "io/lists/job_words.hpp"
#include "report/change/whatif_report.hpp"
#include "report/jobs/job_report.hpp"
#include "values.hpp"

namespace fatwood::python {

void check_range(const char* name, std::uint32_t value, std::uint32_t least, std::uint32_t most) {
  if (value >= least && value <= most) return;
  throw InputError(fmt::format("{} {}: expected {} to {}", name, value, least, most));
}

namespace {

constexpr std::size_t kTextRows = 10;  // of each table, as the command line has them

void check_word(const char* name, const std::string& word, const std::vector<std::string>& known) {
  if (std::find(known.begin(), known.end(), word) != known.end()) return;
  throw InputError(
      fmt::format("{} \"{}\": expected one of {}", name, word, fmt::join(known, ", ")));
}

Printed whatif_printed(const RoutingValue& value, const std::string& only, std::size_t sets,
                       std::size_t samples, std::size_t permutations, std::uint64_t seed,
                       int threads, const py::object& report_progress) {
  return in_background(report_progress, [=](const Progress& progress) {
    if (!only.empty()) check_word("only", only, {"cables", "switches"});
    if (sets > 0 && !only.empty()) throw InputError("give either sets or only");
    WhatifOptions options;
    options.losses = only.empty()       ? Losses::kAll
                     : only == "cables" ? Losses::kCables
                                        : Losses::kSwitches;
    options.set_size = sets;
    options.samples = samples;
    options.permutations = permutations;
    options.seed = seed;
    options.route.lmc = value.routing->tables.lmc();
    options.route.threads = threads;
    options.progress = progress;
    options.detailed = kTextRows;
    const WhatifResult result = whatif(*value.model, *value.routing, options);
    return Printed{whatif_json(*value.model, result), whatif_text(*value.model, result, kTextRows)};
  });
}

struct JobArguments {
  JobWords words;
  JobRequest request;
  bool hashed = false, flits = false;
  std::uint32_t queue_pairs = 1;
  std::optional<std::uint64_t> tries;
  std::uint64_t seed = 1;
  int threads = 0;
};

void check_arguments(const JobArguments& job) {
  constexpr std::uint32_t kMostRanks = 1U << 20;
  check_range("queue_pairs", job.queue_pairs, 1, 128);
  check_range("weight", job.request.weight, 1, 255);
  check_range("channels", job.request.nccl.channels, 0, 64);
  check_range("cross_nic", job.words.cross_nic, 0, 1);
  check_range("tensor", job.request.sizes.tensor, 1, kMostRanks);
  check_range("pipeline", job.request.sizes.pipeline, 1, kMostRanks);
  check_range("expert", job.request.sizes.expert, 1, kMostRanks);
  check_word("latency", job.words.latency, {"nccl", "none"});
  check_word("groups", job.words.groups, {"all", "data", "tensor", "pipeline", "expert"});
  if (job.queue_pairs != 1 && !job.hashed) throw InputError("queue_pairs needs hashed");
  if (!job.words.improve.empty()) {
    check_word("improve", job.words.improve, {"order", "placement", "both"});
  } else if (job.request.pick == 0 && (!job.words.free.empty() || job.tries)) {
    throw InputError("free and tries need improve or pick");
  }
}

Printed job(const FabricValue& fabric, const Routes& routes, const JobArguments& arguments,
            const py::object& report_progress) {
  return in_background(report_progress, [=](const Progress& progress) {
    check_arguments(arguments);
    const Model& model = *fabric.model;
    JobOptions options;
    options.limits = true;
    options.job = read_job(model, arguments.words, arguments.request);
    if (arguments.hashed) options.ports = PortChoice::kHashed;
    options.queue_pairs = arguments.queue_pairs;
    options.flits = arguments.flits;
    options.tries = arguments.tries.value_or(options.tries);
    options.seed = arguments.seed;
    options.progress = progress;
    const JobResult result =
        run_job(model, resolved(fabric, routes, arguments.seed, arguments.threads), options);
    const std::string name = name_of(routes);
    return Printed{job_json(model, name, result), job_text(model, name, result)};
  });
}

}  // namespace

void add_jobs(py::module_& module) {
  py::class_<JobArguments> words(module, "JobWords");
  words.def(py::init<>());
  const auto add = [&]<class Part, class Value>(const char* name, Part JobArguments::* part,
                                                Value Part::* field) {
    words.def_property(
        name, [=](const JobArguments& of) { return (of.*part).*field; },
        [=](JobArguments& of, Value value) { (of.*part).*field = std::move(value); });
  };
  const auto add_nested = [&]<class Part, class Value>(const char* name, Part JobRequest::* part,
                                                       Value Part::* field) {
    words.def_property(
        name, [=](const JobArguments& of) { return (of.request.*part).*field; },
        [=](JobArguments& of, Value value) { (of.request.*part).*field = value; });
  };
  for (const auto& [name, field] :
       {std::pair{"hosts", &JobWords::hosts}, std::pair{"message_size", &JobWords::message_size},
        std::pair{"trace", &JobWords::trace}, std::pair{"rate", &JobWords::rate},
        std::pair{"beside", &JobWords::other_jobs}, std::pair{"latency", &JobWords::latency},
        std::pair{"groups", &JobWords::groups}, std::pair{"improve", &JobWords::improve},
        std::pair{"free", &JobWords::free}}) {
    add(name, &JobArguments::words, field);
  }
  add("cross_nic", &JobArguments::words, &JobWords::cross_nic);
  add("no_pxn", &JobArguments::words, &JobWords::no_pxn);
  add("collective", &JobArguments::request, &JobRequest::collective);
  add("pick", &JobArguments::request, &JobRequest::pick);
  add("ranks_per_host", &JobArguments::request, &JobRequest::ranks);
  add("adapters", &JobArguments::request, &JobRequest::nics);
  add("weight", &JobArguments::request, &JobRequest::weight);
  add_nested("channels", &JobRequest::nccl, &NcclOptions::channels);
  add_nested("window", &JobRequest::nccl, &NcclOptions::window);
  add_nested("root", &JobRequest::nccl, &NcclOptions::root);
  add_nested("tensor", &JobRequest::sizes, &ParallelSizes::tensor);
  add_nested("data", &JobRequest::sizes, &ParallelSizes::data);
  add_nested("pipeline", &JobRequest::sizes, &ParallelSizes::pipeline);
  add_nested("expert", &JobRequest::sizes, &ParallelSizes::expert);
  words.def_readwrite("hashed", &JobArguments::hashed)
      .def_readwrite("flits", &JobArguments::flits)
      .def_readwrite("queue_pairs", &JobArguments::queue_pairs)
      .def_readwrite("tries", &JobArguments::tries)
      .def_readwrite("seed", &JobArguments::seed)
      .def_readwrite("threads", &JobArguments::threads);
  module.def("job", job);
  module.def("whatif", whatif_printed);
}

}  // namespace fatwood::python
