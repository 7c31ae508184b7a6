// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Equal paths to one switch at a time, as BGP chooses them: shortest paths of autonomous systems
// (AS), none of which is twice on a path. With one AS for each switch these are all shortest paths.
//
// Method: breadth-first. A switch takes all cables to neighbours whose path is one AS shorter than
// its own and does not have its AS. It announces one of its best paths; which one makes no
// difference in trees with cables between neighbouring levels only, because the levels of both ends
// determine the ASes in between.
// After a loss (`lose`) switches drop ports. If each has an AS of its own, only those that have
// none left look for new paths, which are the shortest over the others. If some share an AS, all is
// searched again where any has none left: a path that was hidden by a better one can appear.
// Cost: O(cables) for each destination; a loss costs the cables of the switches that it changes, or
// the same again.

#include <cstdint>
#include <span>
#include <vector>

#include "routing/adaptive/port_mask.hpp"
#include "topology/fabric.hpp"

namespace fatwood {

// A number for each switch: no path has one twice, so these give all shortest paths.
Table<Switch, std::uint32_t> own_as_numbers(const Fabric& fabric);

class BgpSearch {
 public:
  // Both must outlive it.
  BgpSearch(const Fabric& fabric, const Table<Switch, std::uint32_t>& as);

  // The ports of each switch; none where there is no route, and at the destination.
  const std::vector<PortMask>& run(Switch destination);

  // Takes given ports instead: nobody looks for a new path after a loss.
  void take(std::span<const PortMask> ports);

  // The changes at switches when these cables are lost (`dead`: by channel, both directions).
  struct Change {
    Switch at;
    PortMask ports;         // all that are left, or new ones; none: no route any more
    bool rerouted = false;  // new ones, or none
  };
  // For the destination of the last run() or take(), which must still have a live cable. `ends`:
  // the switches at the dead cables. The changes stay valid until the next call.
  std::span<const Change> lose(const std::vector<std::uint8_t>& dead, std::span<const Switch> ends);

 private:
  using AsPath = std::vector<std::uint32_t>;
  // The switches whose best paths are one longer than those of `front`.
  std::vector<Switch> step(const std::vector<Switch>& front, const std::vector<std::uint8_t>* dead);
  void search(Switch destination, const std::vector<std::uint8_t>* dead);
  bool may_use(const AsPath& path, Switch s) const;
  void drop_ports(const std::vector<std::uint8_t>& dead, std::span<const Switch> ends);
  void search_again(const std::vector<std::uint8_t>& dead);
  void search_all(const std::vector<std::uint8_t>& dead, Switch destination);

  const Fabric& fabric_;
  const Table<Switch, std::uint32_t>& as_;
  bool shared_ = false;                 // some switches have one AS
  Switch destination_ = kNone<Switch>;  // of run()
  std::vector<AsPath> path_;            // by switch: the ASes that it announces; empty: no route
  std::vector<PortMask> ports_;         // by switch
  // Of a loss.
  std::vector<Change> changes_;
  std::vector<std::uint32_t> place_;  // by switch: index into changes_, + 1; 0: unchanged
  std::vector<std::size_t> again_;    // by change: length of the new path of a rerouted switch
};

}  // namespace fatwood
