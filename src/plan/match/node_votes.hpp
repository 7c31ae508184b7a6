// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Votes of matched neighbours for a planned node (node_match.hpp, step 3), and trials (step 4).

#include <cstdint>
#include <vector>

#include "plan/match/node_match.hpp"

namespace fatwood {

// The two sides and a matching of them that may change.
struct Pairing {
  Table<Node, Node> found_of;
  Table<Node, Node> planned_of;

  void join(Node planned, Node found) {
    found_of[planned] = found;
    planned_of[found] = planned;
  }
};

struct Tally {
  Node best = kNone<Node>;
  std::uint32_t points = 0;
  std::uint32_t second = 0;      // points of the next candidate
  std::uint32_t from_hosts = 0;  // points of the best that come from adapters
};

// Which nodes may get votes.
enum class Candidates : std::uint8_t { kFree, kAll };

class NodeVotes {
 public:
  NodeVotes(const MatchSide& planned, const MatchSide& found);

  // Names of adapters by number are those of the plan (other_adapter).
  void trust_numbers() { counted_ = true; }
  // Whether names allow the pair.
  bool may_be(Node p, Node u) const {
    if (planned_.fabric.is_switch(p) != found_.fabric.is_switch(u)) return false;
    if (planned_.host[p] == found_.host[u]) return !other_adapter(planned_, p, found_, u, counted_);
    const bool named = !planned_.host[p].empty() && !found_.host[u].empty();
    return !named || (host_is_found_[p] == 0 && host_is_planned_[u] == 0);
  }

  Tally tally(const Pairing& pairing, Node p, Candidates candidates) const;
  // Points that neighbours give to the pair (p, u): 3 or 2 if u is at the planned port of the
  // neighbour, 1 if u is at another port of it, or if two swapped cables explain where u is.
  std::uint32_t affinity(const Pairing& pairing, Node p, Node u) const;
  // The number of planned cables that are found as planned.
  std::size_t right_cables(const Pairing& pairing) const;
  // Follows equal ports from the pairs of the queue.
  void follow(Pairing& pairing, std::vector<Node> queue) const;
  // Matches every node that is not fixed as its neighbours vote.
  void sweep(Pairing& pairing, const Table<Node, std::uint8_t>& fixed) const;
  // The number of ports, to switches or adapters, with cables between the same port numbers.
  std::size_t overlap(Node p, Node u) const;

 private:
  // The found channel where the planned cable out of `c` ends, seen from its far end.
  Channel seen(const Pairing& pairing, Channel c) const;
  // The other end of the cable at this port of a found node.
  Channel across(Node u, Port port) const;
  Node exchanged(const Pairing& pairing, Channel c) const;

  const MatchSide& planned_;
  const MatchSide& found_;
  // Adapters whose host, by its name, is on the other side, too.
  Table<Node, std::uint8_t> host_is_found_, host_is_planned_;
  bool counted_ = false;
};

}  // namespace fatwood
