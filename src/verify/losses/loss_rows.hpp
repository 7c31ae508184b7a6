// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Routes of Ethernet switches by destination, as sets of ports, before and after a loss.
//
// A row stands for the destinations of a class (destination_classes.hpp) that count. Its groups
// have only ports that lead to switches. A switch that is no owner and has no port loses packets.

#include <cstdint>
#include <span>
#include <vector>

#include "routing/adaptive/bgp_search.hpp"
#include "routing/adaptive/port_mask.hpp"
#include "verify/deadlock/dependencies.hpp"
#include "verify/deadlock/senders.hpp"

namespace fatwood {

// A cable is named by one end. Cables, or a switch.
struct Loss {
  std::vector<Channel> cut = {};
  Switch removed = kNone<Switch>;
};

struct RouteRow {
  Destination first = kNone<Destination>;  // of the class, of those that count
  std::uint32_t destinations = 0;          // of the class, that count
  Switch home = kNone<Switch>;
};

class LossRows {
 public:
  // Both must outlive it. REQUIRES a routing of one lane and of this fabric's size.
  LossRows(const Fabric& fabric, const Routing& routing, Sources sources, int threads);

  const std::vector<RouteRow>& rows() const { return rows_; }
  std::span<const PortMask> groups(std::size_t row) const {
    return {groups_.data() + row * fabric_.num_switches(), fabric_.num_switches()};
  }
  const Senders& senders() const { return senders_; }
  // Hosts on each switch that send.
  std::uint32_t hosts(Switch s) const { return hosts_[s]; }

  // The switches at the ends of the cables that a loss takes, ascending; `dead`, by channel: marks
  // both directions of these cables, or takes the marks away.
  std::vector<Switch> ends(const Loss& loss) const;
  void mark(const Loss& loss, std::uint8_t mark, std::vector<std::uint8_t>& dead) const;
  // Whether some switch with a route has only dead ports left.
  bool empties(std::size_t row, const std::vector<std::uint8_t>& dead,
               std::span<const Switch> ends) const;

  // Adds what packets of the row wait for, with these groups. `removed` sends nothing.
  void lay(std::size_t row, std::span<const PortMask> groups, Switch removed,
           DependencyGraph& graph) const;
  // Pairs of a sending host and a destination of the row whose packets can get lost, with these
  // groups. Those of hosts on `removed` count, too.
  std::uint64_t lost_pairs(std::size_t row, std::span<const PortMask> groups, Switch removed) const;

 private:
  const Fabric& fabric_;
  HopMap map_;
  Senders senders_;
  Table<Switch, std::uint32_t> hosts_;
  std::vector<RouteRow> rows_;
  std::vector<PortMask> groups_;  // [row][switch]
  std::vector<std::uint32_t> first_slot_;
};

}  // namespace fatwood
