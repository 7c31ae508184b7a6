// SPDX-License-Identifier: BSD-3-Clause
#include "routing/ordered/bfot.hpp"

#include <algorithm>
#include <array>

#include "core/invariant.hpp"
#include "core/parallel.hpp"
#include "routing/engine_list.hpp"
#include "routing/shortest/balance.hpp"

namespace fatwood {

namespace {

constexpr std::uint8_t kAnyLayer = 255;  // announced by the destination, which forwards nothing

enum class Use : std::uint8_t { kNone, kUsable, kUnusable };

// Sent over a link, to the switch at its other end.
struct Message {
  enum class Kind : std::uint8_t { kRouteInfo, kRouteConstrain };
  Link link;
  std::uint16_t distance;
  Kind kind;
  std::uint8_t layer;
};

class Exchange {
 public:
  Exchange(const OrderedLinks& links, std::uint32_t destination)
      : links_(links),
        announced_(links.switches, 0),
        floor_(links.switches, 0),
        use_(links.size(), Use::kNone),
        constraint_(links.size(), 0) {
    result_.distance.assign(links.switches, kNoDistance);
    result_.distance[destination] = 0;
    announced_[destination] = kAnyLayer;
    announce(destination);
  }

  OrderedAlternatives run() {
    for (std::size_t next = 0; next < queue_.size(); ++next) {
      const Message message = queue_[next];
      const Link back = links_.reverse[message.link];  // from the receiver to the sender
      if (message.kind == Message::Kind::kRouteInfo) {
        on_route_info(back, message.distance, message.layer);
      } else {
        on_route_constrain(back, message.layer);
      }
    }
    result_.first.push_back(0);
    for (std::uint32_t s = 0; s < links_.switches; ++s) {
      for (const Link link : links_.of(s)) {
        if (use_[link] == Use::kUsable) result_.links.push_back(link);
      }
      result_.first.push_back(static_cast<std::uint32_t>(result_.links.size()));
    }
    return std::move(result_);
  }

 private:
  void announce(std::uint32_t s) {
    for (const Link link : links_.of(s)) {
      if (use_[link] != Use::kNone) continue;  // nearer than we are
      queue_.push_back({link, result_.distance[s], Message::Kind::kRouteInfo, announced_[s]});
    }
  }
  void constrain(Link link, std::uint8_t layer) {
    queue_.push_back({link, 0, Message::Kind::kRouteConstrain, layer});
  }

  void on_route_info(Link link, std::uint16_t distance, std::uint8_t layer) {
    const std::uint32_t s = links_.from[link];
    if (links_.layer[link] > layer || use_[link] != Use::kNone) return;
    if (distance + 1 > result_.distance[s]) return;
    invariant(result_.distance[s] == kNoDistance || result_.distance[s] == distance + 1,
              "a distance came twice with different values");
    result_.distance[s] = static_cast<std::uint16_t>(distance + 1);
    if (links_.layer[link] >= floor_[s]) {
      use_[link] = Use::kUsable;
      constrain(link, links_.layer[link]);
    } else {
      use_[link] = Use::kUnusable;
    }
    if (links_.layer[link] > announced_[s]) {
      announced_[s] = links_.layer[link];
      announce(s);
    }
  }

  void on_route_constrain(Link link, std::uint8_t layer) {
    const std::uint32_t s = links_.from[link];
    constraint_[link] = layer;
    const std::uint8_t floor = *std::max_element(constraint_.begin() + index(links_.first[s]),
                                                 constraint_.begin() + index(links_.first[s + 1]));
    if (floor == floor_[s]) return;
    floor_[s] = floor;
    for (const Link other : links_.of(s)) {
      if (use_[other] == Use::kNone) continue;
      const Use use = links_.layer[other] >= floor ? Use::kUsable : Use::kUnusable;
      if (use == use_[other]) continue;
      use_[other] = use;
      constrain(other, use == Use::kUsable ? links_.layer[other] : std::uint8_t{0});
    }
  }

  const OrderedLinks& links_;
  std::vector<std::uint8_t> announced_;   // by switch: the layer of its last route-info
  std::vector<std::uint8_t> floor_;       // by switch: the highest layer it is constrained to
  Table<Link, Use> use_;                  // as an alternative of its switch
  Table<Link, std::uint8_t> constraint_;  // what the switch at its other end asks for
  std::vector<Message> queue_;
  OrderedAlternatives result_;
};

// Usable ports of every (destination, switch), packed.
struct AllAlternatives {
  std::vector<std::vector<std::uint32_t>> first;  // [destination][switch], and the end
  std::vector<std::vector<Port>> ports;           // [destination]
};

AllAlternatives find_all(const OrderedLinks& links, const RouteOptions& options) {
  AllAlternatives all;
  all.first.resize(links.switches);
  all.ports.resize(links.switches);
  parallel_for(links.switches, options.threads, [&](std::size_t d, int) {
    OrderedAlternatives found = find_ordered_alternatives(links, static_cast<std::uint32_t>(d));
    all.ports[d].reserve(found.links.size());
    for (const Link link : found.links) all.ports[d].push_back(links.port[link]);
    all.first[d] = std::move(found.first);
  });
  return all;
}

// Chooses, at each switch, the port with the fewest destinations so far, the first on a tie.
// Switches choose independently, so blocks of them run in parallel, a cache line of each row.
ForwardingTables choose(const Model& model, const AllAlternatives& all,
                        const RouteOptions& options) {
  const Fabric& fabric = model.fabric();
  constexpr std::size_t kBlock = 64;
  const std::size_t switches = fabric.num_switches();
  ForwardingTables tables(fabric.num_terminals(), switches, 0);
  const Runs runs = destination_runs(model, tables, options);
  using Counts = std::array<std::array<std::uint32_t, 256>, 3>;  // by weight and port
  parallel_for((switches + kBlock - 1) / kBlock, options.threads, [&](std::size_t block, int) {
    std::vector<Counts> used(kBlock);
    const std::size_t begin = block * kBlock;
    const std::size_t end = std::min(switches, begin + kBlock);
    for (const Run& run : runs.runs) {
      const std::size_t d = index(run.at);
      for (std::uint32_t i = run.first; i < run.first + run.count; ++i) {
        const std::span<Port> row = tables.row(runs.destinations[i]);
        for (std::size_t s = begin; s < end; ++s) {
          const auto ports = std::span(all.ports[d])
                                 .subspan(all.first[d][s], all.first[d][s + 1] - all.first[d][s]);
          if (s == d) row[s] = own_port(fabric, tables, runs.destinations[i]);
          if (s == d || ports.empty()) continue;
          auto& count = used[s - begin][static_cast<std::size_t>(run.weight)];
          const Port port =
              *std::ranges::min_element(ports, {}, [&](Port p) { return count[index(p)]; });
          ++count[index(port)];
          row[s] = port;
        }
      }
    }
  });
  return tables;
}

Routing route_ordered(const Model& model, const RouteOptions& options, LinkOrder order) {
  const OrderedLinks links = order_links(model.fabric(), order);
  return {.tables = choose(model, find_all(links, options), options)};
}

}  // namespace

OrderedAlternatives find_ordered_alternatives(const OrderedLinks& links,
                                              std::uint32_t destination) {
  return Exchange(links, destination).run();
}

Routing route_bfot(const Model& model, const RouteOptions& options) {
  return route_ordered(model, options, LinkOrder::kBySweep);
}
Routing route_bfot_plus(const Model& model, const RouteOptions& options) {
  return route_ordered(model, options, LinkOrder::kByDegree);
}

}  // namespace fatwood
