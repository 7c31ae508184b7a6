// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Rates of pairs of hosts in all-to-all, and the cuts that limit them. Used by
// the tasks check, compare, lose and whatif, the verb load, the page and the server.
//
// Routes serve all hosts, whoever takes part (topology/hosts/participants.hpp). By default the
// compute hosts take part (in `load`: all hosts), because a service leaf or a slow rack would
// dominate the figures.

#include <memory>
#include <optional>
#include <vector>

#include "analysis/jobs/job_efficiency.hpp"
#include "analysis/rates/bottleneck.hpp"
#include "routing/tables/path_source.hpp"
#include "topology/hosts/participants.hpp"
#include "verify/reach/reachability.hpp"

namespace fatwood {

// Compute hosts if roles differ; all hosts if there are fewer than two compute hosts.
Participants default_participants(const Model& model);

// The model and paths to measure with. If all hosts take part, these are the given ones. The
// arguments must outlive this.
class Measured {
 public:
  Measured(const Model& model, Participants who);
  Measured(const Model& model, const PathSource& paths, Participants who);

  const Participants& who() const { return who_; }
  const Model& model() const { return own_model_ ? *own_model_ : model_; }
  const PathSource& paths() const { return own_paths_ ? *own_paths_ : *paths_; }

 private:
  const Model& model_;
  const PathSource* paths_ = nullptr;
  Participants who_;
  std::unique_ptr<const Model> own_model_;
  std::unique_ptr<const PathSource> own_paths_;
};

struct PairFigures {
  Participants who;
  BottleneckRates rates;
  Evenness evenness;
  std::vector<Bottleneck> bottlenecks;  // slowest first

  // The rate of the slowest pair relative to the best that any routing could give it. 1 if an
  // adapter port limits it; no value if its link is in no cut (the fabric is no tree).
  std::optional<double> of_possible() const;
};

// Pairs of hosts that have no route although cables connect them; aggregation nodes are not hosts.
// `unreachable`: BottleneckRates::unreachable of all hosts. No value if some pairs are disconnected
// and others lost: the two are not counted apart.
std::optional<std::uint64_t> lost_between_hosts(const Reachability& found,
                                                std::uint64_t unreachable);

// Job efficiency of the participants (analysis/jobs/job_efficiency.hpp); no value with fewer than
// two hosts, or if all jobs would be larger than what can be listed. REQUIRES paths.
std::optional<JobEfficiency> measure_jobs(const Measured& measured, const GivenOrder& order,
                                          int threads);
std::optional<JobEfficiency> measure_jobs(const Measured& measured, const Routing& routing,
                                          const GivenOrder& order, int threads);

// REQUIRES paths.
PairFigures measure_pairs(const Measured& measured, int threads);
// The same for paths of the measured model.
PairFigures measure_pairs(const Measured& measured, const PathSource& paths, int threads);

}  // namespace fatwood
