// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Better rank orders and better hosts for a job.
//
// Method. The same program is timed with its hosts in other orders, or with other hosts, together
// with the same other jobs. First what experience says: hosts sorted by pod, unit and port; for
// placements every window of the free hosts in that order, and the units with most free hosts
// first. Then local search from the best: two hosts exchanged, a stretch turned round, or a host
// replaced by a free one, kept when that is faster. It ends at the bound, or when its tries are
// used up.
//
// The bound holds for every order and placement, whatever the rates: no adapter can send or get its
// bytes in less time than its cable takes, taken for as fast as the fastest in the list, and
// operations that wait for each other take their times one after the other. So a result that meets
// it is the best there is, and the distance to it is all that is left to gain.
//
// Deterministic for a seed. What is exchanged in a try does not depend on the tries before, only
// where it is exchanged. So other processes can try the next ones at the same time: the first that
// is faster is kept, and those after it are tried again from there. The result is that of one
// process.
// Cost: one run of the program a try.

#include <cstdint>
#include <functional>
#include <unordered_map>
#include <vector>

#include "analysis/jobs/job.hpp"
#include "core/share.hpp"
#include "topology/hosts/rails.hpp"
#include "traffic/jobs/place_job.hpp"

namespace fatwood {

// Times one program in many places; paths are looked up once.
class JobScorer {
 public:
  // What is given must outlive it; jobs[0] is the job that moves, the others run at the same time.
  JobScorer(const Fabric& fabric, FlowLinks& links, const std::vector<double>& capacity,
            const std::vector<PlacedJob>& jobs);

  // Seconds with the end-points there; infinite when a pair has no route.
  double seconds(const std::vector<Adapter>& at);
  // No order or placement of hosts with these adapters is faster.
  double bound(const Adapters& adapters, const std::vector<Adapter>& candidates) const;

 private:
  struct Path {
    std::uint32_t first = 0;
    std::uint32_t size = 0;
    bool known = false;
  };
  const Path& path(Adapter from, Adapter to, std::uint32_t connection);
  OpUses uses_of(const std::vector<Adapter>& at);

  const Fabric& fabric_;
  FlowLinks& flows_;
  const std::vector<double>& capacity_;
  const std::vector<PlacedJob>& jobs_;
  std::vector<OpUses> other_uses_;
  std::vector<std::unordered_map<std::uint64_t, Path>> known_;  // by connection, then pair
  std::vector<LinkUse> links_;
  bool lost_ = false;  // a pair of the last look-up had no route
};

struct Improvement {
  std::vector<Host> hosts;  // in rank order
  double seconds = 0;
  double given_seconds = 0;  // of what there was; infinite when nothing was given
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
  std::uint32_t nics = 0;     // as place_hosts
  Share share = {};           // the tries
};

// Hosts by pod, unit and leaf port, then by leaf and port: neighbours are near each other.
std::vector<Host> by_place(const Model& model, std::vector<Host> hosts);

Improvement improve_order(const Model& model, JobScorer& scorer, const std::vector<Host>& hosts,
                          const ImproveOptions& options);
// The best `count` of `free`; `given` may be empty. Their order is improved as well when asked.
enum class OrderToo : std::uint8_t { kNo, kYes };
Improvement improve_placement(const Model& model, JobScorer& scorer, std::size_t count,
                              const std::vector<Host>& free, const std::vector<Host>& given,
                              OrderToo order, const ImproveOptions& options);

}  // namespace fatwood
