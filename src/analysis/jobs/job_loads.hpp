// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The most loaded links between switches that the traffic of one job has under given routes.
//
//   tables            the destination's tree, from the leaves of the job's senders only. Flows that
//                     meet are added up, so a row costs O(switches on its paths). Phases and the
//                     ring follow single flows along the same row, while it is in the cache
//   adaptive tables   the same, with each switch dividing evenly over the ports of its entry;
//                     destinations of a class (destination_classes.hpp) together
//   other routes      the paths of each pair
//
// Loads of tables are integers: units of FlowSources, per address. A job with a flow that does not
// arrive although cables connect its ends is lost.

#include <memory>

#include "analysis/jobs/job_traffic.hpp"
#include "routing/tables/path_source.hpp"

namespace fatwood {

struct JobPeak {
  double load = 0;
  Channel channel = kNone<Channel>;  // the lowest of equals
};

struct JobPeaks {
  JobPeak at_once, direct;
  BySlot<JobPeak> slots{};
  bool lost = false;
};

// Working memory of one thread.
class JobLoads {
 public:
  virtual ~JobLoads() = default;
  virtual std::unique_ptr<JobLoads> copy() const = 0;
  virtual JobPeaks peaks(const JobFlows& flows) = 0;
};

// The arguments must outlive the results.
std::unique_ptr<JobLoads> table_loads(const JobSetting& setting, const ForwardingTables& tables);
std::unique_ptr<JobLoads> adaptive_loads(const JobSetting& setting, const Routing& routing,
                                         int threads);
std::unique_ptr<JobLoads> path_loads(const JobSetting& setting, const PathSource& paths);

}  // namespace fatwood
