// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Finds better rank orders and better hosts for a job.
//
// Method. The program is timed with its hosts in other orders, or with other hosts, together with
// the same other jobs.
// 1. Heuristics: hosts sorted by pod, unit and port. For placements, every window of the free hosts
//    in that order, and the units with the most free hosts first.
// 2. Local search from the best: exchange two hosts, reverse a range, or replace a host by a free
//    one; keep it if that is faster. It ends at the bound, or after the allowed tries.
//
// Bound. It holds for every order and placement, whatever the routes: no adapter can send or
// receive its bytes faster than the fastest adapter of the candidate hosts, and operations that
// depend on each other run one after the other. A result that meets the bound is optimal; otherwise
// the distance to it limits the possible gain.
//
// Deterministic for a seed, at any number of processes. What a try exchanges does not depend on
// earlier tries, so other processes can work on the next tries at the same time. The first
// improvement is kept, and the tries after it are repeated from there.
// Cost: one run of the program per try.

#include <cstdint>
#include <vector>

#include "analysis/jobs/job.hpp"
#include "core/work_share.hpp"
#include "topology/hosts/rails.hpp"
#include "traffic/jobs/place_job.hpp"

namespace fatwood {

// Times one program in many placements; paths are looked up once.
class JobScorer {
 public:
  // jobs[0] is the job that moves; the others run at the same time. The arguments must outlive
  // this.
  JobScorer(const Fabric& fabric, FlowLinks& links, const std::vector<double>& capacity,
            const std::vector<PlacedJob>& jobs);

  // Seconds with the endpoints at these adapters; infinite if a pair has no route.
  double seconds(const std::vector<Adapter>& at);
  // A lower bound for all orders and placements of hosts with these adapters.
  double bound(const Adapters& adapters, const std::vector<Adapter>& candidates) const;

 private:
  const Fabric& fabric_;
  KnownLinks links_;
  const std::vector<double>& capacity_;
  const std::vector<PlacedJob>& jobs_;
  std::vector<OpUses> other_uses_;
};

struct Improvement {
  std::vector<Host> hosts;  // in rank order
  double seconds = 0;
  double given_seconds = 0;  // of the given order; infinite if nothing was given
  double bound = 0;
  std::string how;  // "as given", "by unit and port", "local search", ...
  std::uint64_t tried = 0;
  struct Candidate {
    std::string how;
    std::vector<Host> hosts;
    double seconds;
  };
  std::vector<Candidate> candidates;  // those with a name, best first
};

struct ImproveOptions {
  std::uint64_t seed = 1;
  std::uint64_t tries = 400;  // of local search
  std::uint32_t nics = 0;     // as in place_hosts
  WorkShare share = {};       // of the tries
};

// Hosts by pod, unit and leaf port, then by leaf and port, so that neighbours are close.
std::vector<Host> by_place(const Model& model, std::vector<Host> hosts);

Improvement improve_order(const Model& model, JobScorer& scorer, const std::vector<Host>& hosts,
                          const ImproveOptions& options);
// The best `count` hosts of `free`; `given` may be empty. kYes: also improves their order.
enum class OrderToo : std::uint8_t { kNo, kYes };
Improvement improve_placement(const Model& model, JobScorer& scorer, std::size_t count,
                              const std::vector<Host>& free, const std::vector<Host>& given,
                              OrderToo order, const ImproveOptions& options);

}  // namespace fatwood
