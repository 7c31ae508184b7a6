// SPDX-License-Identifier: BSD-3-Clause
#include "topology/change/fabric_diff.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>

namespace fatwood {

namespace {

// The matching node of the other fabric; kNone: none.
struct Match {
  Matched by = Matched::kByGuid;
  Table<Node, Node> of_before, of_after;

  void join(Node before, Node after) {
    of_before[before] = after;
    of_after[after] = before;
  }
};

Match no_match(const Fabric& before, const Fabric& after, Matched by) {
  return {by, Table<Node, Node>(before.num_nodes(), kNone<Node>),
          Table<Node, Node>(after.num_nodes(), kNone<Node>)};
}

template <class Key, class Of>
std::size_t match_by(const Fabric& before, const Fabric& after, const Of& of, Match& match) {
  std::unordered_map<Key, Node> nodes;
  for (const Node node : ids<Node>(before.num_nodes())) nodes.emplace(of(before, node), node);
  std::size_t found = 0;
  for (const Node node : ids<Node>(after.num_nodes())) {
    const auto at = nodes.find(of(after, node));
    if (at == nodes.end() || before.is_switch(at->second) != after.is_switch(node)) continue;
    if (match.of_before[at->second] != kNone<Node>) continue;
    match.join(at->second, node);
    ++found;
  }
  return found;
}

// The places of a fabric that is or is nearest to this shape; nullptr: it is not.
const TreeMap* places_of(const Model& model, const TreeShape& shape) {
  const std::optional<TreeMap>& map = model.recognition().map;
  return map && map->trees == 1 && map->shape == shape && shape.up_ports(0) == 1 ? &*map : nullptr;
}

// An Ethernet fabric has no GUIDs: those in it are counted.
bool has_guids(const Fabric& fabric) {
  return std::ranges::none_of(ids<Channel>(fabric.num_channels()), [&](Channel c) {
    return fabric.connected(c) && is_ethernet(fabric.rate(c));
  });
}

class Differ {
 public:
  Differ(const Model& before, const Model& after)
      : a_(before.fabric()), b_(after.fabric()), match_(match(before, after)) {}
  Differ(const Model& before, const Model& after, const Table<Node, Node>& matched)
      : a_(before.fabric()), b_(after.fabric()), match_(no_match(a_, b_, Matched::kByPlan)) {
    for (const Node node : ids<Node>(a_.num_nodes())) {
      if (matched[node] != kNone<Node>) match_.join(node, matched[node]);
    }
  }

  FabricDiff run() {
    diff_.matched = match_.by;
    if (match_.by == Matched::kByPlan) {
      compare_cables();  // a plan has no LIDs, and names are for the matching
    } else if (match_.by != Matched::kByPlace) {
      find_replaced();
      compare_names();
      compare_cables();
      compare_lids();
    }
    for (const Node node : ids<Node>(a_.num_nodes())) {
      if (match_.of_before[node] == kNone<Node>) diff_.lost_nodes.push_back(node);
    }
    for (const Node node : ids<Node>(b_.num_nodes())) {
      if (match_.of_after[node] == kNone<Node>) diff_.new_nodes.push_back(node);
    }
    return std::move(diff_);
  }

 private:
  Match match(const Model& before, const Model& after) {
    Match by_guid = no_match(a_, b_, Matched::kByGuid);
    const auto guid = [](const Fabric& fabric, Node node) { return fabric.guid(node); };
    const bool guids = has_guids(a_) && has_guids(b_);
    if (guids && match_by<std::uint64_t>(a_, b_, guid, by_guid) > 0) return by_guid;
    Match by_id = no_match(a_, b_, Matched::kById);
    const auto id = [](const Fabric& fabric, Node node) { return std::string(fabric.id(node)); };
    if (match_by<std::string>(a_, b_, id, by_id) > 0) return by_id;
    Match by_place = no_match(a_, b_, Matched::kByPlace);
    const std::optional<TreeShape>& plan = a_.tree() ? a_.tree() : b_.tree();
    if (!plan) return by_id;
    const TreeMap* const in_a = places_of(before, *plan);
    const TreeMap* const in_b = places_of(after, *plan);
    if (in_a == nullptr || in_b == nullptr) return by_id;
    for (std::size_t i = 0; i < in_a->terminal_at.size(); ++i) {
      const Terminal was = in_a->terminal_at[i], is = in_b->terminal_at[i];
      if (was == kNone<Terminal> || is == kNone<Terminal>) continue;
      by_place.join(a_.adapter_node(was), b_.adapter_node(is));
    }
    for (std::size_t i = 0; i < in_a->switch_at.size(); ++i) {
      const Switch was = in_a->switch_at[i], is = in_b->switch_at[i];
      if (was == kNone<Switch> || is == kNone<Switch>) continue;
      by_place.join(a_.node(was), b_.node(is));
    }
    compare_places(in_a->channel, in_b->channel);
    return by_place;
  }

  // By the tree's own ports; each cable is seen from both ends and reported from the lower one.
  void compare_places(const std::vector<Channel>& a, const std::vector<Channel>& b) {
    std::vector<std::uint8_t> known(b_.num_channels());
    for (std::size_t i = 0; i < a.size(); ++i) {
      const Channel was = a[i];
      const Channel is = b[i];
      if (is != kNone<Channel>) known[index(is)] = 1;
      if (was != kNone<Channel> && is == kNone<Channel>) {
        if (was < a_.peer(was)) diff_.lost.push_back(was);
      } else if (was == kNone<Channel> && is != kNone<Channel>) {
        if (is < b_.peer(is)) diff_.added.push_back(is);
      } else if (was != kNone<Channel> && was < a_.peer(was) && a_.rate(was) != b_.rate(is)) {
        diff_.speeds.push_back({was, is});
      }
    }
    for (const Channel c : ids<Channel>(b_.num_channels())) {
      if (b_.connected(c) && c < b_.peer(c) && known[index(c)] == 0) diff_.added.push_back(c);
    }
  }

  // The channel of the other fabric out of the same port of the same node.
  Channel in_b(Channel c) const { return same_port(a_, c, b_, match_.of_before); }
  Channel in_a(Channel c) const { return same_port(b_, c, a_, match_.of_after); }
  static Channel same_port(const Fabric& from, Channel c, const Fabric& to,
                           const Table<Node, Node>& match) {
    const Node node = match[from.owner(c)];
    return node == kNone<Node> ? kNone<Channel> : to.find_channel(node, index(from.port(c)));
  }
  bool is_replaced(Node before, Node after) const {
    return std::ranges::find(diff_.replaced, std::pair(before, after)) != diff_.replaced.end();
  }

  void find_replaced() {
    for (const Node node : ids<Node>(b_.num_nodes())) {
      if (match_.of_after[node] != kNone<Node>) continue;
      std::map<Node, std::size_t> votes;
      std::size_t cables = 0;
      for (const Channel c : b_.channels(node)) {
        if (!b_.connected(c)) continue;
        ++cables;
        const Channel far = in_a(b_.peer(c));
        if (far == kNone<Channel> || !a_.connected(far)) continue;
        const Node was = a_.neighbour(far);
        if (match_.of_before[was] == kNone<Node> && a_.is_switch(was) == b_.is_switch(node)) {
          ++votes[was];
        }
      }
      const auto best =
          std::ranges::max_element(votes, {}, [](const auto& vote) { return vote.second; });
      if (best == votes.end() || best->second * 2 <= cables) continue;
      match_.join(best->first, node);
      diff_.replaced.emplace_back(best->first, node);
    }
  }

  void compare_names() {
    for (const Node node : ids<Node>(a_.num_nodes())) {
      const Node other = match_.of_before[node];
      if (other == kNone<Node> || display_name(a_, node) == display_name(b_, other)) continue;
      if (!is_replaced(node, other)) diff_.renamed.emplace_back(node, other);
    }
  }

  // Ports that have a LID in both. A replaced node may have any.
  void compare_lids() {
    for (const Switch s : ids<Switch>(a_.num_switches())) {
      const Node other = match_.of_before[a_.node(s)];
      if (other == kNone<Node>) continue;
      compare_addresses(
          {a_.node(s), other, kOwnPort, a_.address(s), b_.address(b_.as_switch(other))});
    }
    for (const Terminal t : ids<Terminal>(a_.num_terminals())) {
      const Channel is = in_b(a_.terminal_channel(t));
      if (is == kNone<Channel> || !b_.connected(is)) continue;
      const Terminal other = b_.terminal_at(is);
      compare_addresses({a_.adapter_node(t), b_.adapter_node(other),
                         a_.port(a_.terminal_channel(t)), a_.address(t), b_.address(other)});
    }
  }
  void compare_addresses(const ChangedLid& lid) {
    if (lid.from.lid == kNoLid || lid.to.lid == kNoLid) return;
    if (is_replaced(lid.before, lid.after)) return;
    if (lid.from.lid != lid.to.lid || lid.from.lmc != lid.to.lmc) diff_.lids.push_back(lid);
  }

  bool same_cable(Channel was, Channel is) const {
    return is != kNone<Channel> && b_.connected(is) && in_b(a_.peer(was)) == b_.peer(is);
  }

  void compare_cables() {
    std::vector<Channel> lost, added;
    for (const Channel c : ids<Channel>(a_.num_channels())) {
      if (!a_.connected(c) || c > a_.peer(c)) continue;
      const Channel is = in_b(c);
      if (!same_cable(c, is)) {
        lost.push_back(c);
      } else if (a_.rate(c) != b_.rate(is)) {
        diff_.speeds.push_back({c, is});
      }
    }
    for (const Channel c : ids<Channel>(b_.num_channels())) {
      if (!b_.connected(c) || c > b_.peer(c)) continue;
      const Channel was = in_a(c);
      if (was == kNone<Channel> || !a_.connected(was) || !same_cable(was, c)) added.push_back(c);
    }
    pair_up(lost, added);
  }

  // A lost cable that has a new one at one of its ends was moved.
  void pair_up(const std::vector<Channel>& lost, const std::vector<Channel>& added) {
    std::set<Channel> fresh;  // of the second fabric: out of both ends of new cables
    for (const Channel c : added) fresh.insert({c, b_.peer(c)});
    std::vector<MovedCable> moved;
    for (const Channel c : lost) {
      const Channel end = fresh.contains(in_b(c)) ? c : a_.peer(c);  // that stayed
      const Channel is = in_b(end);
      if (fresh.erase(is) == 0) {
        diff_.lost.push_back(c);
        continue;
      }
      moved.push_back({end, is});
      fresh.erase(b_.peer(is));
    }
    for (const Channel c : added) {
      if (fresh.contains(c)) diff_.added.push_back(c);
    }
    pair_swapped(std::move(moved));
  }

  // Two moved cables, each of which ends where the other did.
  void pair_swapped(std::vector<MovedCable> moved) {
    std::map<Channel, std::size_t> left_from;  // far port in the second fabric, of what was there
    for (std::size_t i = 0; i < moved.size(); ++i) {
      const Channel far = in_b(a_.peer(moved[i].before));
      if (far != kNone<Channel>) left_from[far] = i;
    }
    std::vector<std::uint8_t> done(moved.size());
    for (std::size_t i = 0; i < moved.size(); ++i) {
      if (done[i] != 0) continue;
      const auto at = left_from.find(b_.peer(moved[i].after));
      if (at != left_from.end() && at->second != i && done[at->second] == 0) {
        const std::size_t j = at->second;
        if (in_b(a_.peer(moved[i].before)) == b_.peer(moved[j].after)) {
          diff_.swapped.emplace_back(moved[i], moved[j]);
          done[i] = done[j] = 1;
          continue;
        }
      }
      diff_.moved.push_back(moved[i]);
    }
  }

  const Fabric& a_;
  const Fabric& b_;
  FabricDiff diff_;
  Match match_;
};

}  // namespace

FabricDiff diff_fabrics(const Model& before, const Model& after) {
  return Differ(before, after).run();
}

FabricDiff diff_fabrics(const Model& before, const Model& after, const Table<Node, Node>& matched) {
  return Differ(before, after, matched).run();
}

}  // namespace fatwood
