// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The difference between two fabrics: nodes lost, new, renamed or replaced; cables lost, new, moved
// or swapped; speeds and LIDs changed.
//
// Method:
// 1. Match nodes by GUID if the fabrics have GUIDs in common (Ethernet has none), otherwise by id.
// If they have neither
//    in common, and one fabric is a generated tree that the other is recognised as, match by place
//    in the tree. (So a plan by formula can be compared with a real fabric.)
// 2. Then match by cabling: a new node most of whose cables end where those of a lost node ended
//    replaces it.
// 3. Compare cables by both ends, node and port (if matched by place: by the tree's own ports). A
//    lost and a new cable with one common end are one moved cable. Two moved cables that exchanged
//    their other ends are swapped.
// Encoding: channels and nodes belong to the fabric that they are in. A cable is the channel out of
// the end that stayed, or else of the lower number. Cost: O(ports).

#include <utility>
#include <vector>

#include "topology/model.hpp"

namespace fatwood {

enum class Matched : std::uint8_t { kByGuid, kById, kByPlace, kByPlan };

struct MovedCable {
  Channel before = kNone<Channel>;  // of the first fabric, out of the end that stayed
  Channel after = kNone<Channel>;   // of the second, out of the same end
};

// A port with another LID or LMC; port 0 for a switch.
struct ChangedLid {
  Node before = kNone<Node>;
  Node after = kNone<Node>;
  Port port = kOwnPort;
  Address from;
  Address to;
};

struct FabricDiff {
  Matched matched = Matched::kByGuid;
  std::vector<Node> lost_nodes;  // of the first
  std::vector<Node> new_nodes;   // of the second
  std::vector<std::pair<Node, Node>> renamed;
  std::vector<std::pair<Node, Node>> replaced;  // another GUID in the same place
  std::vector<Channel> lost;                    // of the first
  std::vector<Channel> added;                   // of the second
  std::vector<MovedCable> moved;
  std::vector<std::pair<MovedCable, MovedCable>> swapped;
  std::vector<MovedCable> speeds;  // the same cable at another rate
  std::vector<ChangedLid> lids;    // if both fabrics have LIDs

  bool empty() const {
    return lost_nodes.empty() && new_nodes.empty() && renamed.empty() && replaced.empty() &&
           lost.empty() && added.empty() && moved.empty() && swapped.empty() && speeds.empty() &&
           lids.empty();
  }
};

FabricDiff diff_fabrics(const Model& before, const Model& after);
// With given matches (plan/match/node_match.hpp): by node of the first, kNone for none.
FabricDiff diff_fabrics(const Model& before, const Model& after, const Table<Node, Node>& matched);

}  // namespace fatwood
