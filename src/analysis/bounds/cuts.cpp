// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/bounds/cuts.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <optional>
#include <span>
#include <utility>

#include "analysis/load/switch_distances.hpp"
#include "core/common_multiple.hpp"
#include "core/deal_out.hpp"
#include "core/union_find.hpp"
#include "topology/channel_speeds.hpp"
#include "topology/flow_sources.hpp"

namespace fatwood {

namespace {

// The switches of an adapter's ports; empty if a port is on none.
std::vector<Switch> switches_of(const Model& model, Adapter adapter) {
  std::vector<Switch> place;
  for (const Terminal t : model.adapters().terminals(adapter)) {
    if (model.fabric().leaf(t) == kNone<Switch>) return {};
    place.push_back(model.fabric().leaf(t));
  }
  std::ranges::sort(place);
  const auto again = std::ranges::unique(place);
  place.erase(again.begin(), again.end());
  return place;
}

}  // namespace

std::int64_t speed_of_cables(const Model& model, Adapter adapter) {
  std::int64_t sum = 0;
  for (const Terminal t : model.adapters().terminals(adapter)) {
    sum += model.speeds().speed(model.fabric().terminal_channel(t));
  }
  return sum;
}

std::vector<std::uint32_t> components_up_to(const Model& model, Level level) {
  const auto& levels = model.levels().level;
  UnionFind sets(levels.size());
  for (const Switch s : ids<Switch>(levels.size())) {
    for (const SwitchLink& link : model.fabric().links(s)) {
      if (levels[s] <= level && levels[link.to] <= level) sets.join(index(s), index(link.to));
    }
  }
  std::vector<std::uint32_t> part;
  for (std::uint32_t s = 0; s < levels.size(); ++s) part.push_back(sets.find(s));
  return part;
}

LeafDemand leaf_demand(const Model& model, const Traffic& traffic) {
  const std::size_t adapters = model.adapters().size();
  LeafDemand demand;
  demand.out.resize(adapters);
  demand.in.resize(adapters);
  std::map<std::vector<Switch>, std::uint32_t> numbers;
  for (const Adapter adapter : ids<Adapter>(adapters))
    numbers.emplace(switches_of(model, adapter), 0);
  for (auto& [place, number] : numbers) {
    number = static_cast<std::uint32_t>(demand.places.size());
    demand.places.push_back(place);
  }
  std::vector<std::uint32_t> place_of;  // by host
  for (const Adapter adapter : ids<Adapter>(adapters))
    place_of.push_back(numbers.at(switches_of(model, adapter)));
  for (const Flow& flow : traffic.flows) {
    demand.out[index(flow.source)] += flow.units;
    demand.in[index(flow.destination)] += flow.units;
    const std::uint32_t from = place_of[index(flow.source)];
    const std::uint32_t to = place_of[index(flow.destination)];
    if (from == to || demand.places[from].empty() || demand.places[to].empty()) continue;
    demand.between[to][from] += flow.units;
  }
  return demand;
}

namespace {

// The part of each switch, by the number of one of its switches.
using PartOf = std::vector<std::uint32_t>;

// First each switch is a part; then, for each level, each component of the switches up to it.
void each_division(const Model& model, const std::function<void(const PartOf&)>& visit) {
  PartOf part(model.fabric().num_switches());
  std::iota(part.begin(), part.end(), 0U);
  visit(part);
  for (Level level = 1; level < model.levels().height; ++level) {
    visit(components_up_to(model, level));
  }
}

// The part that contains all these switches, if any.
std::optional<std::uint32_t> part_around(std::span<const Switch> place, const PartOf& part) {
  const std::uint32_t one = part[index(place.front())];
  if (std::ranges::any_of(place, [&](Switch s) { return part[index(s)] != one; })) return {};
  return one;
}
bool touches(std::span<const Switch> place, const PartOf& part, std::uint32_t one) {
  return std::ranges::any_of(place, [&](Switch s) { return part[index(s)] == one; });
}

// Calls visit(channel, part of its tail, part of its head) if these differ.
template <class Visit>
void each_crossing(const Fabric& fabric, const PartOf& part, const Visit& visit) {
  for (const Channel c : ids<Channel>(fabric.num_channels())) {
    if (!fabric.between_switches(c)) continue;
    const std::uint32_t a = part[index(fabric.as_switch(fabric.owner(c)))];
    const std::uint32_t b = part[index(fabric.next_switch(c))];
    if (a != b) visit(c, a, b);
  }
}

class CutSearch {
 public:
  CutSearch(const Model& model, const LeafDemand& demand)
      : model_(model), demand_(demand), speeds_(model.speeds()) {
    best_.length = Table<Channel, std::uint32_t>(model.fabric().num_channels(), 0);
  }

  BestCut best() {
    look_at_hosts();
    each_division(model_, [&](const PartOf& part) { look_at_parts(part); });
    return std::move(best_);
  }

 private:
  bool improves(std::int64_t crossing, std::int64_t capacity) {
    if (crossing == 0 || capacity == 0 || Fraction(crossing, capacity) <= best_.value) return false;
    best_.value = Fraction(crossing, capacity);
    best_.length = Table<Channel, std::uint32_t>(model_.fabric().num_channels(), 0);
    return true;
  }

  void look_at_hosts() {
    const Fabric& fabric = model_.fabric();
    for (const Adapter adapter : ids<Adapter>(model_.adapters().size())) {
      const auto terminals = model_.adapters().terminals(adapter);
      const std::int64_t capacity = speed_of_cables(model_, adapter);
      if (improves(demand_.out[index(adapter)], capacity)) {
        for (const Terminal t : terminals) best_.length[fabric.terminal_channel(t)] = 1;
      }
      if (improves(demand_.in[index(adapter)], capacity)) {
        for (const Terminal t : terminals) {
          best_.length[fabric.peer(fabric.terminal_channel(t))] = 1;
        }
      }
    }
  }

  void look_at_parts(const PartOf& part) {
    const Fabric& fabric = model_.fabric();
    std::vector<std::int64_t> out(part.size());
    std::vector<std::int64_t> in(part.size());
    std::vector<std::int64_t> speed_out(part.size());
    std::vector<std::int64_t> speed_in(part.size());
    for (const auto& [to, sources] : demand_.between) {
      for (const auto& [from, units] : sources) {
        const std::vector<Switch>& tail = demand_.places[from];
        const std::vector<Switch>& head = demand_.places[to];
        if (const auto a = part_around(tail, part); a && !touches(head, part, *a)) out[*a] += units;
        if (const auto b = part_around(head, part); b && !touches(tail, part, *b)) in[*b] += units;
      }
    }
    each_crossing(fabric, part, [&](Channel c, std::uint32_t a, std::uint32_t b) {
      speed_out[a] += speeds_.speed(c);
      speed_in[b] += speeds_.speed(c);
    });
    for (std::uint32_t p = 0; p < part.size(); ++p) {
      if (improves(out[p], speed_out[p])) {
        each_crossing(fabric, part,
                      [&](Channel c, std::uint32_t a, std::uint32_t) { best_.length[c] = a == p; });
      }
      if (improves(in[p], speed_in[p])) {
        each_crossing(fabric, part,
                      [&](Channel c, std::uint32_t, std::uint32_t b) { best_.length[c] = b == p; });
      }
    }
  }

  const Model& model_;
  const LeafDemand& demand_;
  const ChannelSpeeds& speeds_;
  BestCut best_;
};

// Units of traffic from one switch to another, and a divisor of each bundle among them.
struct Chunks {
  Switch from, to;
  std::int64_t units, divisor;
};
struct ChunkList {
  std::int64_t parts = 1;  // each unit of the traffic is divided into this many
  std::vector<Chunks> between;
  Table<Switch, std::int64_t> arriving;  // divides all that its terminals get from elsewhere
};

// A common multiple of the numbers of port pairs that share flows; 0 if the traffic in these parts
// does not fit 62 bits.
std::int64_t parts_of_flows(const Model& model, const Traffic& traffic) {
  constexpr std::int64_t kMost = std::int64_t{1} << 62;
  __int128 total = 1;
  for (const Flow& flow : traffic.flows) total += flow.units;
  if (total > kMost) return 0;
  std::int64_t parts = 1;
  for (const std::int64_t pairs : pairs_of_ports(model)) {
    parts = common_multiple(parts, pairs, kMost / static_cast<std::int64_t>(total));
  }
  return parts;
}

// Calls visit(source, destination, units) for the traffic from port to port, in units divided as
// above.
template <class Visit>
void each_port_flow(const Adapters& adapters, const Traffic& traffic, std::int64_t parts,
                    const Visit& visit) {
  for (const Flow& flow : traffic.flows) {
    if (adapters.ports(flow.source) == 1 && adapters.ports(flow.destination) == 1) {
      visit(adapters.terminals(flow.source)[0], adapters.terminals(flow.destination)[0],
            flow.units * parts);
      continue;
    }
    const auto pairs = adapters.port_pairs(flow.source, flow.destination);
    const std::int64_t share = flow.units * (parts / static_cast<std::int64_t>(pairs.size()));
    for (const auto& [from, to] : pairs) visit(from, to, share);
  }
}

// nullopt if a port is on no switch or might be disconnected, or if bundles are too many or too
// large.
std::optional<ChunkList> chunks_of(const Model& model, const Traffic& traffic) {
  const Fabric& fabric = model.fabric();
  const Adapters& adapters = model.adapters();
  if (!adapters.one_port_each() && model.components().count > 1) return std::nullopt;
  const std::size_t switches = fabric.num_switches();
  const std::size_t terminals = fabric.num_terminals();
  Table<Switch, std::uint32_t> place(switches, 0);  // among switches that send
  std::vector<Switch> senders;
  for (const Terminal t : adapters.all_terminals()) {
    const Switch leaf = fabric.leaf(t);
    if (leaf == kNone<Switch>) return std::nullopt;
    if (senders.empty() || place[leaf] == 0) {
      senders.push_back(leaf);
      place[leaf] = static_cast<std::uint32_t>(senders.size());
    }
  }
  const std::int64_t parts = parts_of_flows(model, traffic);
  if (parts == 0 || senders.size() * terminals > kMostChunks) return std::nullopt;
  std::vector<std::int64_t> sent(senders.size() * terminals);
  ChunkList list{parts, {}, Table<Switch, std::int64_t>(switches, 0)};
  each_port_flow(adapters, traffic, list.parts,
                 [&](Terminal from, Terminal to, std::int64_t units) {
                   sent[(place[fabric.leaf(from)] - 1) * terminals + index(to)] += units;
                 });
  std::vector<Chunks> to_leaf(switches);
  std::vector<std::int64_t> arriving(terminals);
  for (std::size_t i = 0; i < senders.size(); ++i) {
    for (const Switch to : senders) to_leaf[index(to)] = {senders[i], to, 0, 0};
    for (const Terminal t : adapters.all_terminals()) {
      const std::int64_t units = sent[i * terminals + index(t)];
      const Switch leaf = fabric.leaf(t);
      if (leaf != senders[i]) arriving[index(t)] += units;
      Chunks& chunks = to_leaf[index(leaf)];
      chunks.units += units;
      chunks.divisor = std::gcd(chunks.divisor, units);
    }
    for (const Switch to : senders) {
      if (to == senders[i] || to_leaf[index(to)].units == 0) continue;
      list.between.push_back(to_leaf[index(to)]);
    }
  }
  for (const Terminal t : adapters.all_terminals()) {
    std::int64_t& divisor = list.arriving[fabric.leaf(t)];
    divisor = std::gcd(divisor, arriving[index(t)]);
  }
  return list;
}

// Of a cut; speeds of its channels.
struct ChunkCut {
  std::int64_t units = 0;
  std::int64_t divisor = 0;
  std::vector<std::int64_t> speeds;
};
// The smallest load that its most loaded link can have, in units over speed.
Fraction dealt_out(const ChunkCut& cut, std::uint32_t addresses) {
  if (cut.units == 0 || cut.speeds.empty()) return 0;
  return deal_out(cut.units / cut.divisor * addresses, cut.speeds) *
         Fraction(cut.divisor, addresses);
}

}  // namespace

BestCut best_cut(const Model& model, const LeafDemand& demand) {
  return CutSearch(model, demand).best();
}

Fraction cut_bound(const Model& model, const Traffic& traffic) {
  return best_cut(model, leaf_demand(model, traffic)).value *
         Fraction(model.speeds().usual(), traffic.units_in_one);
}

namespace {

// The bound of the cuts of single adapters, whose channels carry single flows.
Fraction host_bound(const Model& model, const LeafDemand& demand) {
  Fraction most = 0;
  for (const Adapter adapter : ids<Adapter>(model.adapters().size())) {
    const std::int64_t units = std::max(demand.out[index(adapter)], demand.in[index(adapter)]);
    most = std::max(most, Fraction(units, speed_of_cables(model, adapter)));
  }
  return most;
}

// Rounds up to a multiple of a piece. A solver's bound may be a little too large.
Fraction rounded_up(Fraction bound, Fraction piece) {
  constexpr double kSolver = 1e-7;
  const double pieces = (bound / piece).value();
  return piece * Fraction(static_cast<std::int64_t>(std::ceil(pieces * (1 - kSolver))));
}

}  // namespace

Fraction tables_bound(const Model& model, const Traffic& traffic, std::uint32_t addresses,
                      Fraction known) {
  const ChannelSpeeds& speeds = model.speeds();
  const LeafDemand demand = leaf_demand(model, traffic);
  const Fraction unit(speeds.usual(), traffic.units_in_one);  // units over speed, as a load
  const Fraction bound = std::max(known, best_cut(model, demand).value * unit);
  const std::optional<ChunkList> list = chunks_of(model, traffic);
  if (!list || list->between.empty()) return bound;
  Fraction most = 0;
  each_division(model, [&](const PartOf& part) {
    // Of all channels into a part; kNone: several.
    std::vector<std::optional<Switch>> tail(part.size());
    std::vector<ChunkCut> out(part.size());
    std::vector<ChunkCut> in(part.size());
    for (const Chunks& chunks : list->between) {
      const std::uint32_t a = part[index(chunks.from)];
      const std::uint32_t b = part[index(chunks.to)];
      if (a == b) continue;
      for (ChunkCut* const cut : {&out[a], &in[b]}) {
        cut->units += chunks.units;
        cut->divisor = std::gcd(cut->divisor, chunks.divisor);
      }
    }
    each_crossing(model.fabric(), part, [&](Channel c, std::uint32_t a, std::uint32_t b) {
      out[a].speeds.push_back(speeds.speed(c));
      in[b].speeds.push_back(speeds.speed(c));
      const Switch from = model.fabric().as_switch(model.fabric().owner(c));
      tail[b] = tail[b].value_or(from) == from ? from : kNone<Switch>;
    });
    std::vector<std::uint32_t> size(part.size());
    for (const std::uint32_t p : part) ++size[p];
    for (std::uint32_t p = 0; p < part.size(); ++p) {
      // One switch above it has one port for each of its hosts.
      if (size[p] == 1 && in[p].units > 0 && tail[p].value_or(kNone<Switch>) != kNone<Switch>) {
        in[p].divisor = list->arriving[static_cast<Switch>(p)];
      }
      most = std::max({most, dealt_out(out[p], addresses), dealt_out(in[p], addresses)});
    }
  });
  most = std::max(bound, most * unit / Fraction(list->parts));
  // If the known bound exceeds that of the adapters, a channel between switches has it, in whole
  // pieces.
  if (!speeds.uniform() || known <= host_bound(model, demand) * unit) return most;
  std::int64_t divisor = 0;
  for (const Chunks& chunks : list->between) divisor = std::gcd(divisor, chunks.divisor);
  const Fraction piece(divisor, traffic.units_in_one * list->parts * addresses);
  return std::max(most, rounded_up(known, piece));
}

}  // namespace fatwood
