// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The difference between two fabrics: nodes lost, new, renamed or replaced, cables lost, new, moved
// or swapped, speeds and LIDs changed.
//
// Method: nodes are matched by GUID where the fabrics have GUIDs in common, else by id; where they
// have neither in common and one is a generated tree that the other is recognised as, by their
// place in the tree (a plan against what was found). Then by cabling: a new node whose cables
// mostly end where those of a lost one ended replaced it. Cables are compared by both ends, node
// and port (by place: by the tree's own ports). A lost and a new cable with one end in common are
// one cable moved; two of them whose other ends changed places are swapped. Encoding: channels and
// nodes of the fabric they are in; a cable is the channel out of the end that stayed, or of the
// lower number. Cost: O(ports).

#include <string_view>
#include <utility>
#include <vector>

#include "topology/model.hpp"

namespace fatwood {

enum class Matched : std::uint8_t { kByGuid, kById, kByPlace, kByPlan };

struct MovedCable {
  Channel before = kNone<Channel>;  // of the first fabric, out of the end that stayed
  Channel after = kNone<Channel>;   // of the second, out of the same end
};

// A port that has another LID or LMC; 0 for a switch's own.
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
  std::vector<ChangedLid> lids;    // of fabrics that both have LIDs

  bool empty() const {
    return lost_nodes.empty() && new_nodes.empty() && renamed.empty() && replaced.empty() &&
           lost.empty() && added.empty() && moved.empty() && swapped.empty() && speeds.empty() &&
           lids.empty();
  }
};

FabricDiff diff_fabrics(const Model& before, const Model& after);
// With nodes matched before (topology/match/node_match.hpp): by node of the first, kNone for none.
FabricDiff diff_fabrics(const Model& before, const Model& after, const Table<Node, Node>& matched);

}  // namespace fatwood
