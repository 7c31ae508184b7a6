// SPDX-License-Identifier: BSD-3-Clause
#include "sim/engine/routes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

#include "core/error.hpp"
#include "routing/adaptive/choice_walk.hpp"
#include "routing/adaptive/destination_classes.hpp"

namespace fatwood::sim {

namespace {
constexpr std::uint8_t kFarAway = 255;
constexpr std::uint32_t kEndOfRoute = 0xffffffffU;
}  // namespace

Routes Routes::by_tables(const Network& network, const Routing& routing) {
  Routes routes(network);
  routes.routing_ = &routing;
  routes.lanes_ = routing.lanes.count;
  if (!routing.source_routes.empty()) {
    routes.kind_ = Kind::kSourceRoutes;
    return routes;
  }
  if (routing.tables.num_terminals() != network.terminals ||
      routing.tables.num_switches() != network.switches) {
    throw InputError("the routing is for another fabric");
  }
  routes.kind_ = Kind::kTables;
  routes.next_ = routing.tables.row(Destination{0}).data();
  if (!routing.sets.empty()) routes.sets_ = &routing.sets;
  return routes;
}

Routes Routes::by_paths(const Network& network, const AlgebraicRouting& routing,
                        const CompleteTree* tree) {
  const PathSpace& space = routing.space();
  if (space.u(1) != 1) {
    throw InputError(
        "algebraic routings are simulated where each host has one port; use an engine that fills "
        "tables");
  }
  if (2 * std::size_t{space.height()} - 1 > kMaxInlineHops) {
    throw InputError(
        fmt::format("algebraic routings are simulated up to {} levels", (kMaxInlineHops + 1) / 2));
  }
  const bool placed = tree != nullptr && !tree->generated();
  if (space.nodes() != (placed ? network.adapters.size() : network.terminals)) {
    throw InputError("the routing is for another fabric");
  }
  Routes routes(network);
  routes.tree_ = placed ? tree : nullptr;
  routes.kind_ = Kind::kPaths;
  routes.algebraic_ = &routing;
  return routes;
}

Routes Routes::adaptive(const Network& network) {
  Routes routes(network);
  routes.kind_ = Kind::kAdaptive;
  const std::size_t n = network.switches;
  routes.distance_.assign(n * n, kFarAway);
  std::deque<std::uint32_t> queue;
  for (std::uint32_t root = 0; root < n; ++root) {
    std::uint8_t* distance = routes.distance_.data() + root * n;
    distance[root] = 0;
    queue.push_back(root);
    while (!queue.empty()) {
      const std::uint32_t s = queue.front();
      queue.pop_front();
      for (std::uint32_t i = 1; i < network.switch_ports[s]; ++i) {
        const std::uint32_t peer = network.ports[network.switch_first[s] + i].peer;
        if (peer == kNil || network.ports[peer].owner == kNil) continue;
        const std::uint32_t t = network.ports[peer].owner;
        if (distance[t] != kFarAway || distance[s] == kFarAway - 1) continue;
        distance[t] = static_cast<std::uint8_t>(distance[s] + 1);
        queue.push_back(t);
      }
    }
  }
  return routes;
}

void Routes::change_tables(std::vector<ForwardingTables> tables, std::vector<TableChange> changes) {
  later_ = std::move(tables);
  changes_ = std::move(changes);
  std::ranges::stable_sort(
      changes_, {}, [](const TableChange& change) { return std::tuple(change.owner, change.at); });
  first_change_.assign(switches_ + 1, 0);
  for (const TableChange& change : changes_) ++first_change_[change.owner + 1];
  for (std::size_t s = 0; s < switches_; ++s) first_change_[s + 1] += first_change_[s];
}

std::uint32_t Routes::changing_output(Itinerary& route, std::uint32_t owner, std::uint32_t dest,
                                      Time t) const {
  if (route.hop < std::numeric_limits<std::uint8_t>::max()) ++route.hop;
  std::uint32_t number = 0;
  for (std::uint32_t i = first_change_[owner]; i < first_change_[owner + 1]; ++i) {
    if (changes_[i].at <= t) number = changes_[i].tables;
  }
  const Port entry = number == 0 ? next_[std::size_t{route.at} * switches_ + owner]
                                 : later_[number - 1].at(static_cast<Destination>(route.at),
                                                         static_cast<Switch>(owner));
  if (index(entry) >= network_->switch_ports[owner]) return kNil;
  const std::uint32_t output = network_->switch_first[owner] + index(entry);
  const std::uint32_t peer = network_->ports[output].peer;
  if (peer == kNil) return kNil;
  const bool on = network_->ports[peer].owner != kNil;
  return on || peer == network_->endpoint_port[dest] ? output : kNil;
}

std::uint32_t Routes::paths(Endpoint s, Endpoint d) const {
  switch (kind_) {
    case Kind::kTables:
      return network_->is_terminal(d) ? 1U << routing_->tables.lmc() : 1;
    case Kind::kPaths:
      if (algebraic_->most() == 1) return 1;
      return algebraic_->num_paths(algebraic_->space().common_level(place(s), place(d)));
    default:
      return 1;
  }
}

Itinerary Routes::itinerary(Endpoint s, Endpoint d, std::uint32_t path) const {
  if (kind_ == Kind::kPaths) return path_itinerary(place(s), place(d), path);
  Itinerary route;
  const std::uint32_t leaf = network_->leaf[index(s)];
  if (kind_ == Kind::kTables) {
    const ForwardingTables& tables = routing_->tables;
    const Destination destination =
        network_->is_terminal(d)
            ? tables.destination(static_cast<Terminal>(index(d)), path)
            : tables.destination(static_cast<Switch>(index(d) - network_->terminals));
    route.at = index(destination);
    if (leaf != kNil) {
      route.lane =
          static_cast<std::uint8_t>(routing_->lanes.at(destination, static_cast<Switch>(leaf)));
    }
  } else if (kind_ == Kind::kSourceRoutes) {
    const std::uint32_t last = network_->leaf[index(d)];
    if (leaf == kNil || last == kNil) return route;
    const SourceRoutes& routes = routing_->source_routes;
    route.at = routes.first[std::size_t{leaf} * routes.switches + last];
    if (leaf == last) route.at = kEndOfRoute;
  }
  return route;
}

Itinerary Routes::path_itinerary(std::uint32_t from, std::uint32_t to, std::uint32_t path) const {
  Itinerary route;
  const PathSpace& space = algebraic_->space();
  PathIndex t = algebraic_->paths(from, to)[path];
  if (tree_ != nullptr) {
    std::size_t hop = 0;
    for (const Channel canonical : space.channels(from, to, t)) {
      const std::uint32_t out = index(tree_->channel_at(canonical));
      const std::uint32_t owner = network_->ports[out].owner;
      if (owner == kNil) continue;  // the host's own port
      route.port[hop++] = static_cast<Port>(out - network_->switch_first[owner]);
    }
    return route;
  }
  // Digit by digit, since divisions are slow: the children on the way down from below, up to the
  // level at which the two meet; then the up-ports from the top (path_space.hpp).
  const TreeShape& shape = space.shape();
  std::array<std::uint32_t, kMaxInlineHops> child;
  unsigned k = 0;
  for (; from != to; ++k) {
    child[k] = to % shape.m[k];
    to /= shape.m[k];
    from /= shape.m[k];
  }
  for (unsigned l = k; l-- > 0; t /= space.u(l + 1)) {
    const std::uint32_t up = t % space.u(l + 1);
    if (l > 0) route.port[l - 1] = static_cast<Port>(up + 1);
    const std::uint32_t copy = shape.p[l] == 1 ? 0 : up / shape.w[l];
    route.port[2 * k - 2 - l] =
        static_cast<Port>(shape.up_ports(l + 1) + copy * shape.m[l] + child[l] + 1);
  }
  return route;
}

// Follows the channels of the pair; at the destination's switch, out to the destination.
std::uint32_t Routes::source_output(Itinerary& route, std::uint32_t dest) const {
  const std::uint32_t last = network_->ports[network_->endpoint_port[dest]].peer;
  if (route.at == kEndOfRoute) return last;
  const Channel c = routing_->source_routes.channels[route.at];
  const std::uint32_t peer = network_->ports[index(c)].peer;
  route.at = network_->ports[peer].owner == network_->leaf[dest] ? kEndOfRoute : route.at + 1;
  return index(c);
}

void Routes::candidates(std::uint32_t owner, std::uint32_t dest,
                        std::vector<std::uint32_t>& out) const {
  out.clear();
  const std::uint32_t leaf = network_->leaf[dest];
  if (owner == leaf) {
    out.push_back(network_->ports[network_->endpoint_port[dest]].peer);
    return;
  }
  const std::uint8_t* distance = distance_.data() + std::size_t{leaf} * switches_;
  const std::uint32_t first = network_->switch_first[owner];
  for (std::uint32_t i = 1; i < network_->switch_ports[owner]; ++i) {
    const std::uint32_t peer = network_->ports[first + i].peer;
    if (peer == kNil || network_->ports[peer].owner == kNil) continue;
    if (distance[network_->ports[peer].owner] + 1 == distance[owner]) out.push_back(first + i);
  }
}

// Whatever is chosen, packets of these switches must arrive.
void Routes::check_choices(const Fabric& fabric, std::span<const Destination> destinations,
                           std::span<const std::uint32_t> sources) const {
  const HopMap map(fabric);
  ChoiceWalk walk(fabric, map, *routing_);
  const ForwardingTables& tables = routing_->tables;
  for (const Destination destination : destinations) {
    walk.follow(destination);
    for (const std::uint32_t s : sources) {
      if (walk.fate(s) == Fate::kArrives) continue;
      throw InputError(fmt::format(
          "the routing does not reach: some choice of ports loses packets from {} to {}",
          unique_name(fabric, static_cast<Switch>(s)),
          tables.is_switch(destination)
              ? unique_name(fabric, tables.as_switch(destination))
              : port_name(fabric, fabric.terminal_channel(tables.terminal(destination)))));
    }
  }
}

// Walks the tables from each source switch towards one destination; every switch is looked at once.
void Routes::check_sources(const Fabric& fabric, std::uint32_t destination, std::uint32_t dest,
                           std::span<const std::uint32_t> sources,
                           std::vector<std::uint32_t>& reached) const {
  const Network& net = *network_;
  const std::uint32_t goal = net.endpoint_port[dest];
  const Port* row = next_ + std::size_t{destination} * switches_;
  for (const std::uint32_t source : sources) {
    std::uint32_t at = source;
    std::size_t hops = 0;
    for (; reached[at] != destination; ++hops) {
      const std::uint32_t slot = index(row[at]);
      const std::uint32_t peer =
          slot < net.switch_ports[at] ? net.ports[net.switch_first[at] + slot].peer : kNil;
      if (peer == goal) break;
      if (peer == kNil || net.ports[peer].owner == kNil || hops > switches_) {
        throw InputError(fmt::format(
            "the routing leaves a pair disconnected: from {} to {} it {}",
            unique_name(fabric, static_cast<Switch>(source)),
            endpoint_text(fabric, net, static_cast<Endpoint>(dest)),
            hops > switches_
                ? std::string("goes in a loop")
                : fmt::format("ends at {}", unique_name(fabric, static_cast<Switch>(at)))));
      }
      at = net.ports[peer].owner;
    }
    for (at = source; reached[at] != destination;) {
      reached[at] = destination;
      const std::uint32_t peer = net.ports[net.switch_first[at] + index(row[at])].peer;
      if (peer == goal) break;
      at = net.ports[peer].owner;
    }
  }
}

namespace {

// By terminal: the leaves whose hosts may send to it.
class SendingLeaves {
 public:
  SendingLeaves(const Network& network, Routes::Between between)
      : network_(network), between_(between) {}

  std::span<const std::uint32_t> to(Terminal t) {
    const bool any = between_ == Routes::Between::kAnyPorts || network_.adapters.one_port_each();
    const auto [place, is_new] = leaves_.try_emplace(any ? std::pair(0U, 0U) : port_of(t));
    if (is_new) {
      std::vector<bool> seen(network_.switches, false);
      for (const Terminal from : network_.adapters.all_terminals()) {
        const auto [ports, port] = port_of(from);
        if (!any && ports == place->first.first && port != place->first.second) continue;
        const std::uint32_t leaf = network_.leaf[index(from)];
        if (!seen[leaf]) place->second.push_back(leaf);
        seen[leaf] = true;
      }
    }
    return place->second;
  }

 private:
  // The number of its host's ports, and which of them it is.
  std::pair<std::uint32_t, std::uint32_t> port_of(Terminal t) const {
    const std::span<const Terminal> own = network_.adapters.terminals(network_.adapters.of(t));
    return {static_cast<std::uint32_t>(own.size()),
            static_cast<std::uint32_t>(std::ranges::find(own, t) - own.begin())};
  }

  const Network& network_;
  Routes::Between between_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::uint32_t>> leaves_;
};

}  // namespace

void Routes::check_terminals(const Fabric& fabric, Between between) const {
  if (kind_ == Kind::kPaths) return;  // complete by construction
  for (const Terminal terminal : network_->adapters.all_terminals()) {
    const std::uint32_t t = index(terminal);
    if (network_->leaf[t] != kNil) continue;
    throw InputError(fmt::format("{} hangs on no switch",
                                 endpoint_text(fabric, *network_, static_cast<Endpoint>(t))));
  }
  if (network_->adapters.size() == 0) return;
  if (kind_ == Kind::kTables && sets_ != nullptr) {
    const DestinationClasses classes = destination_classes(fabric, *routing_);
    std::vector<Destination> destinations;
    for (std::size_t c = 0; c < classes.size(); ++c) {
      const Destination one = classes.of(c).front();
      if (!routing_->tables.is_switch(one)) destinations.push_back(one);
    }
    SendingLeaves all(*network_, Between::kAnyPorts);
    check_choices(fabric, destinations, all.to(network_->adapters.all_terminals().front()));
    return;
  }
  SendingLeaves leaves(*network_, between);
  std::vector<std::uint32_t> reached(switches_, kNil);
  for (const Terminal t : network_->adapters.all_terminals()) {
    if (kind_ == Kind::kTables) {
      const std::uint32_t count = 1U << routing_->tables.lmc();
      for (std::uint32_t o = 0; o < count; ++o) {
        check_sources(fabric, index(t) * count + o, index(t), leaves.to(t), reached);
      }
      continue;
    }
    const std::uint32_t b = network_->leaf[index(t)];
    for (const std::uint32_t a : leaves.to(t)) {
      const bool reaches = kind_ == Kind::kAdaptive
                               ? distance_[std::size_t{a} * switches_ + b] != kFarAway
                               : a == b || !routing_->source_routes
                                                .at(static_cast<Switch>(a), static_cast<Switch>(b))
                                                .empty();
      if (!reaches) {
        throw InputError(fmt::format("the routing leaves a pair disconnected: from {} to {}",
                                     unique_name(fabric, static_cast<Switch>(a)),
                                     unique_name(fabric, static_cast<Switch>(b))));
      }
    }
  }
}

void Routes::check_switches(const Fabric& fabric) const {
  if (kind_ == Kind::kPaths) {
    throw InputError(
        "an algebraic routing has no routes to switches: use an engine that fills tables");
  }
  if (kind_ != Kind::kTables) return;
  std::vector<std::uint32_t> sources(switches_);
  for (std::uint32_t s = 0; s < switches_; ++s) sources[s] = s;
  if (sets_ != nullptr) {
    std::vector<Destination> destinations;
    for (const Switch s : ids<Switch>(switches_))
      destinations.push_back(routing_->tables.destination(s));
    check_choices(fabric, destinations, sources);
    return;
  }
  const auto first = static_cast<std::uint32_t>(network_->terminals << routing_->tables.lmc());
  std::vector<std::uint32_t> reached(switches_, kNil);
  for (std::uint32_t s = 0; s < switches_; ++s) {
    reached[s] = first + s;  // not asked: nobody sends to itself
    check_sources(fabric, first + s, static_cast<std::uint32_t>(network_->terminals + s), sources,
                  reached);
  }
}

}  // namespace fatwood::sim
