// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/oload.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "topology/channel_speeds.hpp"

namespace fatwood {

Fraction tree_oload(const TreeShape& shape, const Traffic& traffic) {
  Fraction most = 0;
  for (unsigned k = 0; k < shape.height(); ++k) {
    const std::uint64_t size = shape.M(k);
    std::vector<std::int64_t> out(shape.terminals() / size);
    std::vector<std::int64_t> in(shape.terminals() / size);
    for (const Flow& flow : traffic.flows) {
      const std::uint64_t from = index(flow.source) / size;
      const std::uint64_t to = index(flow.destination) / size;
      if (from == to) continue;
      out[from] += flow.units;
      in[to] += flow.units;
    }
    const std::int64_t crossing = std::max(*std::max_element(out.begin(), out.end()),
                                           *std::max_element(in.begin(), in.end()));
    const auto cables = static_cast<std::int64_t>(shape.W(k) * shape.up_ports(k));
    most = std::max(most, Fraction(crossing) / Fraction(cables) / Fraction(traffic.units_in_one));
  }
  return most;
}

Fraction cut_bound(const Model& model, const Traffic& traffic) {
  const Fabric& fabric = model.fabric();
  const Hosts& hosts = model.hosts();
  std::vector<std::int64_t> out(hosts.size());
  std::vector<std::int64_t> in(hosts.size());
  std::vector<std::int64_t> leaf_out(fabric.num_switches());
  std::vector<std::int64_t> leaf_in(fabric.num_switches());
  for (const Flow& flow : traffic.flows) {
    out[index(flow.source)] += flow.units;
    in[index(flow.destination)] += flow.units;
    const Switch from = hosts.leaf(fabric, flow.source);
    const Switch to = hosts.leaf(fabric, flow.destination);
    if (from == to || from == kNone<Switch> || to == kNone<Switch>) continue;
    leaf_out[index(from)] += flow.units;
    leaf_in[index(to)] += flow.units;
  }
  const ChannelSpeeds speeds(fabric);
  Fraction bound(0);
  for (const Host host : ids<Host>(hosts.size())) {
    const std::int64_t most = std::max(out[index(host)], in[index(host)]);
    std::int64_t speed = 0;
    for (const Terminal t : hosts.terminals(host)) {
      speed += speeds.speed(fabric.terminal_channel(t));
    }
    if (most > 0) bound = std::max(bound, Fraction(most) * Fraction(speeds.usual(), speed));
  }
  for (const Switch s : ids<Switch>(fabric.num_switches())) {
    const std::int64_t crossing = std::max(leaf_out[index(s)], leaf_in[index(s)]);
    if (crossing == 0) continue;
    std::int64_t speed = 0;
    const Node node = fabric.node(s);
    for (Port port = 1; port <= fabric.ports(node); ++port) {
      const Channel c = fabric.channel(node, port);
      if (fabric.connected(c) && fabric.is_switch(fabric.neighbour(c))) speed += speeds.speed(c);
    }
    if (speed > 0) bound = std::max(bound, Fraction(crossing) * Fraction(speeds.usual(), speed));
  }
  return bound / Fraction(traffic.units_in_one);
}

namespace {

// The fraction of smallest denominator within 1e-8 of a solver's value (continued fractions).
Fraction nearest_short(double value) {
  constexpr double kNear = 1e-8;
  std::int64_t num0 = 0;
  std::int64_t den0 = 1;
  std::int64_t num1 = 1;
  std::int64_t den1 = 0;
  double rest = value;
  for (int step = 0; step < 40; ++step) {
    const double whole = std::floor(rest + 1e-12);
    const auto digit = static_cast<std::int64_t>(whole);
    const std::int64_t num = digit * num1 + num0;
    const std::int64_t den = digit * den1 + den0;
    if (den > 10'000'000) break;
    num0 = num1;
    den0 = den1;
    num1 = num;
    den1 = den;
    const double near = static_cast<double>(num1) / static_cast<double>(den1);
    if (std::abs(near - value) <= kNear * std::max(1.0, value)) break;
    rest = 1 / std::max(rest - whole, 1e-12);
  }
  return {num1, den1};
}

}  // namespace

Oload oload(const Model& model, const Traffic& traffic) {
  const std::optional<WholeTree>& tree = model.whole_tree();
  if (tree && ChannelSpeeds(model.fabric()).uniform()) {
    if (tree->generated()) return {tree_oload(tree->shape, traffic), OloadKind::kTheorem};
    Traffic placed = traffic;
    const auto place = [&](Host host) {
      return static_cast<Host>(tree->place(model.hosts().terminals(host).front()));
    };
    for (Flow& flow : placed.flows) {
      flow.source = place(flow.source);
      flow.destination = place(flow.destination);
    }
    return {tree_oload(tree->shape, placed), OloadKind::kTheorem};
  }
  const Fraction bound = cut_bound(model, traffic);
  const std::optional<double> optimum = lp_oload(model, traffic);
  if (!optimum) return {bound, OloadKind::kLowerBound};
  return {std::max(bound, nearest_short(*optimum)), OloadKind::kLinearProgram};
}

}  // namespace fatwood
