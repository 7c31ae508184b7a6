// SPDX-License-Identifier: BSD-3-Clause
// fatwood job FABRIC ROUTING --hosts LIST ...: what a job gets on this fabric.

#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "cli/options/among.hpp"
#include "cli/options/routing.hpp"
#include "cli/verb.hpp"
#include "core/bytes.hpp"
#include "io/base/output.hpp"
#include "io/lists/host_list.hpp"
#include "io/lists/job_list.hpp"
#include "io/lists/job_words.hpp"
#include "report/jobs/job_report.hpp"
#include "topology/hosts/own_name.hpp"
#include "traffic/collectives/collective_list.hpp"

namespace fatwood::cli {

namespace {

struct JobArguments {
  JobWords words;
  JobRequest request;
};

std::string collective_help() {
  std::string text = "what it does:";
  for (const CollectiveRow& row : collectives()) text += fmt::format(" {}", row.name);
  return text + "; without ':', the first of its kind (default: allreduce)";
}

void add_job_options(Verb& verb, JobArguments& job) {
  verb.add_option(
      "--hosts", job.words.hosts,
      "the job's hosts in rank order: a host list like 'n[01-64]', @FILE (lists, or a "
      "rankfile, hostfile or machinefile), or all; those not in the fabric are left out");
  verb.add_option("--collective", job.request.collective, collective_help());
  verb.add_option("--message-size", job.words.message_size,
                  "bytes, with k, M or G, counted as nccl-tests does (default: 1G)");
  verb.add_option("--trace", job.words.trace,
                  "run a trace instead: GOAL, Chakra, a log of NCCL, or lines \"time source "
                  "destination bytes\"");
  verb.add_option("--ranks-per-host", job.request.ranks,
                  "processes or GPUs of each host (0: one for each adapter)");
  verb.add_option("--adapters", job.request.nics, "adapters to use of each host (0: all)");
  verb.add_option("--beside", job.words.other_jobs,
                  "other jobs: lines NAME HOSTLIST [COLLECTIVE [SIZE [WEIGHT]]], or what squeue or "
                  "scontrol print");
  verb.add_option("--weight", job.request.weight,
                  "of the job's flows where they share a cable with those of other jobs")
      ->range(1U, 255U);
  const Heading nccl(verb, "NCCL");
  verb.add_option("--channels", job.request.nccl.channels, "channels (0: two per adapter)")
      ->range(0, 64);
  verb.add_option("--cross-nic", job.words.cross_nic,
                  "1: rings leave by another adapter than they "
                  "come in by")
      ->range(0, 1);
  verb.add_flag("--no-pxn", job.words.no_pxn, "send-receive without forwarding inside the host");
  verb.add_option("--window", job.request.nccl.window,
                  "hosts that an all-to-all has in work (0: all)");
  verb.add_option("--root", job.request.nccl.root, "root of a broadcast or reduce");
  verb.add_option("--latency", job.words.latency, "nccl: add what NCCL's tuning expects; none")
      ->one_of({"nccl", "none"});
  const Heading parallel(verb, "Parallel groups");
  verb.add_option("--groups", job.words.groups,
                  "run the collective in all groups of a kind at once: data, tensor, pipeline, "
                  "expert; or several kinds, like tensor=allreduce@64M,data=allreduce@1G");
  verb.add_option("--tensor", job.request.sizes.tensor, "ranks of a tensor-parallel group")
      ->range(1U, 1U << 20);
  verb.add_option("--data", job.request.sizes.data,
                  "ranks of a data-parallel group (0: what is left)");
  verb.add_option("--pipeline", job.request.sizes.pipeline, "ranks of a pipeline")
      ->range(1U, 1U << 20);
  verb.add_option("--expert", job.request.sizes.expert, "ranks of an expert-parallel group")
      ->range(1U, 1U << 20);
}

struct JobVerb {
  FabricRequest fabric;
  std::string routing;
  std::vector<std::string> engines;  // instead of a routing: to be compared
  JobArguments job;
  std::string among = {};
  bool flits = false;
  bool hashed = false;
  std::uint32_t queue_pairs = 1;
  std::uint64_t tries = ImproveOptions{}.tries;
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

// "all" hosts are those of --among.
void keep_among(const OpenFabric& fabric, const std::string& among, std::vector<Host>& hosts) {
  const Model& model = *fabric.model;
  const Participants who = participants(fabric, among);
  const Hosts& all = model.hosts().hosts;
  Table<Host, std::uint8_t> takes_part(all.size());
  for (const Adapter a : who.adapters) {
    const Host host = all.of(model.adapters().node(model.fabric(), a));
    if (host != kNone<Host>) takes_part[host] = 1;
  }
  std::erase_if(hosts, [&](Host host) { return takes_part[host] == 0; });
}

JobOptions options_of(const OpenFabric& fabric, const JobVerb& verb, const Session& session) {
  JobOptions options;
  JobWords given = verb.job.words;
  // Of an Ethernet fabric it was the rate of cables whose speed is unknown.
  if (fabric.format != "ethernet") given.rate = verb.fabric.read.rate;
  options.job = read_job(*fabric.model, given, verb.job.request);
  if (!verb.among.empty()) {
    const JobWords& words = verb.job.words;
    const bool all_free = words.free == "all" || (verb.job.request.pick != 0 && words.free.empty());
    if (words.hosts != "all" && !all_free) {
      throw InputError("--among says who \"all\" hosts are: it needs --hosts all or --free all");
    }
    if (words.hosts == "all") keep_among(fabric, verb.among, options.job.hosts);
    if (all_free) keep_among(fabric, verb.among, options.job.free);
  }
  if (session.json && session.rank == 0) print_warnings(options.job.notes);  // text has them
  if (verb.hashed) options.ports = PortChoice::kHashed;
  options.queue_pairs = verb.queue_pairs;
  options.flits = verb.flits;
  options.tries = verb.tries;
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
            .run_lanes = verb.flits ? RunLanes::kOnePerLevel : RunLanes::kIgnored});
  JobOptions options = options_of(fabric, verb, session);
  options.limits = true;
  const JobResult result = run_job(model, routing, options);
  const bool routed = result.study.unrouted.empty();
  if (!routed || (result.flits && result.flits->deadlock)) session.status = 1;
  if (routed && session.rank == 0) write_orders(model, verb, result);
  print(session, session.json ? job_json(model, routing.name, result)
                              : job_text(model, routing.name, result));
}

void add_better(Verb& verb, JobVerb& arguments, Option* engines) {
  const Heading under(verb, "Better");
  const Option* improve = verb.add_option("--improve", arguments.job.words.improve,
                                          "look for a better order, placement or both")
                              ->one_of({"order", "placement", "both"});
  const Option* pick = verb.add_option("--pick", arguments.job.request.pick,
                                       "choose so many of the hosts of --free for the job")
                           ->range(1U, 1U << 20);
  verb.add_option("--free", arguments.job.words.free,
                  "hosts that a better placement or --pick may take; all: those of no other job "
                  "(default of --pick)")
      ->needs_any({improve, pick});
  verb.add_option("--tries", arguments.tries, "tries of local search")->needs_any({improve, pick});
  verb.add_option("--candidates", arguments.job.words.candidates,
                  "score other placements: a file of lines NAME HOSTLIST");
  verb.add_output("--hostfile", arguments.hostfile, output_form::kHostfile,
                  "write the order for Open MPI");
  verb.add_output("--rankfile", arguments.rankfile, output_form::kRankfile,
                  "write the order as Open MPI's rankfile");
  verb.add_output("--machinefile", arguments.machinefile, output_form::kMachinefile,
                  "write the order for MPICH");
  verb.add_output("--slurm-hostfile", arguments.slurm_hostfile, output_form::kHosts,
                  "write the order for SLURM_HOSTFILE (srun -m arbitrary)");
  engines->excludes(improve)->excludes(pick);
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
  add_job_options(*verb, arguments->job);
  verb->add_option("--among", arguments->among,
                   "who all hosts are: compute, storage, service, or a file of hosts (default: "
                   "those in units of rails, otherwise all)");
  engines->excludes(verb->add_flag("--flits", arguments->flits,
                                   "simulate it flit by flit as well, next to fair rates"));
  const Option* hashed =
      verb->add_flag("--hashed", arguments->hashed,
                     "a hash of each queue pair chooses ports or paths, not the load");
  verb->add_option("--queue-pairs", arguments->queue_pairs,
                   "with --hashed: queue pairs of a connection")
      ->range(1U, 128U)
      ->needs(hashed);
  add_better(*verb, *arguments, engines);
  add_common(*verb, session);
  verb->footer(
      "Example: fatwood job selene.txt ftree --hosts 'luna-[0001-0064]' --collective allreduce "
      "--message-size 1G");
  verb->callback(session, [arguments, &session] { run_verb(*arguments, session); });
}

}  // namespace fatwood::cli
