// SPDX-License-Identifier: BSD-3-Clause
#include "oracle/ordered_routes.hpp"

#include <fmt/format.h>

#include <functional>
#include <map>
#include <set>

namespace fatwood::oracle {

namespace {

// Whether b can be reached from a by links of one layer, one link left out.
bool joined(const OrderedLinks& links, std::uint32_t a, std::uint32_t b, unsigned layer,
            Link without) {
  std::set<std::uint32_t> seen{a};
  std::vector<std::uint32_t> list{a};
  for (std::size_t i = 0; i < list.size(); ++i) {
    for (const Link arc : ids<Link>(links.size())) {
      if (links.from[arc] != list[i] || links.layer[arc] != layer) continue;
      if (arc == without || links.reverse[arc] == without) continue;
      if (seen.insert(links.to[arc]).second) list.push_back(links.to[arc]);
    }
  }
  return seen.contains(b);
}

}  // namespace

std::string fault_of_layers(const OrderedLinks& links) {
  for (const Link arc : ids<Link>(links.size())) {
    const Link back = links.reverse[arc];
    if (links.reverse[back] != arc || links.from[back] != links.to[arc] ||
        links.layer[back] != links.layer[arc]) {
      return fmt::format("arc {} and its reverse differ", index(arc));
    }
    if (links.layer[arc] == 0) return fmt::format("arc {} has no layer", index(arc));
    if (joined(links, links.from[arc], links.to[arc], links.layer[arc], arc)) {
      return fmt::format("arc {} closes a circle in layer {}", index(arc), links.layer[arc]);
    }
    for (unsigned below = 1; below < links.layer[arc]; ++below) {
      if (!joined(links, links.from[arc], links.to[arc], below, arc)) {
        return fmt::format("arc {} of layer {} fits layer {}", index(arc), links.layer[arc], below);
      }
    }
  }
  return "";
}

std::vector<std::uint16_t> legal_distances(const OrderedLinks& links, std::uint32_t source) {
  std::set<std::pair<std::uint32_t, unsigned>> seen{{source, 0}};
  std::vector<std::pair<std::uint32_t, unsigned>> now{{source, 0}};
  std::vector<std::uint16_t> distance(links.switches, kNoDistance);
  distance[source] = 0;
  for (std::uint16_t hops = 1; !now.empty(); ++hops) {
    std::vector<std::pair<std::uint32_t, unsigned>> next;
    for (const auto& [s, layer] : now) {
      for (const Link arc : ids<Link>(links.size())) {
        if (links.from[arc] != s || links.layer[arc] < layer) continue;
        if (!seen.insert({links.to[arc], links.layer[arc]}).second) continue;
        next.emplace_back(links.to[arc], links.layer[arc]);
        distance[links.to[arc]] = std::min(distance[links.to[arc]], hops);
      }
    }
    now = std::move(next);
  }
  return distance;
}

std::string fault_of_alternatives(const OrderedLinks& links, const OrderedAlternatives& found,
                                  std::uint32_t destination) {
  const std::vector<std::uint16_t> reachable = legal_distances(links, destination);
  for (std::uint32_t s = 0; s < links.switches; ++s) {
    if (s == destination) {
      if (!found.of(s).empty() || found.distance[s] != 0) return "the destination forwards";
      continue;
    }
    // Undirected links: what the destination reaches in layer 1 reaches it.
    if ((reachable[s] == kNoDistance) != found.of(s).empty()) {
      return fmt::format("switch {} has {} alternatives", s, found.of(s).size());
    }
    for (const Link arc : found.of(s)) {
      if (links.from[arc] != s) return fmt::format("arc {} is not of switch {}", index(arc), s);
      const std::uint32_t next = links.to[arc];
      if (found.distance[next] + 1 != found.distance[s]) {
        return fmt::format("switch {} at {} goes to {} at {}", s, found.distance[s], next,
                           found.distance[next]);
      }
      for (const Link further : found.of(next)) {
        if (links.layer[further] < links.layer[arc]) {
          return fmt::format("switch {} goes by layer {} to {}, which goes by layer {}", s,
                             links.layer[arc], next, links.layer[further]);
        }
      }
    }
  }
  return "";
}

bool has_cycle(const Fabric& fabric, const std::vector<std::vector<Channel>>& paths) {
  std::map<Channel, std::set<Channel>> dependencies;
  for (const auto& path : paths) {
    for (std::size_t i = 0; i + 1 < path.size(); ++i) {
      if (fabric.neighbour(path[i]) != fabric.owner(path[i + 1])) return true;  // no path at all
      dependencies[path[i]].insert(path[i + 1]);
    }
  }
  std::map<Channel, int> color;
  const std::function<bool(Channel)> visit = [&](Channel c) {
    color[c] = 1;
    for (const Channel next : dependencies[c]) {
      if (color[next] == 1 || (color[next] == 0 && visit(next))) return true;
    }
    color[c] = 2;
    return false;
  };
  std::vector<Channel> all;
  for (const auto& [c, next] : dependencies) all.push_back(c);
  for (const Channel c : all) {
    if (color[c] == 0 && visit(c)) return true;
  }
  return false;
}

}  // namespace fatwood::oracle
