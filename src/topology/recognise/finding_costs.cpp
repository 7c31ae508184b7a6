// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "topology/recognise/recognition.hpp"

namespace fatwood {

namespace {

class Costs {
 public:
  Costs(const Fabric& fabric, const Recognition& known)
      : fabric_(fabric), known_(known), handed_up_(fabric.num_switches()) {
    for (const TerminalRole role : known.levels.role) {
      hosts_ += role == TerminalRole::kAggregation ? 0 : 1;
    }
    std::ranges::copy(known.levels.terminals, handed_up_.begin());
    const auto has = [&](FindingKind kind) {
      return std::ranges::any_of(known.findings,
                                 [&](const Finding& finding) { return finding.kind == kind; });
    };
    if (has(FindingKind::kMissingCable) || has(FindingKind::kSlowCable)) spread();
  }

  double of(const Finding& finding) const {
    if (finding.kind == FindingKind::kNoTree || finding.kind == FindingKind::kParts ||
        finding.kind == FindingKind::kApart) {
      return hosts_;
    }
    if (finding.kind == FindingKind::kMissingCable) return missing(finding);
    if (finding.kind == FindingKind::kSlowCable) return slow_cable(finding);
    if (finding.kind == FindingKind::kSlowHost) {
      double sum = 0;
      for (std::size_t i = 0; i < finding.ports.size(); ++i) sum += lacks(finding);
      return sum;
    }
    if (finding.kind == FindingKind::kNoCable || finding.kind == FindingKind::kDirect) {
      return static_cast<double>(finding.nodes.size());
    }
    return 0;
  }

 private:
  std::uint32_t cables_up(Switch s) const {
    std::uint32_t count = 0;
    for (const Trunk g : known_.graph.trunks(s)) {
      if (known_.levels.level[known_.graph.neighbour(g)] > known_.levels.level[s])
        count += known_.graph.width(g);
    }
    return count;
  }
  // Leaves first, each switch hands up what it has and was handed.
  void spread() {
    const auto all = ids<Switch>(known_.graph.size());
    std::vector<Switch> order(all.begin(), all.end());
    std::ranges::stable_sort(order, {}, [&](Switch s) { return known_.levels.level[s]; });
    for (const Switch s : order) {
      const double each = handed_up_[s] / std::max(1U, cables_up(s));
      for (const Trunk g : known_.graph.trunks(s)) {
        const Switch to = known_.graph.neighbour(g);
        if (known_.levels.level[to] > known_.levels.level[s]) {
          handed_up_[to] += each * known_.graph.width(g);
        }
      }
    }
  }

  // The part of its usual rate that a cable lacks.
  static double lacks(const Finding& finding) {
    const auto& facts = std::get<UsualRate>(finding.facts);
    return 1 - gigabits(facts.rate) / gigabits(facts.usual);
  }

  double missing(const Finding& finding) const {
    const Switch s = fabric_.as_switch(finding.nodes.front());
    double lost = 0;
    for (const auto& gap : std::get<LackingLinks>(finding.facts).gaps) {
      lost += gap.cable.usual - gap.cable.there;
    }
    return handed_up_[s] * lost / (lost + cables_up(s));
  }
  double slow_cable(const Finding& finding) const {
    const Switch s = fabric_.as_switch(fabric_.owner(finding.ports.front()));
    return lacks(finding) * handed_up_[s] / std::max(1U, cables_up(s));
  }

  const Fabric& fabric_;
  const Recognition& known_;
  double hosts_ = 0;
  Table<Switch, double> handed_up_;  // in hosts' worth
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
