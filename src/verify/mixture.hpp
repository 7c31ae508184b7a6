// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The dependencies and loops that are possible while switches are rewritten one by one from old to
// new tables. transition.hpp has the model. Cost of a row: O(switches), times lanes.

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "topology/model.hpp"
#include "verify/transition.hpp"

namespace fatwood {

// Which dependencies of a mixture are collected: all, or only those between old entries.
enum class Which : std::uint8_t { kAll, kOld };

// Tables, lanes and model must outlive it.
class Mixture {
 public:
  Mixture(const Model& model, const ForwardingTables& old, const ForwardingTables& after,
          const MixedLanes& lanes = {}, Which pairs = Which::kAll)
      : fabric_(model.fabric()),
        graph_(model.port_graph()),
        map_(model.hop_map()),
        old_(old),
        after_(after),
        lanes_(lanes),
        pairs_(pairs) {}

  // All dependencies that some mixture of the destination's entries has, in each lane.
  void add(Destination destination, std::span<DependencyGraph> graphs) const;
  // The same on one lane, without dependencies between two old entries.
  void add_changes(Destination destination, DependencyGraph& graph) const;

  bool changes(Destination destination) const {
    return !std::ranges::equal(bytes_of(old_.row(destination)), bytes_of(after_.row(destination)));
  }

  // A loop of one destination's packets in some mixture, if there is one.
  std::optional<MixedLoop> loop_of(Destination destination) const;

 private:
  // The next hops of a switch for a destination: by its old entry or by its new one.
  struct Hops {
    std::array<Port, 2> entry{};
    std::array<Hop, 2> hop{};
    unsigned count = 0;  // different entries
  };
  Hops hops_at(Destination destination, std::uint32_t s) const;
  bool sends_in(Destination destination, std::uint32_t s, unsigned lane) const;
  // Adds the dependencies of packets that leave u.
  void add_from(Destination destination, std::uint32_t u, DependencyGraph& graph) const;

  const Fabric& fabric_;
  const PortGraph& graph_;
  const HopMap& map_;
  const ForwardingTables& old_;
  const ForwardingTables& after_;
  MixedLanes lanes_;
  Which pairs_;
};

}  // namespace fatwood
