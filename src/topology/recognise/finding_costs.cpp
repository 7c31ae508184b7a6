// SPDX-License-Identifier: BSD-3-Clause
#include "topology/recognise/finding_costs.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <string_view>

namespace fatwood {

namespace {

class Costs {
 public:
  Costs(const Fabric& fabric, const Recognition& known)
      : fabric_(fabric), known_(known), handed_up_(fabric.num_switches(), 0) {
    for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
      const TerminalRole role = known.levels.role[t];
      if (role == TerminalRole::kAggregation) continue;
      hosts_ += 1;
      if (fabric.leaf(t) != kNone<Switch>) handed_up_[fabric.leaf(t)] += 1;
    }
    const auto has = [&](std::string_view kind) {
      return std::ranges::any_of(known.findings,
                                 [&](const Finding& finding) { return finding.kind == kind; });
    };
    if (has("missing-cable") || has("slow-cable")) spread();
    if (has("slow-cable") || has("slow-host")) count_rates();
  }

  double of(const Finding& finding) const {
    if (finding.kind == "no-tree" || finding.kind == "parts" || finding.kind == "apart") {
      return hosts_;
    }
    if (finding.kind == "missing-cable") return missing(finding);
    if (finding.kind == "slow-cable") return slow_cable(finding.ports.front());
    if (finding.kind == "slow-host") return slow_hosts(finding.ports);
    if (finding.kind == "no-cable" || finding.kind == "direct") {
      return static_cast<double>(finding.nodes.size());
    }
    return 0;
  }

 private:
  std::uint32_t cables_up(Switch s) const {
    std::uint32_t count = 0;
    for (const Group g : known_.graph.groups(s)) {
      if (known_.levels.level[known_.graph.neighbour(g)] > known_.levels.level[s])
        count += known_.graph.width(g);
    }
    return count;
  }
  std::uint32_t lacking(Switch s) const {
    std::uint32_t count = 0;
    for (const MissingCable& gap : known_.missing) {
      if (gap.below == s) count += gap.usual - gap.there;
    }
    return count;
  }

  // Leaves first, each switch hands up what it has and was handed.
  void spread() {
    std::vector<Switch> order(known_.graph.size());
    for (std::uint32_t s = 0; s < order.size(); ++s) order[s] = Switch{s};
    std::ranges::stable_sort(order, {}, [&](Switch s) { return known_.levels.level[s]; });
    for (const Switch s : order) {
      const double each = handed_up_[s] / std::max(1U, cables_up(s));
      for (const Group g : known_.graph.groups(s)) {
        const Switch to = known_.graph.neighbour(g);
        if (known_.levels.level[to] > known_.levels.level[s]) {
          handed_up_[to] += each * known_.graph.width(g);
        }
      }
    }
  }

  using LevelPair = std::pair<Level, Level>;
  LevelPair group(Channel c) const {
    const auto level = [&](Node node) {
      return fabric_.is_switch(node) ? known_.levels.level[fabric_.as_switch(node)] : Level{0};
    };
    const Level a = level(fabric_.owner(c));
    const Level b = level(fabric_.neighbour(c));
    if (std::min(a, b) == 0) return {0, 0};
    return {std::min(a, b), std::max(a, b)};
  }
  void count_rates() {
    std::map<LevelPair, std::map<double, std::uint64_t>> counts;
    for (const Channel c : ids<Channel>(fabric_.num_channels())) {
      if (!fabric_.connected(c) || gigabits(fabric_.rate(c)) <= 0) continue;
      ++counts[group(c)][gigabits(fabric_.rate(c))];
    }
    for (const auto& [where, rates] : counts) {
      usual_[where] = std::ranges::max_element(rates, {}, [](const auto& each) {
                        return std::pair(each.second, each.first);
                      })->first;
    }
  }
  // The part of its usual rate that a cable lacks.
  double lacks(Channel c) const {
    const double usual = usual_.at(group(c));
    return std::max(0.0, 1 - gigabits(fabric_.rate(c)) / usual);
  }

  double missing(const Finding& finding) const {
    const Switch s = fabric_.as_switch(finding.nodes.front());
    const double lost = lacking(s);
    return handed_up_[s] * lost / (lost + cables_up(s));
  }
  double slow_cable(Channel c) const {
    const Switch s = fabric_.as_switch(fabric_.owner(c));
    return lacks(c) * handed_up_[s] / std::max(1U, cables_up(s));
  }
  double slow_hosts(const std::vector<Channel>& ports) const {
    return std::accumulate(ports.begin(), ports.end(), 0.0,
                           [&](double sum, Channel c) { return sum + lacks(c); });
  }

  const Fabric& fabric_;
  const Recognition& known_;
  double hosts_ = 0;
  Table<Switch, double> handed_up_;  // in hosts' worth
  std::map<LevelPair, double> usual_;
};

}  // namespace

std::vector<double> finding_costs(const Fabric& fabric, const Recognition& known) {
  if (known.findings.empty()) return {};
  const Costs costs(fabric, known);
  std::vector<double> result;
  for (const Finding& finding : known.findings) result.push_back(costs.of(finding));
  return result;
}

}  // namespace fatwood
