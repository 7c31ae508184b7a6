// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Job efficiency of routes: what jobs on a part of the machine get of what their hosts' own cables
// would allow.
//
// Definition. The time of a traffic is the load of its most loaded link. The efficiency of a job is
// the time that its hosts' own cables need, divided by the time that all links need: 1 if no link
// between switches holds the job back. This is what `fatwood job` finds for an all-to-all, because
// max-min fair rates never fall below the share of the most loaded link. Phases come one after
// another, so their times are added first. The bound ("ideal") is the same quotient with the loads
// that cuts prove (job_bound.hpp) in place of those of the routes; no routing exceeds it.
//
// The jobs are those of topology/hosts/job_windows.hpp, ranks in host order. The figure of a cell
// (a size and placement) is the mean over its jobs; the figure of the routes is the mean over
// cells, so that every size counts the same. A job with a pair that cables connect but routes do
// not has efficiency 0.
//
// Figures lead with the all-to-all at once (JobTraffic::kAtOnce).
// Routes whose paths can only be listed pair by pair are measured up to kMostListed hosts per job.
// Where paths are long (rings, meshes) or leaves have few hosts, the largest jobs are left out, so
// that all jobs visit at most kMostVisits switches for each terminal of the machine (about 0.3 ms
// each). Trees of 50,000 hosts, and real fabrics with eight rails, stay below it. The limit follows
// from the fabric alone, so that all routes are measured by the same jobs. Deterministic at any
// number of threads. Cost: per job, a walk over the paths of its destinations (job_loads.hpp), in
// parallel over jobs; bench/README.md has times.

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "analysis/jobs/job_traffic.hpp"
#include "routing/tables/path_source.hpp"

namespace fatwood {

inline constexpr std::uint32_t kMostListed = 256;
inline constexpr double kMostVisits = 2.5e4;

struct JobShare {
  double efficiency = 1;
  double ideal = 1;
};
// By JobTraffic; direct is empty with one rail.
struct JobFigures {
  std::array<std::optional<JobShare>, kJobTraffics.size()> share;
  Channel limited_by = kNone<Channel>;  // at once; kNone: the hosts' own cables
  bool lost = false;

  const std::optional<JobShare>& of(JobTraffic traffic) const {
    return share[static_cast<std::size_t>(traffic)];
  }
};

// Means and the worst of some jobs.
struct JobSummary {
  double mean = 1;
  double worst = 1;
  double ideal_mean = 1;
};
using JobSummaries = std::array<std::optional<JobSummary>, kJobTraffics.size()>;

struct JobCell {
  std::uint32_t hosts = 0;
  Placed placed = Placed::kNeighbours;
  std::uint32_t jobs = 0;
  JobSummaries by_traffic;

  const JobSummary& at_once() const { return *by_traffic[0]; }
};

struct JobEfficiency {
  std::string order;         // of hosts: HostOrder::source
  std::uint32_t ranked = 0;  // hosts in the order
  JobSummaries by_traffic;   // the means are over cells
  std::vector<JobCell> cells;
  // The job with the least efficiency at once, the first of equals.
  std::vector<Host> worst_hosts;
  JobFigures worst;

  const JobSummary& at_once() const { return *by_traffic[0]; }
};

// Of each job of the set; `order` has the hosts of the model that take part.
// The model may be a measured one (topology/hosts/participants.hpp); routes serve all hosts.
std::vector<JobFigures> job_figures(const Model& model, const HostOrder& order,
                                    const std::vector<JobWindow>& windows, const Routing& routing,
                                    int threads = 0);
std::vector<JobFigures> job_figures(const Model& model, const HostOrder& order,
                                    const std::vector<JobWindow>& windows, const PathSource& paths,
                                    int threads = 0);

// No value if the order has fewer than two hosts.
std::optional<JobEfficiency> job_efficiency(const Model& model, const HostOrder& order,
                                            const Routing& routing, int threads = 0);
std::optional<JobEfficiency> job_efficiency(const Model& model, const HostOrder& order,
                                            const PathSource& paths, int threads = 0);

}  // namespace fatwood
