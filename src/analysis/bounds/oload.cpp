// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/bounds/oload.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "analysis/bounds/cuts.hpp"
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

namespace {

// The fraction of smallest denominator within 1e-8 of a solver's value (continued fractions).
Fraction nearest_short(double value) {
  constexpr double kShort = 1e-8;
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
    if (std::abs(near - value) <= kShort * std::max(1.0, value)) break;
    rest = 1 / std::max(rest - whole, 1e-12);
  }
  return {num1, den1};
}

}  // namespace

Oload oload(const Model& model, const Traffic& traffic, std::optional<Fraction> attained) {
  const std::optional<CompleteTree>& tree = model.complete_tree();
  if (tree && model.speeds().uniform()) {
    if (tree->generated()) return {tree_oload(tree->shape, traffic), OloadKind::kTheorem};
    Traffic placed = traffic;
    const auto place = [&](Adapter adapter) {
      return static_cast<Adapter>(tree->place(model.adapters().terminals(adapter).front()));
    };
    for (Flow& flow : placed.flows) {
      flow.source = place(flow.source);
      flow.destination = place(flow.destination);
    }
    return {tree_oload(tree->shape, placed), OloadKind::kTheorem};
  }
  const Fraction bound = cut_bound(model, traffic);
  if (attained && *attained == bound) return {bound, OloadKind::kAttained};
  const std::optional<LpOload> optimum = lp_oload(model, traffic, bound);
  if (!optimum) return {bound, OloadKind::kLowerBound};
  return {std::max(bound, nearest_short(optimum->value)), OloadKind::kLinearProgram};
}

}  // namespace fatwood
