// SPDX-License-Identifier: BSD-3-Clause
// fatwood job FABRIC ROUTING --hosts LIST ...: what a job gets on this fabric.

#include "app/job.hpp"

#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "cli/options/add_options.hpp"
#include "cli/options/routing.hpp"
#include "cli/verb.hpp"
#include "core/bytes.hpp"
#include "io/base/output.hpp"
#include "io/lists/host_list.hpp"
#include "io/lists/job_list.hpp"
#include "report/jobs/job_report.hpp"
#include "topology/hosts/own_name.hpp"

namespace fatwood::cli {

namespace {

struct JobVerb {
  FabricRequest fabric;
  std::string routing;
  std::vector<std::string> engines;  // instead of a routing: to be compared
  JobQuestion job;
  std::string hostfile, rankfile, machinefile, slurm_hostfile;
};

// InputError if a host has no name that mpirun or Slurm could know.
void require_names(const Model& model, const std::vector<Host>& hosts) {
  for (const Host m : hosts) {
    if (has_own_name(model.hosts().hosts, m)) continue;
    throw InputError(
        fmt::format("{} is not the name of a host: its adapters have none. Name them "
                    "with --node-name-map, or leave the host out",
                    model.hosts().hosts.name(m)));
  }
}

void write_orders(const Model& model, const JobVerb& verb, const JobResult& result) {
  for (const auto& [path, kind] : {std::pair{&verb.hostfile, OrderFile::kHostfile},
                                   {&verb.rankfile, OrderFile::kRankfile},
                                   {&verb.machinefile, OrderFile::kMachinefile},
                                   {&verb.slurm_hostfile, OrderFile::kSlurmHostfile}}) {
    if (path->empty()) continue;
    require_names(model, result.hosts());
    write_output(*path, [&, kind = kind](std::ostream& out) {
      out << order_file(model, result.hosts(), result.ranks_per_host(), kind);
    });
  }
}

JobOptions options_of(const OpenFabric& fabric, const JobVerb& verb, const Session& session) {
  JobQuestion question = verb.job;
  // Of an Ethernet fabric it was the rate of cables whose speed is unknown.
  if (fabric.format != "ethernet") question.words.rate = verb.fabric.read.rate;
  JobOptions options = job_options(fabric, question);
  if (session.json && session.rank == 0) print_warnings(options.job.notes);  // text has them
  options.needs_order = !verb.hostfile.empty() || !verb.rankfile.empty() ||
                        !verb.machinefile.empty() || !verb.slurm_hostfile.empty();
  options.seed = session.seed;
  options.share = session.share;
  options.progress = terminal_progress("flits");
  return options;
}

void run_engines(const OpenFabric& fabric, const JobVerb& verb, Session& session) {
  const Model& model = *fabric.model;
  std::vector<std::string> names = verb.engines;
  if (names == std::vector<std::string>{"all"}) {
    names.clear();
    for (const Engine& engine : engines()) names.emplace_back(engine.name);
  }
  RouteOptions route;
  route.seed = session.seed;
  route.threads = session.threads;
  JobOptions options = options_of(fabric, verb, session);
  options.progress = terminal_progress("engines");
  const std::vector<EngineJob> rows = compare_job(model, names, route, options);
  if (std::isinf(rows.front().seconds())) session.status = 1;
  print(session, session.json ? job_engines_json(rows) : job_engines_text(rows));
}

void run_verb(const JobVerb& verb, Session& session) {
  const OpenFabric fabric = load(verb.fabric, session);
  const Model& model = *fabric.model;
  if (!verb.engines.empty()) return run_engines(fabric, verb, session);
  if (verb.routing.empty() && !has_tables(fabric)) {
    throw InputError("expected ROUTING, or --engines to compare several");
  }
  const OpenRouting routing =
      open(fabric, {.name = verb.routing}, session,
           {.wanted = Wanted::kPaths,
            .run_lanes = verb.job.flits ? RunLanes::kOnePerLevel : RunLanes::kIgnored});
  JobOptions options = options_of(fabric, verb, session);
  options.limits = true;
  const JobResult result = run_job(model, routing, options);
  const bool routed = result.study.unrouted.empty();
  if (!routed || (result.flits && result.flits->deadlock)) session.status = 1;
  if (routed && session.rank == 0) write_orders(model, verb, result);
  print(session, session.json ? job_json(model, routing.name, result)
                              : job_text(model, routing.name, result));
}

void add_orders(Verb& verb, JobVerb& arguments) {
  const Heading under(verb, "Better");
  verb.add_output("--hostfile", arguments.hostfile, output_form::kHostfile,
                  "write the order for Open MPI");
  verb.add_output("--rankfile", arguments.rankfile, output_form::kRankfile,
                  "write the order as Open MPI's rankfile");
  verb.add_output("--machinefile", arguments.machinefile, output_form::kMachinefile,
                  "write the order for MPICH");
  verb.add_output("--slurm-hostfile", arguments.slurm_hostfile, output_form::kHosts,
                  "write the order for SLURM_HOSTFILE (srun -m arbitrary)");
}

}  // namespace

void add_job(CommandLine& app, Session& session) {
  Verb* verb = app.add_verb("job", "predict what a job gets on this fabric");
  auto arguments = std::make_shared<JobVerb>();
  add_fabric(*verb, arguments->fabric);
  const Option* routing = add_routing(*verb, arguments->routing);
  Option* engines = verb->add_option("--engines", arguments->engines,
                                     "compare engines instead: all, or a list of names")
                        ->separated_by(',')
                        ->excludes(routing);
  AddOptions options(*verb);
  describe(options, arguments->job);
  for (const char* other : {"flits", "improve", "pick"}) engines->excludes(options[other]);
  add_orders(*verb, *arguments);
  add_common(*verb, session);
  verb->footer(
      "Example: fatwood job selene.txt ftree --hosts 'luna-[0001-0064]' --collective allreduce "
      "--message-size 1G");
  verb->callback(session, [arguments, &session] { run_verb(*arguments, session); });
}

}  // namespace fatwood::cli
