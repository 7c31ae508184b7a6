// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/length_bound.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <queue>
#include <utility>
#include <vector>

#include "core/union_find.hpp"
#include "topology/channel_speeds.hpp"

namespace fatwood {

namespace {

constexpr std::size_t kMostWork = 40'000'000;  // destinations * channels of all rounds
constexpr std::size_t kMostRounds = 200;
constexpr double kStep = 0.15;
constexpr double kScale = 1U << 20U;  // the longest channel

using Lengths = Table<Channel, std::uint32_t>;

// The traffic by pairs of switches; what hosts have of it beside that.
struct LeafDemand {
  std::map<Switch, std::map<Switch, std::int64_t>> between;  // [to][from], hosts with one port
  std::vector<std::int64_t> out, in;                         // by host
};

LeafDemand demand_of(const Model& model, const Traffic& traffic) {
  const Hosts& hosts = model.hosts();
  LeafDemand demand;
  demand.out.resize(hosts.size());
  demand.in.resize(hosts.size());
  for (const Flow& flow : traffic.flows) {
    demand.out[index(flow.source)] += flow.units;
    demand.in[index(flow.destination)] += flow.units;
    const Switch from = hosts.leaf(model.fabric(), flow.source);
    const Switch to = hosts.leaf(model.fabric(), flow.destination);
    // A host with several ports may use any: its flows bind its own channels only.
    if (from == to || from == kNone<Switch> || to == kNone<Switch>) continue;
    demand.between[to][from] += flow.units;
  }
  return demand;
}

// Distances of all switches to one, along channels between switches.
template <class Length>
class Distances {
 public:
  explicit Distances(const Fabric& fabric) : fabric_(fabric) {}

  // Also the channel by which a shortest way from each switch begins.
  void find(Switch to, const Table<Channel, Length>& length) {
    far_.assign(fabric_.num_switches(), std::numeric_limits<Length>::max());
    first_.assign(fabric_.num_switches(), kNone<Channel>);
    order_.clear();
    using Entry = std::pair<Length, std::uint32_t>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
    far_[index(to)] = 0;
    open.push({0, index(to)});
    while (!open.empty()) {
      const auto [far, s] = open.top();
      open.pop();
      if (far != far_[s]) continue;
      order_.push_back(s);
      const Node node = fabric_.node(static_cast<Switch>(s));
      for (Port port = 1; port <= fabric_.ports(node); ++port) {
        const Channel out = fabric_.channel(node, port);
        if (!fabric_.connected(out) || !fabric_.is_switch(fabric_.neighbour(out))) continue;
        const Channel c = fabric_.peer(out);  // towards s
        const std::uint32_t before = index(fabric_.as_switch(fabric_.owner(c)));
        if (far + length[c] >= far_[before]) continue;
        far_[before] = far + length[c];
        first_[before] = c;
        open.push({far_[before], before});
      }
    }
  }
  Length far(Switch s) const { return far_[index(s)]; }
  Channel first(std::uint32_t s) const { return first_[s]; }
  const std::vector<std::uint32_t>& nearest_first() const { return order_; }

 private:
  const Fabric& fabric_;
  std::vector<Length> far_;
  std::vector<Channel> first_;
  std::vector<std::uint32_t> order_;
};

Fraction quotient(__int128 travelled, __int128 capacity, std::int64_t units_in_one) {
  if (capacity == 0) return 0;
  capacity *= units_in_one;
  __int128 a = travelled;
  __int128 b = capacity;
  while (b != 0) a = std::exchange(b, a % b);
  if (a != 0) {
    travelled /= a;
    capacity /= a;
  }
  constexpr __int128 kMost = std::numeric_limits<std::int64_t>::max();
  // A bound may be rounded down.
  while (travelled > kMost || capacity > kMost) {
    travelled /= 2;
    capacity = (capacity + 1) / 2;
  }
  return {static_cast<std::int64_t>(travelled), static_cast<std::int64_t>(capacity)};
}

bool joins_switches(const Fabric& fabric, Channel c) {
  return fabric.connected(c) && fabric.is_switch(fabric.owner(c)) &&
         fabric.is_switch(fabric.neighbour(c));
}

// Length 1 on the channels out of a part, or into it, for the part that this proves most.
class Cuts {
 public:
  Cuts(const Model& model, const LeafDemand& demand)
      : model_(model), demand_(demand), speeds_(model.fabric()) {}

  Lengths best() {
    look_at_hosts();
    std::vector<std::uint32_t> part(model_.fabric().num_switches());
    std::iota(part.begin(), part.end(), 0U);
    look_at_parts(part);
    const Levels& levels = model_.levels();
    for (Level level = 1; level < levels.height; ++level) {
      look_at_parts(parts_up_to(level));
    }
    return std::move(best_);
  }

 private:
  bool improves(std::int64_t crossing, std::int64_t capacity) {
    if (crossing == 0 || capacity == 0 || Fraction(crossing, capacity) <= most_) return false;
    most_ = Fraction(crossing, capacity);
    best_ = Lengths(model_.fabric().num_channels(), 0);
    return true;
  }

  void look_at_hosts() {
    const Fabric& fabric = model_.fabric();
    for (const Host host : ids<Host>(model_.hosts().size())) {
      const auto terminals = model_.hosts().terminals(host);
      std::int64_t capacity = 0;
      for (const Terminal t : terminals) capacity += speeds_.speed(fabric.terminal_channel(t));
      if (improves(demand_.out[index(host)], capacity)) {
        for (const Terminal t : terminals) best_[fabric.terminal_channel(t)] = 1;
      }
      if (improves(demand_.in[index(host)], capacity)) {
        for (const Terminal t : terminals) best_[fabric.peer(fabric.terminal_channel(t))] = 1;
      }
    }
  }

  std::vector<std::uint32_t> parts_up_to(Level level) const {
    const Fabric& fabric = model_.fabric();
    const Table<Switch, Level>& of = model_.levels().level;
    UnionFind sets(fabric.num_switches());
    for (const Channel c : ids<Channel>(fabric.num_channels())) {
      if (!joins_switches(fabric, c)) continue;
      const Switch a = fabric.as_switch(fabric.owner(c));
      const Switch b = fabric.as_switch(fabric.neighbour(c));
      if (of[a] <= level && of[b] <= level) sets.join(index(a), index(b));
    }
    std::vector<std::uint32_t> part(fabric.num_switches());
    for (std::uint32_t s = 0; s < part.size(); ++s) part[s] = sets.find(s);
    return part;
  }

  void look_at_parts(const std::vector<std::uint32_t>& part) {
    const Fabric& fabric = model_.fabric();
    std::vector<std::int64_t> out(part.size());
    std::vector<std::int64_t> in(part.size());
    std::vector<std::int64_t> speed_out(part.size());
    std::vector<std::int64_t> speed_in(part.size());
    for (const auto& [to, sources] : demand_.between) {
      for (const auto& [from, units] : sources) {
        if (part[index(from)] == part[index(to)]) continue;
        out[part[index(from)]] += units;
        in[part[index(to)]] += units;
      }
    }
    const auto each_crossing = [&](const auto& visit) {
      for (const Channel c : ids<Channel>(fabric.num_channels())) {
        if (!joins_switches(fabric, c)) continue;
        const std::uint32_t a = part[index(fabric.as_switch(fabric.owner(c)))];
        const std::uint32_t b = part[index(fabric.as_switch(fabric.neighbour(c)))];
        if (a != b) visit(c, a, b);
      }
    };
    each_crossing([&](Channel c, std::uint32_t a, std::uint32_t b) {
      speed_out[a] += speeds_.speed(c);
      speed_in[b] += speeds_.speed(c);
    });
    for (std::uint32_t p = 0; p < part.size(); ++p) {
      if (improves(out[p], speed_out[p])) {
        each_crossing([&](Channel c, std::uint32_t a, std::uint32_t) { best_[c] = a == p; });
      }
      if (improves(in[p], speed_in[p])) {
        each_crossing([&](Channel c, std::uint32_t, std::uint32_t b) { best_[c] = b == p; });
      }
    }
  }

  const Model& model_;
  const LeafDemand& demand_;
  ChannelSpeeds speeds_;
  Fraction most_ = 0;
  Lengths best_;
};

// Rounds of shortest paths and longer channels; the lengths of the best round.
Lengths weights(const Model& model, const LeafDemand& demand) {
  const Fabric& fabric = model.fabric();
  const ChannelSpeeds speeds(fabric);
  std::vector<Channel> channels;
  for (const Channel c : ids<Channel>(fabric.num_channels())) {
    if (joins_switches(fabric, c)) channels.push_back(c);
  }
  Lengths best(fabric.num_channels(), 0);
  if (channels.empty() || demand.between.empty()) return best;
  const std::size_t rounds =
      std::min(kMostRounds, kMostWork / (demand.between.size() * channels.size() + 1));
  const auto capacity = [&](Channel c) {
    return static_cast<double>(speeds.speed(c)) / static_cast<double>(speeds.usual());
  };
  Table<Channel, double> length(fabric.num_channels(), 0);
  Table<Channel, double> load(fabric.num_channels(), 0);
  for (const Channel c : channels) length[c] = 1 / capacity(c);
  Distances<double> ways(fabric);
  std::vector<double> amount(fabric.num_switches());
  double most = 0;
  for (std::size_t round = 0; round < rounds; ++round) {
    for (const Channel c : channels) load[c] = 0;
    double travelled = 0;
    for (const auto& [to, sources] : demand.between) {
      ways.find(to, length);
      std::ranges::fill(amount, 0);
      for (const auto& [from, units] : sources) {
        amount[index(from)] = static_cast<double>(units);
        travelled += static_cast<double>(units) * ways.far(from);
      }
      const std::vector<std::uint32_t>& order = ways.nearest_first();
      for (std::size_t i = order.size(); i-- > 1;) {
        const Channel c = ways.first(order[i]);
        load[c] += amount[order[i]];
        amount[index(fabric.as_switch(fabric.neighbour(c)))] += amount[order[i]];
      }
    }
    double room = 0;
    double fullest = 0;
    for (const Channel c : channels) {
      room += length[c] * capacity(c);
      fullest = std::max(fullest, load[c] / capacity(c));
    }
    if (!(travelled / room <= most)) {
      most = travelled / room;
      double longest = 0;
      for (const Channel c : channels) longest = std::max(longest, length[c]);
      for (const Channel c : channels) {
        best[c] = static_cast<std::uint32_t>(length[c] / longest * kScale);
      }
    }
    for (const Channel c : channels) length[c] *= 1 + kStep * load[c] / capacity(c) / fullest;
  }
  return best;
}

}  // namespace

Fraction bound_of_lengths(const Model& model, const Traffic& traffic, const Lengths& length) {
  const Fabric& fabric = model.fabric();
  const Hosts& hosts = model.hosts();
  const ChannelSpeeds speeds(fabric);
  const LeafDemand demand = demand_of(model, traffic);
  Table<Channel, std::uint64_t> wide(fabric.num_channels(), 0);
  __int128 room = 0;
  for (const Channel c : ids<Channel>(fabric.num_channels())) {
    wide[c] = length[c];
    room += static_cast<__int128>(length[c]) * speeds.speed(c);
  }
  __int128 travelled = 0;
  for (const Host host : ids<Host>(hosts.size())) {  // the shortest of its ports
    std::uint32_t out = std::numeric_limits<std::uint32_t>::max();
    std::uint32_t in = out;
    for (const Terminal t : hosts.terminals(host)) {
      out = std::min(out, length[fabric.terminal_channel(t)]);
      in = std::min(in, length[fabric.peer(fabric.terminal_channel(t))]);
    }
    travelled += static_cast<__int128>(demand.out[index(host)]) * out;
    travelled += static_cast<__int128>(demand.in[index(host)]) * in;
  }
  Distances<std::uint64_t> ways(fabric);
  for (const auto& [to, sources] : demand.between) {
    ways.find(to, wide);
    for (const auto& [from, units] : sources) {
      if (ways.far(from) == std::numeric_limits<std::uint64_t>::max()) continue;  // no way at all
      travelled += static_cast<__int128>(units) * static_cast<std::int64_t>(ways.far(from));
    }
  }
  return quotient(travelled * speeds.usual(), room, traffic.units_in_one);
}

LengthBound length_bound(const Model& model, const Traffic& traffic) {
  const LeafDemand demand = demand_of(model, traffic);
  LengthBound bound{Cuts(model, demand).best(), 0};
  if (bound.length.empty()) bound.length = Lengths(model.fabric().num_channels(), 0);
  bound.value = bound_of_lengths(model, traffic, bound.length);
  Lengths other = weights(model, demand);
  const Fraction value = bound_of_lengths(model, traffic, other);
  if (value > bound.value) bound = {std::move(other), value};
  return bound;
}

}  // namespace fatwood
