// SPDX-License-Identifier: BSD-3-Clause
#include "routing/even/even_cuts.hpp"

#include <numeric>

#include "core/fraction.hpp"
#include "core/union_find.hpp"
#include "topology/channel_speeds.hpp"
#include "topology/levels/tree_cuts.hpp"

namespace fatwood {

namespace {

// The largest share of a part, when each switch is of part[s].
Fraction bound_of_parts(const EvenNet& net, std::span<const std::uint32_t> part) {
  std::vector<std::int64_t> out(net.size());
  std::vector<std::int64_t> in(net.size());
  std::vector<std::int64_t> capacity_out(net.size());
  std::vector<std::int64_t> capacity_in(net.size());
  for (std::uint32_t s = 0; s < net.size(); ++s) {
    for (const Port port : net.cabled_ports(s)) {
      const std::uint32_t slot = net.slot(s, port);
      const std::uint32_t next = net.channel[slot].next;
      if (part[next] == part[s]) continue;
      capacity_out[part[s]] += static_cast<std::int64_t>(net.capacity(slot));
      capacity_in[part[next]] += static_cast<std::int64_t>(net.capacity(slot));
    }
  }
  for (const EvenSource& source : net.sources()) {
    for (const EvenDestination& to : source.destinations) {
      net.each_sender(source.at, to, [&](std::uint32_t from, std::uint64_t weight) {
        const std::uint32_t p = part[net.sources()[from].at];
        if (p == part[source.at]) return;
        out[p] += static_cast<std::int64_t>(weight);
        in[part[source.at]] += static_cast<std::int64_t>(weight);
      });
    }
  }
  Fraction most = 0;
  for (std::uint32_t p = 0; p < net.size(); ++p) {
    if (capacity_out[p] > 0) most = std::max(most, Fraction(out[p], capacity_out[p]));
    if (capacity_in[p] > 0) most = std::max(most, Fraction(in[p], capacity_in[p]));
  }
  return most;
}

// A lower bound on the load of the most loaded channel for given demands, divided by capacity: all
// traffic that leaves or enters a part of the fabric crosses the channels of that part. The parts
// are: each switch; and, for each level, each connected component of the switches up to it.
Fraction tree_cut_bound(const EvenNet& net, const UpDownOrder& up_down) {
  std::vector<std::uint32_t> part(net.size());
  std::iota(part.begin(), part.end(), 0U);
  Fraction most = bound_of_parts(net, part);
  UnionFind sets(net.size());
  const Level top = up_down.highest_level();
  for (Level level = up_down.lowest_level(); level < top; ++level) {
    for (std::uint32_t s = 0; s < net.size(); ++s) {
      if (up_down.level(Switch{s}) > level) continue;
      for (const Port port : net.cabled_ports(s)) {
        const std::uint32_t next = net.channel[net.slot(s, port)].next;
        if (up_down.level(Switch{next}) <= level) sets.join(s, next);
      }
    }
    for (std::uint32_t s = 0; s < net.size(); ++s) part[s] = sets.find(s);
    most = std::max(most, bound_of_parts(net, part));
  }
  return most;
}

// The same with tables: what a switch sends to one address takes one channel out of it, at best the
// fastest.
Fraction table_bound(const EvenNet& net) {
  std::vector<std::uint64_t> fastest(net.size());
  for (const EvenSource& source : net.sources()) {
    for (const Port port : net.cabled_ports(source.at)) {
      fastest[source.at] = std::max(fastest[source.at], net.capacity(net.slot(source.at, port)));
    }
  }
  Fraction most = 0;
  for (const EvenSource& source : net.sources()) {
    for (const EvenDestination& to : source.destinations) {
      net.each_sender(source.at, to, [&](std::uint32_t from, std::uint64_t weight) {
        const std::uint64_t speed = fastest[net.sources()[from].at];
        if (speed == 0) return;
        most = std::max(
            most, Fraction(static_cast<std::int64_t>(weight), static_cast<std::int64_t>(speed)));
      });
    }
  }
  return most;
}

}  // namespace

EvenCuts::EvenCuts(const Model& model, const UpDownOrder& up_down, const EvenNet& net) {
  if (net.all_to_all()) find_tree_cuts(model, net);
  // Links in no cut lie within a level: the largest share of all. Where no cut is, the mean load:
  // paths keep their lengths, and so the sum of all loads stays.
  Cut others{0, 0, 0, {}};
  std::vector<std::uint8_t> known(net.channel.size());
  for (const Cut& cut : cuts_) {
    others.fair = std::max(others.fair, cut.fair);
    others.tables = std::max(others.tables, cut.tables);
    for (const std::uint32_t slot : cut.slots) known[slot] = 1;
  }
  if (!net.all_to_all()) {
    others = {tree_cut_bound(net, up_down).value(), table_bound(net).value(), 1, {}};
  }
  double load = 0;
  double capacity = 0;
  for (std::uint32_t slot = 0; slot < known.size(); ++slot) {
    if (net.capacity(slot) == 0 || known[slot] != 0) continue;
    others.slots.push_back(slot);
    load += static_cast<double>(net.channel[slot].load);
    capacity += static_cast<double>(net.capacity(slot));
  }
  if (cuts_.empty() && others.fair == 0 && capacity > 0) others.fair = load / capacity;
  if (others.fair > 0) cuts_.push_back(std::move(others));
}

void EvenCuts::find_tree_cuts(const Model& model, const EvenNet& net) {
  const Fabric& fabric = model.fabric();
  const std::vector<TreeCut> cuts = tree_cuts(fabric, model.levels());
  // A load is flows on a link of the usual speed; ours is units on a link of its own.
  const double unit = static_cast<double>(net.units_in_one() * net.addresses()) /
                      static_cast<double>(model.speeds().usual());
  for (const CutShare& share : all_to_all_shares(model, cuts, model.counted(), net.addresses())) {
    Cut cut{share.fair.value() * unit, share.tables.value() * unit, share.flows, {}};
    for (const Channel up : cuts[share.cut].links) {
      const Channel c = share.crossing == CutDirection::kOut ? up : fabric.peer(up);
      cut.slots.push_back(net.slot(index(fabric.as_switch(fabric.owner(c))), fabric.port(c)));
    }
    cuts_.push_back(std::move(cut));
  }
}

void EvenCuts::set_limits(double overload, double urgent, EvenNet& net) const {
  constexpr double kRounding = 1e-6;
  for (EvenChannel& channel : net.channel) channel.limit = 0, channel.urgent = 0;
  for (const Cut& cut : cuts_) {
    const double share = std::max(cut.fair * (1 + overload), cut.tables);
    for (const std::uint32_t slot : cut.slots) {
      EvenChannel& channel = net.channel[slot];
      const auto capacity = static_cast<double>(net.capacity(slot));
      channel.limit =
          std::max(channel.limit, static_cast<std::uint64_t>(share * capacity + kRounding));
      const double least = cut.least() * capacity;
      channel.least = std::max(channel.least, static_cast<float>(least));
      channel.urgent = std::max(channel.urgent, static_cast<float>((1 + urgent) * least));
    }
  }
}

double EvenCuts::overload_of(const Cut& cut, const EvenNet& net) {
  double most = 0;
  for (const std::uint32_t slot : cut.slots) {
    most = std::max(most, static_cast<double>(net.channel[slot].load) /
                              static_cast<double>(net.capacity(slot)));
  }
  return most / cut.least() - 1;
}

EvenCuts::Overload EvenCuts::overload(const EvenNet& net) const {
  Overload all;
  double flows = 0;
  for (const Cut& cut : cuts_) {
    const double own = overload_of(cut, net);
    all.mean += cut.flows * own;
    all.worst = std::max(all.worst, own);
    flows += cut.flows;
  }
  if (flows > 0) all.mean /= flows;
  return all;
}

}  // namespace fatwood
