// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Adaptive tables whose ports are chosen by a hash of the packet: what channels carry depends on
// luck, so a distribution over seeds is found.
//
// Model: a flow is sent by Q queue pairs in equal parts. At each switch with several ports, a queue
// pair takes one, uniformly and independently of all others; where `Hashing::kAlike`, all switches
// use one hash of the queue pair, so that two switches with as many ports choose the same number of
// port (polarisation). Most loaded channel: the largest load, in flows of amount 1. Slowest flow: a
// queue pair gets its share of its most loaded channel, 1/Q divided by that load (at most 1/Q), and
// a flow what its queue pairs get. Method: Monte Carlo; a stream of random numbers for each (seed,
// queue pair, switch). Cost: O(seeds
// * flows * Q * hops), in parallel over seeds.
// Check: one switch that spreads k flows over k ports is balls in bins (1 - (1 - 1/k)^k of the
// ports are used on average).

#include <cstdint>
#include <vector>

#include "routing/tables/routing.hpp"
#include "topology/model.hpp"
#include "traffic/traffic.hpp"

namespace fatwood {

enum class Hashing : std::uint8_t { kIndependent, kAlike };

struct HashedOptions {
  unsigned queue_pairs = 1;
  unsigned seeds = 200;
  Hashing hashing = Hashing::kIndependent;
  std::uint64_t seed = 1;
  int threads = 0;
};

// Over seeds; p99 is the value that 99 of 100 seeds do not exceed (fall short of, for flows).
struct Spread {
  double mean = 0, median = 0, p99 = 0, worst = 0;
};

struct HashedLoad {
  unsigned queue_pairs = 1;
  Spread max_load;               // load of the most loaded channel between switches
  Spread slowest;                // what the slowest flow gets, of 1
  double used = 0;               // share of the channels met by even splitting that carry something
  std::uint64_t worst_seed = 0;  // number of the seed with the most loaded channel
};

// PromiseError naming the pair when some choice loses its packets.
HashedLoad hashed_load(const Model& model, const Routing& routing, const Traffic& traffic,
                       const HashedOptions& options);

// The fewest queue pairs, of 1, 2, 4, .. `most`, with which the p99 of the most loaded channel is
// at most `limit`; 0 when there are none such. `tried` has what was found for each.
struct QueuePairsNeeded {
  unsigned queue_pairs = 0;
  std::vector<HashedLoad> tried;
};
QueuePairsNeeded queue_pairs_for(const Model& model, const Routing& routing, const Traffic& traffic,
                                 HashedOptions options, double limit, unsigned most = 64);

}  // namespace fatwood
