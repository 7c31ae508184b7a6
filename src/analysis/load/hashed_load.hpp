// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Loads of adaptive tables whose ports are chosen by a hash of the packet. They depend on hash
// collisions, so the result is a distribution over seeds.
//
// Model: a flow uses Q queue pairs with equal shares. At each switch with several ports, a queue
// pair takes one, uniformly and independently. With `Hashing::kAlike`, all switches use the same
// hash of the queue pair, so two switches with equally many ports choose the same port number
// (polarisation). `HashedOptions::hash` says it for each switch: those with the same stream choose
// alike, and where fields do not tell queue pairs apart, those of a pair of ports go together.
// Figures: the load of the most loaded channel, and the rate of the slowest flow. A queue pair gets
// its share of the most loaded channel on its path: 1/Q divided by that load (at most 1/Q). A flow
// gets the sum of its queue pairs.
// Method: Monte Carlo, with a random stream for each (seed, queue pair, switch).
// Cost: O(seeds * flows * Q * hops), in parallel over seeds.
// Check: a switch that spreads k flows over k ports is the balls-in-bins problem (on average 1 - (1
// - 1/k)^k of the ports are used).

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "routing/adaptive/switch_hash.hpp"
#include "routing/tables/routing.hpp"
#include "topology/model.hpp"
#include "traffic/traffic.hpp"

namespace fatwood {

enum class Hashing : std::uint8_t { kIndependent, kAlike };

struct HashedOptions {
  unsigned queue_pairs = 1;
  unsigned seeds = 200;
  Hashing hashing = Hashing::kIndependent;
  std::vector<SwitchHash> hash = {};  // by switch, instead of `hashing`; or empty
  std::uint64_t seed = 1;
  int threads = 0;
};

// Over seeds. p99: 99% of the seeds have at most this value (for flows: at least).
struct Spread {
  double mean = 0, median = 0, p99 = 0, worst = 0;
};

// Up-links of switches of one level, of those that even splitting uses.
struct UnusedUpLinks {
  Level level = 0;
  std::uint64_t links = 0;
  double mean = 0;  // fraction that carries no flow, over seeds
  double worst = 0;
};

struct HashedLoad {
  unsigned queue_pairs = 1;
  Spread max_load;               // load of the most loaded channel between switches
  Spread slowest;                // what the slowest flow gets, of 1
  double used = 0;               // fraction of the channels used by even splitting that carry flows
  std::uint64_t worst_seed = 0;  // the seed with the most loaded channel
  std::vector<UnusedUpLinks> unused = {};  // lowest level first; empty if the fabric is no tree
};

// PromiseError, with the pair, if some choice loses its packets.
HashedLoad hashed_load(const Model& model, const Routing& routing, const Traffic& traffic,
                       const HashedOptions& options);
// The same for several numbers of queue pairs, in place of that of the options.
std::vector<HashedLoad> hashed_loads(const Model& model, const Routing& routing,
                                     const Traffic& traffic, std::span<const unsigned> queue_pairs,
                                     HashedOptions options);

// The fewest queue pairs, out of 1, 2, 4, .. `most`, with which the p99 of the most loaded channel
// is at most `limit`; 0 if there are none. `tried` has the result for each.
struct QueuePairsNeeded {
  unsigned queue_pairs = 0;
  std::vector<HashedLoad> tried;
};
QueuePairsNeeded queue_pairs_for(const Model& model, const Routing& routing, const Traffic& traffic,
                                 HashedOptions options, double limit, unsigned most = 64);

// What was asked of a traffic: rows for numbers of queue pairs, and how many are needed.
struct HashedReport {
  unsigned seeds = 0;
  bool alike = false;
  std::string hash = "own";  // as asked: own, tier, same, or a file
  std::vector<HashedLoad> rows;
  std::optional<double> at_most = {};
  QueuePairsNeeded needed;  // for at_most
};

}  // namespace fatwood
