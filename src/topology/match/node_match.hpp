// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Which found node each planned node is, where the plan knows few GUIDs or none.
//
// Method, each step for nodes that the steps before left:
//  1. by GUID, where the plan has it;
//  2. by name, if it is unique in both (node_names.hpp); adapters of one host in their order;
//  3. by votes: the found node at the port where a matched neighbour should have this one gets 2
//     points, 3 if the cable also ends at the planned port. A node is matched if it has more points
//     than any other candidate, and more than any other claimant. Repeated until nothing changes;
//  4. by structure, where no neighbour is matched: some planned switches are tried against the
//  found
//     ones whose cables run between the same port numbers. Each trial follows ports from that pair,
//     then lets votes correct it; the trial with most right cables is taken. Equally good trials
//     are alternatives: the nodes they exchange are ambiguous;
//  5. by assignment: the rest as a whole, with the fewest wrong cables (assignment.hpp).
// Only cables outside of boxes vote.
//
// Cost: O(cables) per round of votes and a trial; at most 8 switches with 64 candidates are tried
// for each part that no name reaches; step 5 takes O(n^3) of n <= 256 nodes, greedy above. Related:
// ibdm's TopoMatch (votes from an anchor), DAC (SIGCOMM 2010).

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "topology/fabric.hpp"

namespace fatwood {

enum class MatchedBy : std::uint8_t { kNothing, kGuid, kName, kHosts, kNeighbours, kAssignment };

// A planned node's side of the question, or a found one's.
struct MatchSide {
  const Fabric& fabric;
  Table<Node, std::uint64_t> guid;  // 0: unknown, or not to be used
  Table<Node, std::string> name;    // as node_names.hpp makes them; "" for none
  Table<Node, std::string> host;    // of adapters: the host's name alone
  Table<Channel, Channel> peer;     // outside of boxes; kNone: no cable
};

struct NodeMatch {
  Table<Node, Node> found_of;    // by planned node; kNone: not found
  Table<Node, Node> planned_of;  // by found node; kNone: not planned
  Table<Node, MatchedBy> by;     // by planned node
  // Planned nodes that could as well be other found ones: those, its own not named.
  std::map<Node, std::vector<Node>> alternatives;
};

NodeMatch match_nodes(const MatchSide& planned, const MatchSide& found);

}  // namespace fatwood
