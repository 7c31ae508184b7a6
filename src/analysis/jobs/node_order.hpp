// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The order of a job's hosts: how badly the stages of a collective collide, and a better order.
//
// Problem: rank i of the collective runs on the i-th host. The hot-spot degree of a stage is the
// largest number of flows on a channel ([Zahavi10], section III), MLOAD here; at best 1.
// Method: the channels of every pair of the job's hosts are looked up once. Three orders are tried:
// as given, by terminal number (what d-mod-k wants), by leaf switch; from the best of them, pairs
// of random hosts are exchanged and kept apart when that is better (hill climbing) until T trials
// in a row failed or the work allowed is done. Better: smaller largest degree, then smaller sum.
// Result: the degrees of the given and of the best order; the same for a seed at any time.
// Cost: flows of all stages * path length, a trial.

#include <cstdint>
#include <string>
#include <vector>

#include "core/fraction.hpp"
#include "core/progress.hpp"
#include "routing/tables/path_source.hpp"
#include "traffic/traffic.hpp"

namespace fatwood {

struct OrderedAdapters {
  std::string found_by;  // "as given", "by number", "by leaf switch", "exchanges"
  std::vector<Adapter> adapters;
  std::vector<Fraction> degree;  // of each stage
};
Fraction largest(const OrderedAdapters& order);
double mean(const OrderedAdapters& order);

struct NodeOrder {
  OrderedAdapters given;
  OrderedAdapters best;  // given itself when nothing better was found
  std::uint64_t trials = 0;

  bool better() const { return best.found_by != given.found_by; }
};

struct OrderOptions {
  std::uint64_t seed = 1;
  std::uint64_t failures = 2000;       // T
  std::uint64_t work = 2'000'000'000;  // channels counted at most
  Progress progress{};
};

inline constexpr std::size_t kMostHosts = 4096;  // the channels of all pairs are kept

// `ranks` is the collective over hosts.size() ranks. InputError for repeated hosts, fewer than two
// or more than kMostHosts; PromiseError when a pair has no path.
NodeOrder node_order(const Model& model, const PathSource& paths,
                     const std::vector<Adapter>& adapters, const Schedule& ranks,
                     const OrderOptions& options = {});

}  // namespace fatwood
