// SPDX-License-Identifier: BSD-3-Clause
// What losses cost and what jobs get, for Python.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <optional>

#include "analysis/jobs/job.hpp"
#include "apart.hpp"
#include "cli/options/job_better.hpp"
#include "cli/options/job_choice.hpp"
#include "core/error.hpp"
#include "report/change/whatif_report.hpp"
#include "report/jobs/job_report.hpp"
#include "values.hpp"

namespace fatwood::python {

namespace {

constexpr std::size_t kTextRows = 10;  // of each table, as the command line has them

void check_range(const char* name, std::uint32_t value, std::uint32_t least, std::uint32_t most) {
  if (value >= least && value <= most) return;
  throw InputError(fmt::format("{} {}: expected {} to {}", name, value, least, most));
}
void check_word(const char* name, const std::string& word, const std::vector<std::string>& known) {
  if (std::find(known.begin(), known.end(), word) != known.end()) return;
  throw InputError(
      fmt::format("{} \"{}\": expected one of {}", name, word, fmt::join(known, ", ")));
}

Printed whatif_printed(const RoutingValue& value, const std::string& only, std::size_t sets,
                       std::size_t samples, std::size_t permutations, std::uint64_t seed,
                       int threads, const py::object& tell) {
  return apart(tell, [=](const Progress& progress) {
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
    const WhatifResult result = whatif(*value.model, *value.routing, options);
    return Printed{whatif_json(*value.model, result), whatif_text(*value.model, result, kTextRows)};
  });
}

struct JobWords : cli::JobChoice {
  bool hashed = false;
  std::uint32_t queue_pairs = 1;
  std::string improve, free;
  std::optional<std::uint64_t> tries;
  std::uint64_t seed = 1;
  int threads = 0;
};

void check_words(const JobWords& words) {
  constexpr std::uint32_t kMostRanks = 1U << 20;
  check_range("queue_pairs", words.queue_pairs, 1, 128);
  check_range("weight", words.weight, 1, 255);
  check_range("channels", words.channels, 0, 64);
  check_range("cross_nic", words.cross_nic, 0, 1);
  check_range("tensor", words.tensor, 1, kMostRanks);
  check_range("pipeline", words.pipeline, 1, kMostRanks);
  check_range("expert", words.expert, 1, kMostRanks);
  check_word("latency", words.latency, {"nccl", "none"});
  check_word("groups", words.groups, {"all", "data", "tensor", "pipeline", "expert"});
  if (words.queue_pairs != 1 && !words.hashed) throw InputError("queue_pairs needs hashed");
  if (!words.improve.empty()) {
    check_word("improve", words.improve, {"order", "placement", "both"});
  } else if (!words.free.empty() || words.tries) {
    throw InputError("free and tries need improve");
  }
}

Printed job(const FabricValue& fabric, const Routes& routes, const JobWords& words,
            const py::object& tell) {
  return apart(tell, [=](const Progress&) {
    check_words(words);
    const Model& model = *fabric.model;
    const auto paths = paths_of(fabric, routes, words.seed, words.threads, Entries::kAny);
    // With one path for each pair there is nothing to choose.
    const bool choosing = paths->adaptive() != nullptr || paths->units_in_one() > 1;
    FlowLinks links(*fabric.model, *paths,
                    words.hashed && choosing ? PortChoice::kHashed : PortChoice::kEven, words.seed,
                    words.queue_pairs);
    cli::ChosenJobs chosen = cli::choose_jobs(model, words);
    JobReport report;
    report.routing = name_of(routes);
    report.notes = std::move(chosen.notes);
    report.study = study_jobs(model.fabric(), links, chosen.capacity, chosen.placed);
    report.jobs = std::move(chosen.reported);
    if (!words.improve.empty() && report.study.unrouted.empty()) {
      const PlacedHosts& hosts = report.jobs[0].hosts;
      if (hosts.hosts.empty() || report.jobs[0].ranks % hosts.hosts.size() != 0 ||
          chosen.placed[0].at.size() != hosts.hosts.size() * hosts.nics) {
        throw InputError({.file = words.trace},
                         "the trace names its hosts: they have no order to improve");
      }
      const auto ranks = static_cast<std::uint32_t>(report.jobs[0].ranks / hosts.hosts.size());
      JobScorer scorer(model.fabric(), links, chosen.capacity, chosen.placed);
      report.improved = cli::improve_job(
          model, scorer, report.jobs, words.improve, words.free,
          {words.seed, words.tries.value_or(ImproveOptions{}.tries), hosts.nics, {}});
      report.order = cli::host_list(model, report.improved->hosts);
      report.nccl_line = nccl_line(model, report.improved->hosts, ranks);
    }
    return Printed{job_json(model, report), job_text(model, report)};
  });
}

}  // namespace

void add_jobs(py::module_& module) {
  py::class_<JobWords>(module, "JobWords")
      .def(py::init<>())
      .def_readwrite("hosts", &JobWords::hosts)
      .def_readwrite("collective", &JobWords::collective)
      .def_readwrite("message_size", &JobWords::message_size)
      .def_readwrite("trace", &JobWords::trace)
      .def_readwrite("ranks_per_host", &JobWords::ranks)
      .def_readwrite("adapters", &JobWords::nics)
      .def_readwrite("rate", &JobWords::rate)
      .def_readwrite("beside", &JobWords::beside)
      .def_readwrite("weight", &JobWords::weight)
      .def_readwrite("channels", &JobWords::channels)
      .def_readwrite("cross_nic", &JobWords::cross_nic)
      .def_readwrite("no_pxn", &JobWords::no_pxn)
      .def_readwrite("window", &JobWords::window)
      .def_readwrite("root", &JobWords::root)
      .def_readwrite("latency", &JobWords::latency)
      .def_readwrite("groups", &JobWords::groups)
      .def_readwrite("tensor", &JobWords::tensor)
      .def_readwrite("data", &JobWords::data)
      .def_readwrite("pipeline", &JobWords::pipeline)
      .def_readwrite("expert", &JobWords::expert)
      .def_readwrite("hashed", &JobWords::hashed)
      .def_readwrite("queue_pairs", &JobWords::queue_pairs)
      .def_readwrite("improve", &JobWords::improve)
      .def_readwrite("free", &JobWords::free)
      .def_readwrite("tries", &JobWords::tries)
      .def_readwrite("seed", &JobWords::seed)
      .def_readwrite("threads", &JobWords::threads);
  module.def("job", job);
  module.def("whatif", whatif_printed);
}

}  // namespace fatwood::python
