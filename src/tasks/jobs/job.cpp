// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/jobs/job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "core/share_out.hpp"
#include "sim/workload/program_run.hpp"
#include "tasks/jobs/job_setup.hpp"
#include "tasks/jobs/limiting_hosts.hpp"
#include "tasks/simulate.hpp"
#include "verify/deadlock/deadlock.hpp"

namespace fatwood {
namespace {

// InputError when another job has one of the hosts.
void check_free(const Model& model, const std::vector<RequestedJob>& jobs,
                const std::vector<Host>& hosts, const Location& where) {
  for (std::size_t j = 1; j < jobs.size(); ++j) {
    for (const Host m : jobs[j].hosts.hosts) {
      if (std::find(hosts.begin(), hosts.end(), m) == hosts.end()) continue;
      throw InputError(
          where, fmt::format("host {} is not free: job {} has it",
                             unique_name(model.fabric(), model.hosts().hosts, m), jobs[j].name));
    }
  }
}

// Ranks can be put on other hosts. Those of a list of messages can't.
void check_movable(const JobSetup& setup, const JobOptions& options) {
  const RequestedJob& job = setup.jobs[0];
  const std::size_t hosts = job.hosts.hosts.size();
  const bool movable =
      hosts > 0 && setup.placed[0].at.size() == hosts * job.hosts.nics && job.ranks % hosts == 0;
  const bool moves = options.job.improve != Improve::kNothing || options.job.pick != 0 ||
                     !options.job.candidates.empty();
  if (movable || !(moves || options.needs_order)) return;
  throw InputError({.file = options.job.recording ? options.job.recording->file : ""},
                   "the trace names its hosts: they have no order to improve or to write");
}

Improvement better(const Model& model, JobScorer& scorer, const std::vector<RequestedJob>& jobs,
                   const JobOptions& options) {
  const std::vector<Host>& given = jobs[0].hosts.hosts;
  const ImproveOptions how{options.seed, options.tries, jobs[0].hosts.nics, options.share};
  if (options.job.improve == Improve::kOrder) {
    if (!options.job.free.empty())
      throw InputError(
          fmt::format("{} needs {} or both", param("free"), param("improve", "placement")));
    return improve_order(model, scorer, given, how);
  }
  if (options.job.free.empty()) {
    throw InputError(fmt::format("{} needs {}: the hosts that may be taken",
                                 param("improve", "placement"), param("free")));
  }
  std::vector<Host> free = options.job.free;
  check_free(model, jobs, free, {.file = param("free")});
  for (const Host m : given) {
    if (std::find(free.begin(), free.end(), m) == free.end()) free.push_back(m);
  }
  const OrderToo order = options.job.improve == Improve::kBoth ? OrderToo::kYes : OrderToo::kNo;
  return improve_placement(model, scorer, given.size(), free, given, order, how);
}

// Those with the most adapters, `count` at least: every host of a job uses as many as the one with
// the fewest.
std::vector<Host> best_equipped(const Model& model, std::vector<Host> hosts, std::size_t count) {
  std::vector<std::size_t> adapters;
  for (const Host m : hosts) adapters.push_back(job_adapters(model, m).size());
  std::ranges::sort(adapters, std::greater{});
  std::erase_if(hosts, [&](Host m) { return job_adapters(model, m).size() < adapters[count - 1]; });
  return hosts;
}

// The best hosts for the job, of those that are free, in the best order found.
Improvement pick_hosts(const Model& model, FlowLinks& links, JobRequest& request,
                       const JobOptions& options) {
  if (!request.hosts.empty())
    throw InputError(fmt::format("give either {} or {}", param("hosts"), param("pick")));
  if (request.improve != Improve::kNothing) {
    throw InputError(fmt::format("{} finds hosts and their order: leave out {}", param("pick"),
                                 param("improve")));
  }
  if (request.free.size() < request.pick) {
    throw InputError(fmt::format("{}: expected as many hosts in {}, found {}",
                                 param("pick", std::to_string(request.pick)), param("free"),
                                 request.free.size()));
  }
  request.free = best_equipped(model, std::move(request.free), request.pick);
  request.hosts.assign(request.free.begin(), request.free.begin() + request.pick);
  const JobSetup setup = set_up_jobs(model, request);
  check_movable(setup, options);
  check_free(model, setup.jobs, request.free, {.file = param("free")});
  request.nics = setup.jobs[0].hosts.nics;
  JobScorer scorer(model.fabric(), links, setup.capacity, setup.placed);
  Improvement best =
      improve_placement(model, scorer, request.pick, request.free, {}, OrderToo::kYes,
                        {options.seed, options.tries, request.nics, options.share});
  request.hosts = best.hosts;
  return best;
}

// Other hosts for the same job, as many as it has.
std::vector<JobResult::Scored> score(const Model& model, JobScorer& scorer,
                                     const std::vector<RequestedJob>& jobs,
                                     const JobOptions& options) {
  const std::size_t count = jobs[0].hosts.hosts.size();
  std::vector<JobResult::Scored> scored;
  for (const NamedJob& candidate : options.job.candidates) {
    if (candidate.hosts.size() != count) {
      throw InputError(candidate.where,
                       fmt::format("{} hosts; the job has {}", candidate.hosts.size(), count));
    }
    check_free(model, jobs, candidate.hosts, candidate.where);
    scored.push_back({candidate.name, candidate.hosts, 0});
  }
  const std::vector<double> seconds =
      share_out(options.share, scored.size(), 1, [&](std::size_t i, int) {
        return scorer.seconds(place_hosts(model, scored[i].hosts, jobs[0].hosts.nics).at);
      });
  for (std::size_t i = 0; i < scored.size(); ++i) scored[i].seconds = seconds[i];
  std::stable_sort(scored.begin(), scored.end(),
                   [](const auto& a, const auto& b) { return a.seconds < b.seconds; });
  return scored;
}

// Packets of 4 KiB, with room for 16 in each buffer; input lanes queue by output, so that nothing
// waits behind a packet for elsewhere.
JobResult::FlitTimes flit_times(const Model& model, const ResolvedRouting& routing,
                                const JobSetup& setup, const JobOptions& options) {
  constexpr std::uint32_t kPacketFlits = 64;  // of 64 bytes
  constexpr std::uint32_t kBufferPackets = 16;
  SimulationOptions set_up{.seed = options.seed};
  sim::Model& switches = set_up.switches;
  switches.packet_flits = kPacketFlits;
  switches.input_flits = switches.output_flits = kPacketFlits * kBufferPackets;
  switches.speeds.resize(model.fabric().num_channels());
  for (const Channel c : ids<Channel>(model.fabric().num_channels())) {
    switches.speeds[c] =
        static_cast<std::uint32_t>(std::llround(setup.capacity[index(c)] * 8 / 1e6));
  }
  const Simulation simulation(model, routing, set_up);
  std::vector<sim::FlitProgram> programs;
  for (const PlacedJob& job : setup.placed) {
    programs.push_back({&job.program, job.at, setup.placed.size() > 1});
  }
  const sim::FlitRun run = sim::run_programs(simulation.setup(), programs, {}, options.progress);
  JobResult::FlitTimes times{run.seconds, run.deadlock.has_value(), run.counters.flit_hops};
  for (std::size_t j = 0; j < setup.placed.size(); ++j) {
    times.seconds[j] += setup.placed[j].added_seconds;
  }
  return times;
}

void check_options(const JobOptions& options) {
  const JobRequest& job = options.job;
  const bool moves = job.improve != Improve::kNothing || job.pick != 0 || !job.candidates.empty();
  if (!job.further.empty() && (moves || options.flits || job.recording)) {
    throw InputError(
        {.file = param("groups")},
        fmt::format("several kinds of groups: leave out {}, {}, {}, {} and {}", param("improve"),
                    param("pick"), param("candidates"), param("flits"), param("trace")));
  }
  if (!options.flits) return;
  if (options.ports == PortChoice::kHashed) {
    throw InputError(fmt::format("{} and {}: the simulator's switches choose by load",
                                 param("hashed"), param("flits")));
  }
  if (options.job.weight != 1) {
    throw InputError(fmt::format("{} and {}: the simulator's arbiters have no weights",
                                 param("weight"), param("flits")));
  }
}

}  // namespace

std::uint32_t JobResult::ranks_per_host() const {
  const std::size_t hosts = jobs[0].hosts.hosts.size();
  return hosts == 0 ? 0 : static_cast<std::uint32_t>(jobs[0].ranks / hosts);
}

JobResult run_job(const Model& model, const ResolvedRouting& routing, const JobOptions& options) {
  check_options(options);
  const auto paths = paths_of(model, routing);
  // With one path for each pair there is nothing to choose.
  const bool choosing = paths->adaptive() != nullptr || paths->units_in_one() > 1;
  FlowLinks links(model, *paths, choosing ? options.ports : PortChoice::kEven, options.seed,
                  options.queue_pairs);
  JobRequest request = options.job;
  JobResult result;
  if (request.pick != 0) result.improved = pick_hosts(model, links, request, options);
  JobSetup setup = set_up_jobs(model, request);
  result.notes = std::move(setup.notes);
  result.study = study_jobs(model.fabric(), links, setup.capacity, setup.placed);
  check_movable(setup, options);
  if (result.study.unrouted.empty()) {
    if (options.flits) result.flits = flit_times(model, routing, setup, options);
    if (options.limits) {
      result.limiting = limiting_hosts(model, links, request, setup, result.study.jobs[0]);
    }
    JobScorer scorer(model.fabric(), links, setup.capacity, setup.placed);
    if (options.job.improve != Improve::kNothing) {
      result.improved = better(model, scorer, setup.jobs, options);
    }
    if (!options.job.candidates.empty()) {
      result.candidates = score(model, scorer, setup.jobs, options);
    }
  }
  result.jobs = std::move(setup.jobs);
  return result;
}

std::vector<EngineJob> compare_job(const Model& model, const std::vector<std::string>& names,
                                   const RouteOptions& route, const JobOptions& options) {
  for (const std::string& name : names) {
    if (find_algebraic(name) == nullptr) find_engine(name);
  }
  std::vector<EngineJob> rows;
  for (const std::string& name : names) {
    EngineJob row{.name = name};
    std::optional<ResolvedRouting> routing;
    try {
      routing = resolve_routing(model, name, route, Prefer::kTables);
    } catch (const PromiseError& error) {
      row.refused = error.what();
    } catch (const InputError& error) {
      row.refused = error.what();
    }
    if (routing && !routing->algebraic) {
      const Routing& tables = routing->routing;
      row.adaptive = !tables.sets.empty();
      row.deadlock_free =
          find_deadlock(model.fabric(), tables, Sources::kAll, route.threads).free();
    }
    if (routing) row.result = run_job(model, *routing, options);
    rows.push_back(std::move(row));
    if (options.progress) {
      options.progress(static_cast<double>(rows.size()) / static_cast<double>(names.size()), name);
    }
  }
  std::ranges::stable_sort(rows, {}, [](const EngineJob& row) { return row.seconds(); });
  return rows;
}

double EngineJob::seconds() const {
  return result && result->study.unrouted.empty() ? result->study.jobs[0].seconds
                                                  : std::numeric_limits<double>::infinity();
}

}  // namespace fatwood
