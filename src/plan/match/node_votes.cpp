// SPDX-License-Identifier: BSD-3-Clause
#include "plan/match/node_votes.hpp"

#include <algorithm>
#include <unordered_set>
#include <utility>

namespace fatwood {

namespace {

Table<Node, std::uint8_t> hosts_in_both(const MatchSide& mine, const MatchSide& other) {
  std::unordered_set<std::string_view> names;
  for (const Node node : ids<Node>(other.fabric.num_nodes())) {
    if (!other.host[node].empty()) names.insert(other.host[node]);
  }
  Table<Node, std::uint8_t> both(mine.fabric.num_nodes());
  for (const Node node : ids<Node>(mine.fabric.num_nodes())) {
    both[node] = names.contains(mine.host[node]) ? 1 : 0;
  }
  return both;
}

}  // namespace

NodeVotes::NodeVotes(const MatchSide& planned, const MatchSide& found)
    : planned_(planned),
      found_(found),
      host_is_found_(hosts_in_both(planned, found)),
      host_is_planned_(hosts_in_both(found, planned)) {}

Channel NodeVotes::seen(const Pairing& pairing, Channel c) const {
  const Fabric& plan = planned_.fabric;
  const Channel far = planned_.peer[c];
  if (far == kNone<Channel>) return kNone<Channel>;
  const Node neighbour = pairing.found_of[plan.owner(far)];
  return neighbour == kNone<Node> ? kNone<Channel> : across(neighbour, plan.port(far));
}

Channel NodeVotes::across(Node u, Port port) const {
  const Channel here = found_.fabric.find_channel(u, index(port));
  return here == kNone<Channel> ? here : found_.peer[here];
}

Tally NodeVotes::tally(const Pairing& pairing, Node p, Candidates candidates) const {
  struct Count {
    Node node;
    std::uint32_t points, from_hosts;
  };
  std::vector<Count> counts;
  const Fabric& plan = planned_.fabric;
  const Fabric& found = found_.fabric;
  for (const Channel c : plan.channels(p)) {
    const Channel here = seen(pairing, c);
    if (here == kNone<Channel>) continue;
    const Node u = found.owner(here);
    if (!may_be(p, u)) continue;
    if (candidates == Candidates::kFree && pairing.planned_of[u] != kNone<Node>) continue;
    const std::uint32_t points = found.port(here) == plan.port(c) ? 3 : 2;
    const bool host = !plan.is_switch(plan.owner(planned_.peer[c]));
    auto at = std::ranges::find(counts, u, &Count::node);
    if (at == counts.end()) at = counts.insert(counts.end(), {u, 0, 0});
    at->points += points;
    if (host) at->from_hosts += points;
  }
  Tally result;
  for (const Count& count : counts) {
    if (count.points > result.points) {
      result = {count.node, count.points, result.points, count.from_hosts};
    } else {
      result.second = std::max(result.second, count.points);
    }
  }
  return result;
}

// The found node in the place of the matched node that has p's place: two cables were swapped.
Node NodeVotes::exchanged(const Pairing& pairing, Channel c) const {
  const Channel here = seen(pairing, c);
  if (here == kNone<Channel>) return kNone<Node>;
  const Node intruder = pairing.planned_of[found_.fabric.owner(here)];
  if (intruder == kNone<Node>) return kNone<Node>;
  const Channel own = planned_.fabric.find_channel(intruder, index(found_.fabric.port(here)));
  const Channel there = own == kNone<Channel> ? own : seen(pairing, own);
  return there == kNone<Channel> ? kNone<Node> : found_.fabric.owner(there);
}

std::uint32_t NodeVotes::affinity(const Pairing& pairing, Node p, Node u) const {
  const Fabric& plan = planned_.fabric;
  const Fabric& found = found_.fabric;
  std::uint32_t points = 0;
  for (const Channel c : plan.channels(p)) {
    const Channel here = seen(pairing, c);
    if (here != kNone<Channel> && found.owner(here) == u) {
      points += found.port(here) == plan.port(c) ? 3U : 2U;
      continue;
    }
    const Channel far = planned_.peer[c];
    if (far == kNone<Channel>) continue;
    const Node neighbour = pairing.found_of[plan.owner(far)];
    if (neighbour == kNone<Node>) continue;
    const bool adjacent = std::ranges::any_of(found.channels(u), [&](Channel other) {
      return found_.peer[other] != kNone<Channel> && found.owner(found_.peer[other]) == neighbour;
    });
    if (adjacent || exchanged(pairing, c) == u) ++points;
  }
  return points;
}

std::size_t NodeVotes::right_cables(const Pairing& pairing) const {
  std::size_t right = 0;
  const Fabric& plan = planned_.fabric;
  for (const Node p : ids<Node>(plan.num_nodes())) {
    const Node u = pairing.found_of[p];
    if (u == kNone<Node>) continue;
    for (const Channel c : plan.channels(p)) {
      const Channel here = seen(pairing, c);
      if (here != kNone<Channel> && found_.fabric.owner(here) == u &&
          found_.fabric.port(here) == plan.port(c)) {
        ++right;
      }
    }
  }
  return right / 2;
}

void NodeVotes::follow(Pairing& pairing, std::vector<Node> queue) const {
  const Fabric& plan = planned_.fabric;
  const Fabric& found = found_.fabric;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const Node p = queue[i];
    const Node u = pairing.found_of[p];
    for (const Channel c : plan.channels(p)) {
      const Channel far = planned_.peer[c];
      if (far == kNone<Channel> || pairing.found_of[plan.owner(far)] != kNone<Node>) continue;
      const Channel there = across(u, plan.port(c));
      if (there == kNone<Channel>) continue;
      const Node q = plan.owner(far);
      const Node v = found.owner(there);
      if (found.port(there) != plan.port(far) || !may_be(q, v)) continue;
      if (pairing.planned_of[v] != kNone<Node>) continue;
      pairing.join(q, v);
      queue.push_back(q);
    }
  }
}

void NodeVotes::sweep(Pairing& pairing, const Table<Node, std::uint8_t>& fixed) const {
  struct Proposal {
    std::uint32_t points;
    bool stays;
    Node planned, found;
  };
  std::vector<Proposal> proposals;
  for (const Node p : ids<Node>(planned_.fabric.num_nodes())) {
    if (fixed[p] != 0) continue;
    const Tally tally = this->tally(pairing, p, Candidates::kAll);
    if (tally.best == kNone<Node>) {
      if (pairing.found_of[p] != kNone<Node>)
        proposals.push_back({0, true, p, pairing.found_of[p]});
      continue;
    }
    // A tie changes nothing.
    const Node now = pairing.found_of[p];
    const bool tie = tally.points == tally.second && now != kNone<Node>;
    proposals.push_back({tally.points, tie || tally.best == now, p, tie ? now : tally.best});
  }
  std::ranges::stable_sort(proposals, [](const Proposal& a, const Proposal& b) {
    return a.points != b.points ? a.points > b.points : a.stays && !b.stays;
  });
  Pairing next{Table<Node, Node>(planned_.fabric.num_nodes(), kNone<Node>),
               Table<Node, Node>(found_.fabric.num_nodes(), kNone<Node>)};
  for (const Node p : ids<Node>(planned_.fabric.num_nodes())) {
    if (fixed[p] != 0 && pairing.found_of[p] != kNone<Node>) next.join(p, pairing.found_of[p]);
  }
  for (const Proposal& proposal : proposals) {
    if (next.planned_of[proposal.found] == kNone<Node>) next.join(proposal.planned, proposal.found);
  }
  pairing = std::move(next);
}

std::size_t NodeVotes::overlap(Node p, Node u) const {
  const Fabric& plan = planned_.fabric;
  const Fabric& found = found_.fabric;
  std::size_t switches = 0, adapters = 0, planned_switches = 0;
  for (const Channel c : plan.channels(p)) {
    const Channel far = planned_.peer[c];
    if (far == kNone<Channel>) continue;
    const bool is_switch = plan.is_switch(plan.owner(far));
    planned_switches += is_switch ? 1 : 0;
    const Channel there = across(u, plan.port(c));
    if (there == kNone<Channel>) continue;
    if (found.is_switch(found.owner(there)) != is_switch || found.port(there) != plan.port(far)) {
      continue;
    }
    ++(is_switch ? switches : adapters);
  }
  // Ports of adapters are all alike: cables to switches decide, where there are any.
  return planned_switches > 0 ? switches * 256 + adapters : adapters;
}

}  // namespace fatwood
