// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What the cables allow a job, by cuts: a lower bound on the load of its most loaded link, for any
// routing.
//
// Cuts are those of the tree (topology/levels/tree_cuts.hpp), and every switch with hosts by
// itself. So the bound also holds on fabrics that are no trees. The flows of the job that must
// leave a cut, divided by the capacity of the links out of it, are the mean load of these links;
// the most loaded one has at least that. The same holds for flows into it.
//
// Phases and the ring have few flows. If each takes one path (tables with one address per port and
// no groups), a link carries whole flows: of D flows over k equal links, one link has at least
// ceil(D / k). With 18 senders behind 17 links, that is 2.
//
// Cost per job: O(ports * slots * levels).

#include <vector>

#include "analysis/jobs/job_traffic.hpp"

namespace fatwood {

enum class FlowPaths : std::uint8_t { kOne, kSeveral };

struct JobBound {
  double at_once = 0;
  double direct = 0;
  BySlot<double> slots{};
};

class JobCuts {
 public:
  explicit JobCuts(const JobSetting& setting);

  JobBound bound(const JobFlows& flows, FlowPaths paths) const;

 private:
  struct Side {                 // the links out of a cut, or into it
    std::int64_t capacity = 0;  // sum of speeds
    std::int64_t links = 0;
    std::int64_t slowest = 0, fastest = 0;
  };
  void add(const std::vector<Switch>& switches, const std::vector<Channel>& links);
  // The load of the most loaded link, at least.
  double load(const Side& side, std::uint64_t units) const;
  double whole_load(const Side& side, std::uint64_t flows) const;
  double all_to_all(const JobFlows& flows, JobTraffic traffic) const;
  void add_rail(const JobFlows& flows, std::uint32_t first_rail, std::uint32_t last_rail,
                std::span<const std::uint64_t> amount, std::vector<double>& crossing) const;
  BySlot<double> slots(const JobFlows& flows, FlowPaths paths) const;

  const JobSetting& setting_;
  std::vector<Side> out_, in_;                  // by cut
  std::vector<std::vector<std::uint32_t>> of_;  // by switch: its cuts, the smallest first
};

}  // namespace fatwood
