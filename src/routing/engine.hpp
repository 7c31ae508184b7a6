// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// An engine fills forwarding tables for a fabric. It is one file and one row of engines.cpp:
// command line, tests, benchmarks, plug-in and pages all walk that table.

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

// The traffic whose load an engine balances, for engines with this option.
enum class Aim : std::uint8_t {
  kAllToAll,
  kPermutations,  // drawn at random
  kShifts,        // each finished before the next
  kDemands,       // RouteOptions::demands, then all to all
};
// The demand of one terminal to another.
struct PairDemand {
  Terminal source, destination;
  std::uint64_t amount;
};

constexpr unsigned kLonger = 2;  // RouteOptions::longer, unless asked for
struct RouteOptions {
  unsigned lmc = 0;                    // 2^lmc addresses per terminal
  unsigned max_lanes = 8;              // more than this is a PromiseError naming how many it takes
  std::vector<Terminal> order = {};    // destinations in the order they are laid; empty: by number
  std::optional<Switch> manager = {};  // the subnet manager's leaf: sftree's sub-tree avoids it
  // Of adaptive engines: how a port of a group is chosen, and how many groups a switch may have at
  // most (more is a PromiseError naming how many it takes).
  EntryState choice = EntryState::kFree;
  std::optional<unsigned> max_groups = {};
  // Of engines that take an aim.
  Aim aim = Aim::kAllToAll;
  std::vector<PairDemand> demands = {};  // of Aim::kDemands
  bool quick = false;                    // near enough soon, rather than as near as can be
  // Hops that a path may have more than before, where a link is overloaded otherwise.
  unsigned longer = kLonger;
  std::uint64_t seed = 1;
  int threads = 0;  // 0: all cores
  Progress progress = {};
};

// The pairs that have a route if the fabric is connected.
enum class Pairs {
  kAll,                // terminals and switches, as sources and destinations
  kTerminalsAndLegal,  // all to terminals; switches where the turn rule allows
  kLegal,              // where an up*/down* path exists (two hosts on cores have none)
  kPerPair,            // all, but by source routes rather than tables
};

struct Engine {
  enum Flag : std::uint32_t {
    kDeadlockFree = 1U << 0U,  // in its lanes, counting switches as sources and destinations
    kLmc = 1U << 1U,           // supports RouteOptions::lmc > 0
    kOrder = 1U << 2U,         // follows RouteOptions::order
    kAdaptive = 1U << 3U,      // its entries can take several ports
    kAims = 1U << 4U,          // follows RouteOptions::aim, demands, quick and longer
    kForTrees = 1U << 5U,      // made for trees, whether or not it routes other fabrics
  };
  std::string_view name;
  std::string_view summary;  // one line
  std::string_view needs;    // of the fabric; "" when any connected one will do
  Pairs pairs;
  std::uint32_t flags = 0;
  // Throws InputError for options that can't be, PromiseError when the fabric does not allow
  // what the row promises. Never falls back to another engine.
  Routing (*route)(const Model&, const RouteOptions&);

  constexpr bool has(Flag flag) const { return (flags & flag) != 0; }
};

std::span<const Engine> engines();
// Checks the options, then calls the engine. InputError when they ask for what the engine does not
// support (an LMC, an order, an aim, a choice from groups), the LMC is above 7, or a terminal or
// switch is not of this fabric. An option that makes no difference to the engine is accepted.
Routing route(const Engine& engine, const Model& model, const RouteOptions& options = {});
bool is_engine(std::string_view name);
// InputError with the closest name and all names when there is none such.
const Engine& find_engine(std::string_view name, std::span<const Engine> list = engines());
// The engines of engines() and then these: for programs that bring their own. InputError when a
// name is taken or empty, or an engine has no function.
std::vector<Engine> engines_with(std::span<const Engine> own);

}  // namespace fatwood
