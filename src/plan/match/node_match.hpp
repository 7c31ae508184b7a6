// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Finds the node of a real ("found") fabric that each planned node is, if the plan has few GUIDs or
// none.
//
// Method. Each step is for nodes that earlier steps did not match:
//  1. by GUID, if the plan has it;
//  2. by name, if the name is unique on both sides; adapters of one host in their order;
//  3. by votes of matched neighbours. For a planned cable to a matched neighbour, the node that is
//     really at that neighbour's port gets 2 points, or 3 if the cable also ends at the planned
//     port. A node is matched if it has more points than any other candidate and is not wanted more
//     by another planned node. Repeated until nothing changes;
//  4. by structure, if no neighbour is matched. A few planned switches are tried with found
//     switches whose cables run between the same port numbers. Each trial follows ports from that
//     pair, then corrects by votes. The trial with the most right cables wins. The nodes in which
//     equally good trials differ are ambiguous: their `alternatives` list the others;
//  5. by assignment: all others together, with the fewest wrong cables (assignment.hpp).
// Only cables outside boxes vote.
//
// A weak vote does not match a node whose name belongs elsewhere. No step matches two adapters of
// one host that have different names of one kind: "h1 ibp203s0f1" is not "h1 ibp203s0f0". Names by
// number ("mlx5_1", "HCA-2") depend on drivers and scripts; they count if at least half of the
// hosts have exactly the planned ones. Nor does a step match adapters of two hosts if one of these
// names is on both sides: it belongs to another node.
//
// Cost: O(cables) per round of votes and per trial. Each round of step 4 tries at most 8 switches
// with 64 candidates. Step 5 takes O(n^3) for n <= 256 nodes; more stay unmatched.
// Related: ibdm's TopoMatch (votes from an anchor), DAC (SIGCOMM 2010).

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "plan/model/plan_fabric.hpp"

namespace fatwood {

enum class MatchedBy : std::uint8_t { kNothing, kGuid, kName, kHosts, kNeighbours, kAssignment };

// What is known about the planned nodes, or about the found ones.
//
// Names are compared in lower case, without "MF0;", model, domain (".example.com") and parts that
// FabricBuilder generated: "MF0;Leaf1:MQM9700/U1" and "leaf1" are "leaf1". A chip of a director is
// "dir1/l03/u1". An adapter is its host and device: "gpu1 mlx5_3" and "GPU1 HCA-4" are "gpu1|#3".
struct MatchSide {
  const Fabric& fabric;
  Table<Node, std::uint64_t> guid;  // 0: unknown or unusable
  Table<Node, std::string> name;    // "" for none
  Table<Node, std::string> host;    // adapters: the name of the host only
  Table<Node, std::string> device;  // adapters: "ibp.203.0.1", "#.3" for mlx5_3; "" for none
  Table<Channel, Channel> peer;     // outside boxes; kNone: no cable
};

MatchSide planned_side(const Plan& plan, const PlannedFabric& planned);
// Without aggregation nodes and without cables inside boxes.
MatchSide found_side(const Model& model);

struct NodeMatch {
  Table<Node, Node> found_of;    // by planned node; kNone: not found
  Table<Node, Node> planned_of;  // by found node; kNone: not planned
  Table<Node, MatchedBy> by;     // by planned node
  // By planned node: other found nodes that fit equally well, without its own match.
  std::map<Node, std::vector<Node>> alternatives;
};

// Whether two adapters of one host have different names of one kind. `counted`: names by number
// count, too.
bool other_adapter(const MatchSide& planned, Node p, const MatchSide& found, Node u, bool counted);

NodeMatch match_nodes(const MatchSide& planned, const MatchSide& found);

}  // namespace fatwood
