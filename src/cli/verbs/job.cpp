// SPDX-License-Identifier: BSD-3-Clause
// fatwood job FABRIC ROUTING --hosts LIST ...: what a job gets on this fabric.

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "cli/options/job_better.hpp"
#include "cli/options/job_flits.hpp"
#include "cli/options/job_options.hpp"
#include "cli/options/routing_choice.hpp"
#include "cli/verb.hpp"
#include "core/bytes.hpp"
#include "io/base/output.hpp"
#include "io/lists/host_list.hpp"
#include "io/lists/hostlist.hpp"
#include "io/lists/job_list.hpp"
#include "report/jobs/job_report.hpp"

namespace fatwood::cli {
namespace {

struct JobArguments {
  FabricArgument fabric;
  std::string routing;
  JobChoice job;
  bool flits = false;
  bool hashed = false;
  std::uint32_t queue_pairs = 1;
  std::string improve;  // order, placement or both; "": nothing
  std::string free;     // hosts that a placement may take
  std::optional<std::uint64_t> tries;
  std::string candidates;  // a file of placements to score
  std::string hostfile, rankfile, machinefile, slurm_hostfile;
};

// Other hosts for the same job, as many as it has.
std::vector<JobReport::Scored> score(const Model& model, const JobArguments& arguments,
                                     JobScorer& scorer, const std::vector<ReportedJob>& jobs,
                                     const Session& session) {
  const std::size_t count = jobs[0].hosts.hosts.size();
  std::vector<JobReport::Scored> scored;
  std::vector<std::vector<Host>> places;
  Input input(arguments.candidates);
  for (const ListedJob& listed : read_job_list(input)) {
    const std::vector<Host> hosts = find_hosts_named(model.fabric(), model.hosts().hosts,
                                                     listed.hosts, listed.where, Repeats::kRefused);
    if (hosts.size() != count) {
      throw InputError(listed.where, fmt::format("{} hosts; the job has {}", hosts.size(), count));
    }
    check_free(model, jobs, hosts, listed.where);
    scored.push_back({listed.name, host_list(model, hosts), 0});
    places.push_back(hosts);
  }
  const auto seconds = [&](std::size_t i) {
    return scorer.seconds(place_hosts(model, places[i], jobs[0].hosts.nics).at);
  };
  if (session.share) {
    const auto results = session.share.each(
        places.size(), 1, [&](std::size_t i, int) { return to_bytes(seconds(i)); });
    for (std::size_t i = 0; i < places.size(); ++i) {
      scored[i].seconds = from_bytes<double>(results[i]);
    }
  } else {
    for (std::size_t i = 0; i < places.size(); ++i) scored[i].seconds = seconds(i);
  }
  std::stable_sort(scored.begin(), scored.end(),
                   [](const auto& a, const auto& b) { return a.seconds < b.seconds; });
  return scored;
}

void write_orders(const Model& model, const JobArguments& arguments, const std::vector<Host>& hosts,
                  std::uint32_t ranks) {
  for (const auto& [path, kind] : {std::pair{&arguments.hostfile, OrderFile::kHostfile},
                                   {&arguments.rankfile, OrderFile::kRankfile},
                                   {&arguments.machinefile, OrderFile::kMachinefile},
                                   {&arguments.slurm_hostfile, OrderFile::kSlurmHostfile}}) {
    if (path->empty()) continue;
    write_output(*path, [&, kind = kind](std::ostream& out) {
      out << order_file(model, hosts, ranks, kind);
    });
  }
}

JobReport::FlitTimes flit_times(const sim::FlitRun& run, const std::vector<PlacedJob>& jobs) {
  JobReport::FlitTimes times{run.seconds, run.deadlock.has_value(), run.counters.flit_hops};
  for (std::size_t j = 0; j < jobs.size(); ++j) times.seconds[j] += jobs[j].added_seconds;
  return times;
}

void check_usage(const JobArguments& arguments) {
  if (arguments.hashed && arguments.flits) {
    throw InputError("--hashed and --flits: the simulator's switches choose by load");
  }
  if (arguments.flits && arguments.job.weight != 1) {
    throw InputError("--weight and --flits: the simulator's arbiters have no weights");
  }
}

bool wants_order(const JobArguments& arguments) {
  return !arguments.improve.empty() || !arguments.candidates.empty() ||
         !arguments.hostfile.empty() || !arguments.rankfile.empty() ||
         !arguments.machinefile.empty() || !arguments.slurm_hostfile.empty();
}

void run_job(const JobArguments& arguments, Session& session) {
  check_usage(arguments);
  const Model model = load(arguments.fabric, session);
  const ResolvedRouting routing =
      find_routing(model, arguments.routing, session, Prefer::kClosedForm, Several::kTaken);
  const auto paths = paths_of(model, routing);
  // With one path for each pair there is nothing to choose.
  const bool choosing = paths->adaptive() != nullptr || paths->units_in_one() > 1;
  FlowLinks links(model, *paths,
                  arguments.hashed && choosing ? PortChoice::kHashed : PortChoice::kEven,
                  session.seed, arguments.queue_pairs);
  ChosenJobs chosen = choose_jobs(model, arguments.job);
  const std::vector<Host> given = chosen.reported[0].hosts.hosts;
  JobReport report;
  report.routing = arguments.routing;
  report.notes = std::move(chosen.notes);
  report.study = study_jobs(model.fabric(), links, chosen.capacity, chosen.placed);
  report.jobs = std::move(chosen.reported);
  const bool movable = chosen.placed[0].at.size() == given.size() * report.jobs[0].hosts.nics &&
                       !given.empty() && report.jobs[0].ranks % given.size() == 0;
  if (!movable && wants_order(arguments)) {
    throw InputError({.file = arguments.job.trace},
                     "the trace names its hosts: they have no order to improve or to write");
  }
  const std::size_t ranks = given.empty() ? 0 : report.jobs[0].ranks / given.size();
  if (report.study.unrouted.empty()) {
    if (arguments.flits) {
      report.flits = flit_times(run_flits(model, routing, chosen.capacity, chosen.placed, session),
                                chosen.placed);
      if (report.flits->deadlock) session.status = 1;
    }
    JobScorer scorer(model.fabric(), links, chosen.capacity, chosen.placed);
    if (!arguments.improve.empty()) {
      report.improved = improve_job(model, scorer, report.jobs, arguments.improve, arguments.free,
                                    {session.seed, arguments.tries.value_or(ImproveOptions{}.tries),
                                     report.jobs[0].hosts.nics, session.share});
      report.order = host_list(model, report.improved->hosts);
      report.nccl_line =
          nccl_line(model, report.improved->hosts, static_cast<std::uint32_t>(ranks));
    }
    if (!arguments.candidates.empty()) {
      report.candidates = score(model, arguments, scorer, report.jobs, session);
    }
    if (session.rank == 0) {
      write_orders(model, arguments, report.improved ? report.improved->hosts : given,
                   static_cast<std::uint32_t>(ranks));
    }
  } else {
    session.status = 1;
  }
  print(session, session.json ? job_json(model, report) : job_text(model, report));
}

}  // namespace

void add_job(CommandLine& app, Session& session) {
  Verb* verb = app.add_verb("job", "predict what a job gets on this fabric");
  auto arguments = std::make_shared<JobArguments>();
  add_fabric(*verb, arguments->fabric);
  verb->add_option("ROUTING", arguments->routing, routing_help())->required();
  add_job_choice(*verb, arguments->job);
  verb->add_flag("--flits", arguments->flits,
                 "simulate it flit by flit as well, next to fair rates");
  const Option* hashed =
      verb->add_flag("--hashed", arguments->hashed,
                     "a hash of each queue pair chooses ports or paths, not the load");
  verb->add_option("--queue-pairs", arguments->queue_pairs,
                   "with --hashed: queue pairs of a connection")
      ->range(1U, 128U)
      ->show_default()
      ->needs(hashed);
  constexpr auto kBetter = "Better";
  const Option* improve = verb->add_option("--improve", arguments->improve,
                                           "look for a better order, placement or both")
                              ->one_of({"order", "placement", "both"})
                              ->group(kBetter);
  verb->add_option("--free", arguments->free, "hosts that a better placement may take as well")
      ->needs(improve)
      ->group(kBetter);
  verb->add_option("--tries", arguments->tries, "tries of local search (default: 400)")
      ->needs(improve)
      ->group(kBetter);
  verb->add_option("--candidates", arguments->candidates,
                   "score other placements: a file of lines NAME HOSTLIST")
      ->group(kBetter);
  verb->add_output("--hostfile", arguments->hostfile, output_form::kHostfile,
                   "write the order for Open MPI")
      ->group(kBetter);
  verb->add_output("--rankfile", arguments->rankfile, output_form::kRankfile,
                   "write the order as Open MPI's rankfile")
      ->group(kBetter);
  verb->add_output("--machinefile", arguments->machinefile, output_form::kMachinefile,
                   "write the order for MPICH")
      ->group(kBetter);
  verb->add_output("--slurm-hostfile", arguments->slurm_hostfile, output_form::kHosts,
                   "write the order for SLURM_HOSTFILE (srun -m arbitrary)")
      ->group(kBetter);
  add_threads(*verb, session);
  add_seed(*verb, session);
  add_json(*verb, session);
  verb->footer(
      "Example: fatwood job selene.txt ftree --hosts 'luna-[0001-0064]' --collective allreduce "
      "--message-size 1G");
  verb->callback(session, [arguments, &session] { run_job(*arguments, session); });
}

}  // namespace fatwood::cli
