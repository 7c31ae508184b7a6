// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Chooses groups of ports such that adaptive all-to-all loads the links of each cut evenly.
//
// Problem: a switch divides its traffic equally over the ports of a group, but the cables behind
// these ports may differ in number. Behind the ports with fewer cables, links are overloaded.
// Objective: no link above its target load, the largest fair share of the cuts that it belongs to
// (topology/levels/tree_cuts.hpp), if every switch divides its traffic equally over each group.
// Idea: remove a port from the groups of some destinations and leave it in those of others. So it
// can get any share of the traffic.
// Method: passes over classes of destinations: those of a leaf, or parts of them if there are few
// leaves. The price of a link is exponential in load / target load. At each switch that traffic to
// the class passes, compare the mean prices of the paths over each port. If the paths over a port
// have an overloaded link, remove the port from the group, or add a removed port again, or both,
// whichever reduces the mean price most. The changes of a class are made together if they reduce
// the sum of prices over all links; otherwise half of them are tried, and so on. So every change
// reduces that sum. Passes for a large overload come first, then for half of it, and so on.
//
// Every group is a non-empty part of the initial group. So what is proved for all choices of the
// initial groups still holds: none loops, and the order of channels is the same. On fabrics without
// cuts, the target of a pass is a little below the load of the most loaded link.
// Result: no link is further above its target load than the worst at the beginning. It is the same
// at any number of threads, because one thread makes the changes. Cost: O(passes * classes *
// cables).

#include <cstdint>
#include <optional>
#include <vector>

#include "routing/adaptive/least_hop_groups.hpp"

namespace fatwood {

// `distance`: legal hops to each switch. `full`: all ports with the fewest hops, by switch.
// `tables`: the default ports. `most_groups`: the most groups of a switch, unless `full` has more.
// The result has classes of its own (GroupTable::class_of).
GroupTable even_groups(const Model& model, const std::vector<std::uint16_t>& distance,
                       const GroupTable& full, const ForwardingTables& tables,
                       std::optional<std::size_t> most_groups);

}  // namespace fatwood
