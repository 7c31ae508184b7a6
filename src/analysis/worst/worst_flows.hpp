// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The largest load of a channel for traffic that fits through the cuts of a fabric: a flow over the
// pairs of adapters whose paths use the channel (explained in worst_bounds.hpp).
//
// Cuts: the cables of an adapter, those of its leaf to other switches, and those of a part (a
// component of the switches up to a level). The latter two count only if everything that the
// channel carries crosses them. A pair does not if both its ends have a port inside.
// Cost: a pass over the paths of all pairs for counts or pairs, and one flow per channel.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "analysis/worst/worst_case.hpp"
#include "routing/tables/path_source.hpp"
#include "topology/channel_speeds.hpp"
#include "traffic/traffic.hpp"

namespace fatwood {

struct PairArc {
  Adapter source;
  Adapter destination;
  std::int64_t weight;  // in units of 1/units_in_one
};

inline constexpr std::uint32_t kNoPart = 0xffffffffU;

// The components of the switches up to a level (pods, and pods of pods), with their cables.
struct CablesOfParts {
  std::vector<std::uint32_t> of_group;                 // by group: its component; kNoPart: none
  std::vector<std::vector<std::uint32_t>> of_adapter;  // by adapter: those of its ports
  std::vector<std::int64_t> cables;                    // by part, to the outside
};

// Adapters grouped by leaf, and how much each leaf may send. An adapter with several ports, or
// without a switch, is a group of its own.
struct LeafGroups {
  std::vector<std::vector<Adapter>> adapters;  // by group
  std::vector<std::uint32_t> group_of;         // by adapter
  // By adapter: its group and those of the leaves that its ports are on.
  std::vector<std::vector<std::uint32_t>> ports_in;
  std::int64_t parts = 1;                  // a usual cable carries this many units
  std::vector<std::int64_t> cables;        // by group, to the outside, in units
  std::vector<std::int64_t> ports;         // by adapter: what it may send; 1 for permutations
  std::vector<CablesOfParts> parts_above;  // by level, lowest first; only for TrafficClass::kAny

  // Whether all traffic between an adapter of the group and this one uses the group's cables.
  bool crosses(std::uint32_t group, Adapter other) const {
    return std::ranges::find(ports_in[index(other)], group) == ports_in[index(other)].end();
  }
};

LeafGroups groups_of(const Model& model, TrafficClass traffic);

enum class PairEnd { kSource, kDestination };
// By channel: a simple upper bound on its load. Consider the adapters that are the given end of its
// pairs; the result is the sum, over leaves, of what these adapters may send or receive, in units.
std::vector<std::int64_t> end_counts(const Fabric& fabric, const PathSource& paths,
                                     const LeafGroups& groups, PairEnd end,
                                     const WorstOptions& options);

// The pairs of each of the chosen channels.
std::vector<std::vector<PairArc>> pairs_of(const Fabric& fabric, const PathSource& paths,
                                           std::span<const Channel> chosen, int threads);

struct HeaviestFlow {
  std::int64_t weight = 0;
  std::vector<Flow> flows;
};
HeaviestFlow heaviest_flow(const LeafGroups& groups, const std::vector<PairArc>& arcs,
                           TrafficClass traffic);

// The same for traffic that some routing carries without overload (worst_program.cpp).
struct ChannelWorst {
  double at_least = 0;  // attained by `traffic`; relative to a usual channel
  double at_most = 0;
  Traffic traffic;  // the best routing carries it with a load of 1
};
// `units_in_one`: of the arcs' weights. `enough`: stop once the result cannot exceed it. nullopt if
// an adapter of a pair has several ports or no switch, or if the solver gives up.
std::optional<ChannelWorst> worst_program(const Model& model, const std::vector<PairArc>& arcs,
                                          std::int64_t units_in_one, double enough);

}  // namespace fatwood
