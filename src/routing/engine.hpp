// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// An engine fills forwarding tables for a fabric. Each engine is one file and one row of
// engines.cpp. The command line, tests, benchmarks, the plug-in and web pages use that list.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/progress.hpp"
#include "routing/tables/routing.hpp"
#include "topology/model.hpp"

namespace fatwood {

// The traffic that an engine balances (--for). Only engines with the flag kAims support it.
enum class Aim : std::uint8_t {
  kJobs,          // all-to-all of neighbouring hosts, and of the whole machine
  kAllToAll,      // of the whole machine
  kPermutations,  // random permutations
  kShifts,        // shift permutations, each finished before the next
  kDemands,       // RouteOptions::demands, at the expense of all-to-all
};
// The demand of one terminal to another.
struct PairDemand {
  Terminal source, destination;
  std::uint64_t amount;
};

constexpr unsigned kLonger = 2;  // default of RouteOptions::longer
struct RouteOptions {
  unsigned lmc = 0;                    // 2^lmc addresses per terminal
  unsigned max_lanes = 8;              // PromiseError, with the number needed, if more are needed
  std::vector<Terminal> order = {};    // order in which destinations are routed; empty: by number
  std::optional<Switch> manager = {};  // the subnet manager's leaf: sftree's sub-tree avoids it
  // Adaptive engines: how switches choose a port of a group, and the most groups of a switch
  // (PromiseError, with the number needed, if more are needed).
  EntryState choice = EntryState::kFree;
  std::optional<unsigned> max_groups = {};
  // Engines with the flag kAims:
  Aim aim = Aim::kJobs;
  std::vector<PairDemand> demands = {};  // for Aim::kDemands
  // For Aim::kJobs: a terminal of each host that comes first in the order of hosts; the others
  // follow in natural order of names.
  std::vector<Terminal> host_order = {};
  bool quick = false;  // stop early, with a slightly higher load
  // Extra hops that a path may have if a link is overloaded otherwise.
  unsigned longer = kLonger;
  std::uint64_t seed = 1;
  int threads = 0;  // 0: all cores
  Progress progress = {};
};

// The pairs that have a route in every connected fabric.
enum class Pairs {
  kAll,                // terminals and switches, as sources and destinations
  kTerminalsAndLegal,  // all pairs with terminals as destinations; switches if the turn rule allows
  kLegal,              // pairs with an up*/down* path (two hosts on cores have none)
  kSome,               // those that the engine's search finds; no promise
  kPerPair,            // all pairs, by source routes instead of tables
};

struct Engine {
  enum Flag : std::uint32_t {
    kDeadlockFree = 1U << 0U,  // on its lanes, with switches as sources and destinations
    kLmc = 1U << 1U,           // supports RouteOptions::lmc > 0
    kOrder = 1U << 2U,         // follows RouteOptions::order
    kAdaptive = 1U << 3U,      // its entries can take several ports
    kAims = 1U << 4U,          // follows RouteOptions::aim, demands, quick and longer
    kForTrees = 1U << 5U,      // made for trees, even if it also routes other fabrics
    kEthernet = 1U << 6U,      // what Ethernet switches compute themselves
  };
  std::string_view name;
  std::string_view summary;     // one line
  std::string_view needs = "";  // what the fabric must be; "" if connected is enough
  Pairs pairs;
  std::uint32_t flags = 0;
  // Throws InputError for impossible options, PromiseError if the fabric does not allow what the
  // engine promises. Never falls back to another engine.
  Routing (*route)(const Model&, const RouteOptions&);

  constexpr bool has(Flag flag) const { return (flags & flag) != 0; }
};

std::span<const Engine> engines();
// Checks the options, then calls the engine. InputError if the engine does not support what they
// ask for (an LMC, an order, an aim, a choice from groups), if the LMC is above 7, or if a terminal
// or switch is not in this fabric. An option that merely makes no difference is accepted.
Routing route(const Engine& engine, const Model& model, const RouteOptions& options = {});
bool is_engine(std::string_view name);
// InputError, with the closest name and all names, if there is no such engine.
const Engine& find_engine(std::string_view name, std::span<const Engine> list = engines());
// engines() followed by `own`, for programs with engines of their own. InputError if a name is
// empty or taken, or an engine has no function.
std::vector<Engine> engines_with(std::span<const Engine> own);

}  // namespace fatwood
