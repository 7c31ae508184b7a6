// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/rates/rates_by_loads.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "analysis/rates/ranked_links.hpp"

namespace fatwood {

namespace {

// Classes of links such that no pair uses two links of a class; kOther: none of these.
enum LinkClass : std::uint8_t { kPortOut, kPortIn, kLeafOut, kLeafIn, kOther };

// What the hosts of a switch send and get.
struct LeafTraffic {
  std::uint64_t adapters = 0, reached = 0;  // that take part; that get something
  std::uint64_t out = 0, in = 0;            // of host ports
  std::uint64_t links_out = 0, links_in = 0;
};

class LoadClasses {
 public:
  LoadClasses(const Model& model, const ChannelUse& use)
      : class_(use.flows.size(), kOther), traffic_(model.fabric().num_switches()) {
    const Fabric& fabric = model.fabric();
    for (const Terminal t : model.adapters().all_terminals()) {
      if (fabric.leaf(t) == kNone<Switch>) continue;
      const Channel out = fabric.terminal_channel(t);
      const Channel in = fabric.peer(out);
      class_[out] = kPortOut;
      class_[in] = kPortIn;
      LeafTraffic& leaf = traffic_[fabric.leaf(t)];
      ++leaf.adapters;
      leaf.reached += use.flows[in] > 0 ? 1U : 0U;
      leaf.out += use.flows[out];
      leaf.in += use.flows[in];
      pairs_ += use.flows[in];
    }
    const auto between = [&](const auto& visit) {
      for (const Channel c : ids<Channel>(use.flows.size())) {
        if (!fabric.between_switches(c)) continue;
        visit(c, fabric.as_switch(fabric.owner(c)), fabric.next_switch(c));
      }
    };
    between([&](Channel c, Switch from, Switch to) {
      traffic_[from].links_out += use.flows[c];
      traffic_[to].links_in += use.flows[c];
    });
    between([&](Channel c, Switch from, Switch to) {
      if (is_end(traffic_[from])) class_[c] = kLeafOut;
      if (is_end(traffic_[to])) class_[c] = kLeafIn;
    });
  }

  LinkClass of(Channel c) const { return static_cast<LinkClass>(class_[c]); }
  std::uint64_t pairs() const { return pairs_; }

 private:
  // Whether no packets pass through the switch.
  static bool is_end(const LeafTraffic& leaf) {
    if (leaf.adapters == 0) return false;
    const std::uint64_t within = leaf.reached * (leaf.adapters - 1);
    return leaf.links_out + within == leaf.out && leaf.links_in + within == leaf.in;
  }

  Table<Channel, std::uint8_t> class_;
  Table<Switch, LeafTraffic> traffic_;
  std::uint64_t pairs_ = 0;
};

// Links of one rate, and all slower ones.
struct RateStep {
  RankedLinks::Rank rank;     // one of them
  std::uint64_t least, most;  // bounds on the number of pairs that use one of these links
};

std::vector<RateStep> rate_steps(const ChannelUse& use, const RankedLinks& ranked,
                                 const LoadClasses& classes) {
  std::vector<RateStep> steps;
  std::array<std::uint64_t, kOther + 1> sums{};
  std::uint64_t most = 0, largest = 0;
  const auto same_rate = [&](Channel a, Channel b) {
    return static_cast<__int128>(ranked.speeds().speed(a)) * use.flows[b] ==
           static_cast<__int128>(ranked.speeds().speed(b)) * use.flows[a];
  };
  for (const Channel c : ranked.order()) {
    if (steps.empty() || !same_rate(c, ranked.link(steps.back().rank))) {
      steps.push_back({ranked.rank(c), 0, 0});
    }
    most += use.flows[c];
    largest = std::max(largest, use.flows[c]);
    sums[classes.of(c)] += use.flows[c];
    steps.back().most = most;
    steps.back().least = std::max(largest, *std::max_element(sums.begin(), sums.begin() + kOther));
  }
  return steps;
}

}  // namespace

std::optional<RatesByLoads> rates_by_loads(const Model& model, const ChannelUse& use) {
  if (!model.adapters().one_port_each() || use.units_in_one != 1) return std::nullopt;
  const LoadClasses classes(model, use);
  const RankedLinks ranked(model, use.flows);
  const std::vector<RateStep> steps = rate_steps(use, ranked, classes);
  RatesByLoads result{.pairs = classes.pairs()};
  if (result.pairs == 0) return result;
  const LinkLoads flows = loads_of(use);
  const PairRate rate(model, ranked, flows);
  for (const auto& [percent, figure] :
       {std::pair(0U, &RatesByLoads::worst), std::pair(1U, &RatesByLoads::p1),
        std::pair(50U, &RatesByLoads::median)}) {
    const std::uint64_t pairs = least_pairs(result.pairs, percent);
    const auto step =
        std::ranges::find_if(steps, [&](const RateStep& at) { return at.most >= pairs; });
    if (step == steps.end() || step->least < pairs) return std::nullopt;
    result.*figure = rate(step->rank);
  }
  return result;
}

}  // namespace fatwood
