// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/worst/worst_bounds.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

#include "analysis/bounds/oload.hpp"
#include "analysis/load/link_load.hpp"
#include "analysis/worst/worst_flows.hpp"
#include "topology/channel_speeds.hpp"

namespace fatwood {

namespace {

constexpr std::size_t kTogether = 32;  // channels whose pairs are in memory at once
constexpr int kOtherTraffic = 20;
constexpr unsigned kMostPrograms = 200;
constexpr std::size_t kMostAdapters = 2048;  // for programs
constexpr double kSolverError = 1e-6;

// Stores the ratio that a traffic attains, if it is larger than the known one. Returns the result
// of routing the traffic path by path. `load`: of the channel.
std::optional<NegotiatedLoad> show(const Model& model, const PathSource& paths,
                                   const WorstOptions& options, const Traffic& traffic,
                                   Fraction load, WorstBounds& result) {
  const Fraction mload = max_load(link_loads(model, paths, traffic, options.threads));
  double oload = shortest_split_load(model, traffic);
  std::optional<NegotiatedLoad> routed = negotiated_load(model, traffic);
  if (routed) oload = std::min(oload, routed->largest.value());
  if (mload.value() / oload > result.ratio_at_least) {
    result.traffic = traffic;
    result.load = load;
    result.oload_at_most = oload;
    result.ratio_at_least = mload.value() / oload;
  }
  // The traffic attains the upper bound.
  if (options.traffic == TrafficClass::kAny && routed) {
    result.exact = result.exact || mload / routed->largest == result.at_most;
  }
  return routed;
}

// If the flows inevitably share links elsewhere, tries other traffic of the same channel without
// some of them.
void show_others(const Model& model, const PathSource& paths, const LeafGroups& groups,
                 const WorstOptions& options, NegotiatedLoad routed, WorstBounds& result) {
  const Channel channel = result.channel;
  std::vector<PairArc> arcs = pairs_of(model.fabric(), paths, {&channel, 1}, options.threads)[0];
  const std::int64_t weight_of_whole = heaviest_flow(groups, arcs, options.traffic).weight;
  const Fraction whole = result.load;
  Traffic traffic = result.traffic;
  for (int i = 0; i < kOtherTraffic && !routed.meeting.empty(); ++i) {
    for (const std::size_t flow : routed.meeting) {
      std::erase_if(arcs, [&](const PairArc& arc) {
        return arc.source == traffic.flows[flow].source &&
               arc.destination == traffic.flows[flow].destination;
      });
    }
    HeaviestFlow solved = heaviest_flow(groups, arcs, options.traffic);
    traffic.flows = std::move(solved.flows);
    if (traffic.flows.empty()) return;
    const Fraction load = whole * Fraction(solved.weight, weight_of_whole);
    const auto next = show(model, paths, options, traffic, load, result);
    if (!next) return;
    routed = *next;
  }
}

// A bound of a channel: no traffic loads it with more than `most`.
struct ChannelBound {
  Channel channel;
  double most;
  bool by_flow = false;
  bool by_program = false;
};

bool above(double most, double shown) { return most > shown * (1 + 4 * kSolverError); }

// Stores what the traffic of a program attains. The solver's routing carries it; if all amounts are
// integers, also exactly.
void show_program(const Model& model, const PathSource& paths, const WorstOptions& options,
                  Channel channel, Traffic traffic, WorstBounds& result) {
  const auto is_whole = [&](const Flow& flow) { return flow.units % traffic.units_in_one == 0; };
  result.channel = channel;
  const bool whole = std::ranges::all_of(traffic.flows, is_whole);
  if (whole) {
    for (Flow& flow : traffic.flows) flow.units /= traffic.units_in_one;
    traffic.units_in_one = 1;
  }
  const LinkLoads loads = link_loads(model, paths, traffic, options.threads);
  const Fraction load = loads.load(channel);
  if (whole) show(model, paths, options, traffic, load, result);
  const double ratio = max_load(loads).value() / (1 + kSolverError);
  if (ratio <= result.ratio_at_least) return;
  result.traffic = std::move(traffic);
  result.load = load;
  result.oload_at_most = 1 + kSolverError;
  result.ratio_at_least = ratio;
}

// Closes the gap by linear programs for the channels that could exceed the attained ratio, the most
// promising first. False if a program could not be solved, or if there are too many.
bool narrow(const Model& model, const PathSource& paths, const LeafGroups& groups,
            const WorstOptions& options, std::vector<ChannelBound> bounds, WorstBounds& result) {
  const ChannelSpeeds& speeds = model.speeds();
  const auto units = static_cast<std::int64_t>(paths.units_in_one());
  const auto weight = [&](Channel c) {
    return static_cast<double>(speeds.weight(c)) / static_cast<double>(speeds.weight_of_one());
  };
  unsigned programs = 0;
  bool solved = true;
  while (solved) {
    std::ranges::stable_sort(bounds, std::greater{}, &ChannelBound::most);
    std::vector<Channel> chosen;
    for (const ChannelBound& one : bounds) {
      if (chosen.size() == kTogether || !above(one.most, result.ratio_at_least)) break;
      chosen.push_back(one.channel);
    }
    if (chosen.empty()) break;
    report(options.progress, 0.99, "the worst channels");
    const auto arcs = pairs_of(model.fabric(), paths, chosen, options.threads);
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      ChannelBound& one = bounds[i];
      if (one.by_flow) continue;
      const HeaviestFlow flow = heaviest_flow(groups, arcs[i], options.traffic);
      ++result.flows_solved;
      const Fraction load(flow.weight, units * groups.parts);
      one.most = std::min(one.most, load.value() * weight(one.channel));
      one.by_flow = true;
    }
    for (std::size_t i = 0; solved && i < chosen.size(); ++i) {
      ChannelBound& one = bounds[i];
      if (!above(one.most, result.ratio_at_least)) continue;
      const double of_one = weight(one.channel);
      const auto worst = worst_program(model, arcs[i], units, result.ratio_at_least / of_one);
      // A second program for the same channel would give the same result.
      solved = worst && !one.by_program && ++programs < kMostPrograms;
      one.by_program = true;
      if (!worst) break;
      one.most = std::min(one.most, worst->at_most * of_one);
      if (!above(worst->at_least * of_one, result.ratio_at_least)) continue;
      show_program(model, paths, options, one.channel, worst->traffic, result);
    }
  }
  double most = result.ratio_at_least;
  for (const ChannelBound& one : bounds) most = std::max(most, one.most);
  // Rounded up to a whole number of millionths.
  constexpr std::int64_t kMillion = 1'000'000;
  const double millionths = std::ceil(most * (1 + kSolverError) * static_cast<double>(kMillion));
  const Fraction rounded(static_cast<std::int64_t>(millionths), kMillion);
  if (!result.exact) result.at_most = std::min(result.at_most, rounded);
  return solved;
}

// No more flows than sources or destinations can be on a channel: that many, times its weight.
std::vector<std::int64_t> most_on_channels(const Model& model, const PathSource& paths,
                                           const LeafGroups& groups, const WorstOptions& options) {
  const Fabric& fabric = model.fabric();
  report(options.progress, 0.0, "sources of each channel");
  auto most = end_counts(fabric, paths, groups, PairEnd::kSource, options);
  report(options.progress, 0.3, "destinations of each channel");
  const auto destinations = end_counts(fabric, paths, groups, PairEnd::kDestination, options);
  for (const Channel c : ids<Channel>(fabric.num_channels())) {
    most[index(c)] = std::min(most[index(c)], destinations[index(c)]) * model.speeds().weight(c);
  }
  return most;
}

}  // namespace

WorstBounds worst_bounds(const Model& model, const PathSource& paths, const WorstOptions& options) {
  const Fabric& fabric = model.fabric();
  const ChannelSpeeds& speeds = model.speeds();
  const LeafGroups groups = groups_of(model, options.traffic);
  const std::vector<std::int64_t> counts = most_on_channels(model, paths, groups, options);
  const auto count = [&](Channel c) { return counts[index(c)]; };
  std::vector<Channel> order;
  for (const Channel c : ids<Channel>(fabric.num_channels())) {
    if (count(c) > 0) order.push_back(c);
  }
  std::ranges::stable_sort(order, std::greater{}, count);

  WorstBounds result;
  std::int64_t best = 0;
  std::vector<Flow> flows;
  const auto units =
      static_cast<std::int64_t>(paths.units_in_one()) * groups.parts * speeds.weight_of_one();
  std::size_t next = 0;
  std::vector<ChannelBound> bounds;
  const auto most = static_cast<double>(std::max<std::uint64_t>(1, options.most_solved));
  while (next < order.size() && next < options.most_solved && count(order[next]) > best) {
    report(options.progress, 0.6 + 0.4 * static_cast<double>(next) / most,
           "flows on the heaviest channels");
    const std::size_t together =
        std::min({kTogether, order.size() - next, std::size_t{options.most_solved} - next});
    const std::span<const Channel> chosen(order.data() + next, together);
    const auto arcs = pairs_of(fabric, paths, chosen, options.threads);
    for (std::size_t i = 0; i < together; ++i) {
      if (count(chosen[i]) <= best) break;
      HeaviestFlow solved = heaviest_flow(groups, arcs[i], options.traffic);
      ++result.flows_solved;
      const std::int64_t weight = solved.weight * speeds.weight(chosen[i]);
      bounds.push_back({chosen[i], Fraction(weight, units).value(), true, false});
      if (weight <= best) continue;
      best = weight;
      result.channel = chosen[i];
      flows = std::move(solved.flows);
    }
    next += together;
  }
  const bool all_solved = next >= order.size() || count(order[next]) <= best;
  result.load = Fraction(best, units);
  result.at_most = all_solved ? result.load : Fraction(count(order[next]), units);
  result.exact = all_solved && options.traffic == TrafficClass::kPermutation;
  if (flows.empty()) return result;
  const Traffic heaviest{model.adapters().size(), groups.parts, std::move(flows)};
  const Channel heaviest_channel = result.channel;
  const auto routed = show(model, paths, options, heaviest, result.load, result);
  if (options.traffic != TrafficClass::kAny || result.exact) return result;
  for (std::size_t i = bounds.size(); i < order.size(); ++i) {
    bounds.push_back({order[i], Fraction(count(order[i]), units).value(), false, false});
  }
  const bool narrowed = model.adapters().size() <= kMostAdapters &&
                        narrow(model, paths, groups, options, std::move(bounds), result);
  if (!narrowed && routed && result.channel == heaviest_channel) {
    show_others(model, paths, groups, options, *routed, result);
  }
  return result;
}

}  // namespace fatwood
