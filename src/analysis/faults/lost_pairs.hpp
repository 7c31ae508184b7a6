// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Lost pairs: the one meaning of pairs_lost in whatif, for the tables as they are, for every loss
// and for every stage of a loss.
//
// Definition. A pair is an ordered pair of end ports of counted adapters that send to each other
// (Adapters::port_pairs) and that cables connect before the loss. It is lost if packets to one or
// more of the destination's addresses do not arrive. So with an LMC a pair is lost if one of its
// paths is. Pairs that no cables connected are not lost, for example ports in different planes.
//
// Cost: O(destinations * switches), in parallel over destinations.

#include <cstdint>
#include <vector>

#include "core/table.hpp"
#include "routing/tables/routing.hpp"
#include "topology/model.hpp"

namespace fatwood {

// The pairs of a model's counted end ports.
class PortPairs {
 public:
  explicit PortPairs(const Model& model);

  // Ports on a switch that send to an end port, itself left out. REQUIRES a counted end port.
  std::uint32_t senders(Switch s, Terminal to) const {
    return on_[group_[to]][s] - (s == leaf_[to] ? 1U : 0U);
  }
  std::uint64_t connected(Terminal to) const { return connected_[group_[to]]; }
  std::uint64_t connected() const;
  const std::vector<Terminal>& ports() const { return ports_; }

  // Pairs whose packets all arrive. `after`: the fabric after a loss; `now`: by end port of this
  // model, the same port there, kNone if it is lost.
  std::uint64_t intact(const Model& after, const Routing& routing,
                       const Table<Terminal, Terminal>& now, int threads = 0) const;
  // The same on the pairs' own fabric.
  std::uint64_t intact(const Model& model, const Routing& routing, int threads = 0) const;

 private:
  std::vector<Terminal> ports_;           // counted, on a switch
  Table<Terminal, std::uint32_t> group_;  // ports that the same ports send to
  Table<Terminal, Switch> leaf_;
  std::vector<Table<Switch, std::uint32_t>> on_;  // by group: ports that send to it
  std::vector<std::uint64_t> connected_;          // by group: all of them, without the port itself
  std::vector<std::vector<Terminal>> senders_;    // by group
};

// The lost pairs of tables on their own fabric, as a basis for those after a loss.
class LostPairs {
 public:
  // REQUIRES tables of this model's size. `choices`: the same tables with their groups of ports if
  // they are adaptive.
  LostPairs(const Model& model, const ForwardingTables& tables, const Routing* choices,
            int threads = 0);

  const PortPairs& pairs() const { return pairs_; }
  std::uint64_t now() const { return now_; }
  // Pairs with an end port on this switch that are not lost now.
  std::uint64_t at(Switch s) const { return at_[s]; }
  // Switches from which some address of the end port is not reached now, ascending.
  const std::vector<Switch>& from(Terminal to) const { return lost_[to]; }

 private:
  PortPairs pairs_;
  Table<Terminal, std::vector<Switch>> lost_;
  std::uint64_t now_ = 0;
  Table<Switch, std::uint64_t> at_;
};

}  // namespace fatwood
