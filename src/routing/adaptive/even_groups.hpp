// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Groups of ports, cut so that adaptive all-to-all is even over the links of each cut.
//
// Objective: no link above its target load, the largest fair share of the cuts that it belongs to
// (topology/levels/tree_cuts.hpp), when every switch splits what it sends equally over a group.
//
// Problem: a switch splits equally over a group, but there are not equally many cables behind its
// ports. What lies behind the poorer ones is too full. A port that is in the groups of some
// destinations and not in those of others gets any share of the traffic.
// Method: passes over classes of destinations: those of a leaf, or parts of them where leaves are
// few. A link has a price that is exponential in its load over its target load. At each switch that
// traffic to the class passes, the mean price of the way by each port is known. A port whose way
// has a link that is overloaded leaves the group, or a port that was cut comes back, or both,
// whichever lowers the mean price most. The changes of a class are made together if the sum of
// prices over all links falls; otherwise half of them, and so on. So every change lowers one sum.
// Each group is a part of the group that the search begins with, and has a port. So what is proved
// for all choices among those holds: none loops, and the order of channels is the same.
// Fabrics without cuts: the load that a pass aims at is that of the most loaded link, less some.
// Result: the same at any number of threads, as one makes the changes; no link further above its
// target load than the worst at the beginning. Cost: O(passes * classes * cables).

#include <cstdint>
#include <optional>
#include <vector>

#include "routing/adaptive/least_hop_groups.hpp"

namespace fatwood {

// `distance`: legal hops to each switch; `full`: all ports of least hops, by switch; `tables`: the
// default ports; `most_groups`: of a switch, unless `full` has more. The result has classes of its
// own (GroupTable::class_of).
GroupTable even_groups(const Model& model, const std::vector<std::uint16_t>& distance,
                       const GroupTable& full, const ForwardingTables& tables,
                       std::optional<std::size_t> most_groups);

}  // namespace fatwood
