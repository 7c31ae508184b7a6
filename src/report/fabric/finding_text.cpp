// SPDX-License-Identifier: BSD-3-Clause
#include "report/fabric/finding_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "topology/recognise/recognition.hpp"

namespace fatwood {
namespace {

// "1 is", "4 are".
std::string as_usual(std::uint32_t count) {
  return count == 1 ? "1 is" : fmt::format("{} are", count);
}

std::vector<Port> free_ports(const Fabric& fabric, Node node) {
  std::vector<Port> ports;
  for (const Channel c : fabric.channels(node)) {
    if (!fabric.connected(c)) ports.push_back(fabric.port(c));
  }
  return ports;
}

class Sentence {
 public:
  Sentence(const Fabric& fabric, const Labels& labels, const Levels& levels, const Finding& finding)
      : fabric_(fabric), labels_(labels), levels_(levels), finding_(finding) {}

  std::string operator()(const std::monostate&) const {
    switch (finding_.kind) {
      case FindingKind::kNoTree:
        return levels_.why_not_tree;
      case FindingKind::kApart:
        return disconnected_pair();
      case FindingKind::kUpperHost:
        return upper_host();
      case FindingKind::kAggregation:
        return aggregation();
      case FindingKind::kNoHosts:
        return fmt::format("{} is cabled like a leaf and has no hosts", first());
      case FindingKind::kNoCable:
        return "without any cable: " + listed(names(finding_.nodes));
      case FindingKind::kDirect:
        return labels_.cable(finding_.ports.front()) + ": two adapters without a switch between";
      case FindingKind::kSameName:
        return same_name();
      default:
        return address_sentence(labels_, finding_);
    }
  }
  std::string operator()(const SharedValue&) const { return address_sentence(labels_, finding_); }

  std::string operator()(const ComponentSizes& parts) const {
    std::vector<std::string> words;
    for (const std::size_t size : parts.switches) words.push_back(std::to_string(size));
    return fmt::format("{} disconnected components, of {} switches", words.size(),
                       listed(words, 8));
  }

  std::string operator()(const LackingLinks& lacks) const {
    std::vector<std::string> to;
    bool ports_known = true;
    for (const LackingLinks::Gap& gap : lacks.gaps) {
      to.push_back(missing_to(gap));
      ports_known = ports_known && !(gap.ports.below.empty() && gap.ports.above.empty());
    }
    std::string text =
        fmt::format("{} has {} where {} usual; missing: {}", first(),
                    counted(lacks.there, "up-link"), as_usual(lacks.usual), listed(to));
    if (ports_known) return text;
    const std::vector<Port> free = free_ports(fabric_, finding_.nodes.front());
    return text + (free.empty() ? fmt::format("; no port is free on {}", first())
                                : fmt::format("; free ports of {}: {}", first(), ranges(free)));
  }

  std::string operator()(const CablesEach& each) const {
    return finding_.kind == FindingKind::kExtraCable ? extra(each) : uneven(each);
  }

  std::string operator()(const SmallGroups& groups) const {
    std::vector<std::string> with = names(groups.with);
    std::sort(with.begin(), with.end());
    const std::string upper = level_name(levels_, static_cast<Level>(groups.level + 1));
    return fmt::format("{} of {} under the same {}, where other groups have {}: with {}",
                       counted(with.size(), "group"),
                       counted(groups.size, level_name(levels_, groups.level)),
                       counted(groups.above, upper), groups.usual, listed(with));
  }

  std::string operator()(const UsualEnds& usual) const {
    const Channel c = finding_.ports.front();
    return fmt::format("{}: the other up-links of {} lead elsewhere ({})", labels_.cable(c),
                       labels_(fabric_.owner(c)), listed(names(usual.above), 3));
  }

  std::string operator()(const SideSwitch& side) const {
    std::vector<std::string> words;
    for (const CablesTo& up : side.up) {
      words.push_back(fmt::format("{} to {}", up.cables, labels_(up.to)));
    }
    return fmt::format("{} is not part of the tree: a {} with {}{}", first(), level_of_first(),
                       side.hosts == 0 ? "no hosts" : counted(side.hosts, "host"),
                       words.empty() ? std::string(", no cable upwards")
                                     : fmt::format("; cables upwards: {}", listed(words, 4)));
  }

  std::string operator()(const JoinedPairs& joined) const {
    const std::string levels =
        joined.first == joined.second
            ? fmt::format("both of level {}", joined.first)
            : fmt::format("of levels {} and {}", joined.first, joined.second);
    return joined.pairs.size() == 1 ? one_pair(levels, joined.pairs.front())
                                    : many_pairs(levels, joined.pairs);
  }

  std::string operator()(const HostsByCables& by_cables) const {
    std::vector<std::string> words;
    for (const auto& [cables, hosts] : by_cables.hosts) {
      words.push_back(fmt::format("{} {} {}", counted(hosts, "host"), hosts == 1 ? "has" : "have",
                                  counted(cables, "cable")));
    }
    return listed(words) +
           " into switches: levels count such a host once a switch, the tree's shape counts every "
           "cable";
  }

  std::string operator()(const LeavesByHosts& by_hosts) const {
    std::vector<std::string> words;
    for (const auto& [count, switches] : by_hosts.leaves) {
      words.push_back(fmt::format(
          "{} on {}", count,
          switches.size() <= 3 ? listed(names(switches)) : counted(switches.size(), "leaf")));
    }
    return fmt::format("leaves have {} to {} hosts: {}", by_hosts.leaves.back().first,
                       by_hosts.leaves.front().first, listed(words, 12));
  }

  // Findings of a HostMap have sentences of their own: host_map_sentence().
  template <class OfHosts>
  std::string operator()(const OfHosts&) const {
    return {};
  }

  std::string operator()(const UsualRate& usual) const {
    return finding_.kind == FindingKind::kSlowCable ? slow_cable(usual) : slow_host(usual);
  }

 private:
  std::string first() const { return labels_(finding_.nodes.front()); }
  std::string level_of_first() const {
    return level_name(levels_, first_level(fabric_, levels_, finding_));
  }
  template <class Id>
  std::vector<std::string> names(const std::vector<Id>& nodes) const {
    std::vector<std::string> list;
    for (const Id node : nodes) list.push_back(labels_(node));
    return list;
  }

  std::string disconnected_pair() const {
    return fmt::format("{} and {} have no common ancestor ({} of {} pairs looked at)",
                       labels_(levels_.disconnected_a), labels_(levels_.disconnected_b),
                       levels_.disconnected_pairs, levels_.pairs_seen);
  }

  // "1 of 2 to CSPINE1-68 (LG05-07[31] - CSPINE1-68[14], both free)"
  std::string missing_to(const LackingLinks::Gap& gap) const {
    const CableGap& cable = gap.cable;
    std::string text = labels_(cable.above);
    if (cable.usual > 1 && cable.there == 0) {
      text = cable.usual == 2 ? "both to " + text : fmt::format("all {} to {}", cable.usual, text);
    } else if (cable.usual > 1) {
      text = fmt::format("{} of {} to {}", cable.usual - cable.there, cable.usual, text);
    } else {
      text = "one to " + text;
    }
    const auto end = [&](Switch s, const std::vector<Channel>& channels) {
      return fmt::format("{}[{}]", labels_(s), port_ranges(channels));
    };
    if (!gap.ports.below.empty() && !gap.ports.above.empty()) {
      text += fmt::format(" ({} - {}, both free)", end(cable.below, gap.ports.below),
                          end(cable.above, gap.ports.above));
    } else if (!gap.ports.below.empty()) {
      text += fmt::format(" (from {}, free)", end(cable.below, gap.ports.below));
    } else if (!gap.ports.above.empty()) {
      text += fmt::format(" (at {}, free)", end(cable.above, gap.ports.above));
    }
    return text;
  }
  std::string port_ranges(const std::vector<Channel>& channels) const {
    std::vector<Port> numbers;
    for (const Channel c : channels) numbers.push_back(fabric_.port(c));
    return ranges(numbers);
  }

  std::string uneven(const CablesEach& each) const {
    std::vector<std::string> words;
    std::vector<std::string> none;
    for (const auto& [to, there] : each.to) {
      if (there == 0) {
        none.push_back(labels_(to));
        continue;
      }
      words.push_back(fmt::format("{} to {}",
                                  words.empty() ? counted(there, "up-link") : std::to_string(there),
                                  labels_(to)));
    }
    if (!none.empty()) words.push_back("none to " + listed(none));
    return fmt::format("{} has {}, where {} to each {} usual", first(), listed(words), each.usual,
                       each.usual == 1 ? "is" : "are");
  }
  std::string extra(const CablesEach& each) const {
    std::vector<std::string> words;
    for (const auto& [to, there] : each.to) {
      words.push_back(
          fmt::format("{}{} to {}", there, words.empty() ? " cables" : "", labels_(to)));
    }
    return fmt::format("{} has {}, where {} usual", first(), listed(words), as_usual(each.usual));
  }

  std::string one_pair(const std::string& levels, const std::vector<Channel>& channels) const {
    std::vector<std::string> cables;
    for (const Channel c : channels) cables.push_back(labels_.cable(c));
    return fmt::format("{} between {} and {}, {}: {}", counted(channels.size(), "cable"),
                       labels_(finding_.nodes[0]), labels_(finding_.nodes[1]), levels,
                       listed(cables, 12));
  }
  std::string many_pairs(const std::string& levels,
                         const std::vector<std::vector<Channel>>& pairs) const {
    constexpr std::size_t kShown = 3;
    std::string list;
    for (std::size_t i = 0; i < std::min(kShown, pairs.size()); ++i) {
      const Channel c = pairs[i].front();
      list += fmt::format("{}{} and {}", i == 0 ? "" : "; ", labels_(fabric_.owner(c)),
                          labels_(fabric_.neighbour(c)));
    }
    if (pairs.size() > kShown) list += fmt::format("; {} more", pairs.size() - kShown);
    return fmt::format("{} of switches {} are connected by {} each: {}",
                       counted(pairs.size(), "pair"), levels,
                       counted(pairs.front().size(), "cable"), list);
  }

  std::string upper_host() const {
    std::vector<std::string> hosts;
    for (const Channel c : finding_.ports) {
      hosts.push_back(
          fmt::format("{} on port {}", labels_(fabric_.neighbour(c)), index(fabric_.port(c))));
    }
    return fmt::format("{}, a {}, has {}: {}", first(), level_of_first(),
                       counted(hosts.size(), "host"), listed(hosts, 6));
  }

  std::string aggregation() const {
    std::set<Node> boxes;
    for (const Channel c : finding_.ports) boxes.insert(fabric_.owner(c));
    return fmt::format("{} on internal ports of {}: parts of the switches, not hosts",
                       counted(finding_.nodes.size(), "aggregation adapter"),
                       boxes.size() == fabric_.num_switches()
                           ? fmt::format("all {} switches", boxes.size())
                           : counted(boxes.size(), "switch"));
  }

  std::string same_name() const {
    std::vector<std::string> own;
    for (const Node node : finding_.nodes) own.emplace_back(fabric_.id(node));
    const Node one = finding_.nodes.front();
    return fmt::format("{} are called \"{}\": {}",
                       counted(own.size(), fabric_.is_switch(one) ? "switch" : "adapter"),
                       display_name(fabric_, one), listed(own, 6));
  }

  std::string slow_cable(const UsualRate& usual) const {
    return fmt::format(
        "{} runs at {} where {} between these levels run at {}: a bottleneck, with {:.0f}% of "
        "their speed",
        labels_.cable(finding_.ports.front()), to_string(usual.rate),
        counted(usual.cables, "cable"), to_string(usual.usual),
        100 * gigabits(usual.rate) / gigabits(usual.usual));
  }
  std::string slow_host(const UsualRate& usual) const {
    const bool one = finding_.ports.size() == 1;
    return fmt::format("{} on {} {} {} {} at {} where {} run at {}",
                       one ? labels_(finding_.nodes[1]) : counted(finding_.ports.size(), "host"),
                       first(), one ? "port" : "ports", port_ranges(finding_.ports),
                       one ? "runs" : "run", to_string(usual.rate), counted(usual.cables, "host"),
                       to_string(usual.usual));
  }

  const Fabric& fabric_;
  const Labels& labels_;
  const Levels& levels_;
  const Finding& finding_;
};

}  // namespace

std::string finding_sentence(const Fabric& fabric, const Labels& labels, const Levels& levels,
                             const Finding& finding) {
  return std::visit(Sentence(fabric, labels, levels, finding), finding.facts);
}

std::string address_sentence(const Labels& labels, const Finding& finding) {
  std::vector<std::string> list;
  for (const Channel c : finding.ports) list.push_back(labels.port(c));
  const auto* const shared = std::get_if<SharedValue>(&finding.facts);
  if (shared == nullptr) return "without a LID, unlike the others: " + listed(list);
  return finding.kind == FindingKind::kSameLid
             ? fmt::format("{} have the same LID {}", listed(list), shared->value)
             : fmt::format("{} have the same GUID 0x{:016x}", listed(list), shared->value);
}

std::vector<ReportedFinding> reported_findings(const Fabric& fabric, const Recognition& known) {
  if (known.findings.empty()) return {};
  const Labels labels(fabric);
  const std::vector<double> costs = finding_costs(fabric, known);
  const std::vector<Severity> severity = severities(known);
  std::map<FindingKind, std::size_t> first;
  for (const Finding& finding : known.findings) first.emplace(finding.kind, first.size());
  struct Ranked {
    std::size_t kind;
    Level level;
    ReportedFinding reported;
  };
  std::vector<Ranked> ranked;
  for (std::size_t i = 0; i < costs.size(); ++i) {
    const Finding& finding = known.findings[i];
    ranked.push_back({first[finding.kind],
                      first_level(fabric, known.levels, finding),
                      {finding.kind, finding_sentence(fabric, labels, known.levels, finding),
                       finding.ports, finding.nodes, costs[i], severity[i]}});
  }
  std::ranges::stable_sort(ranked, {}, [](const Ranked& one) {
    return std::tuple(-one.reported.cost, one.kind, one.level,
                      std::string_view(one.reported.sentence));
  });
  std::vector<ReportedFinding> reported;
  for (Ranked& one : ranked) reported.push_back(std::move(one.reported));
  return reported;
}

}  // namespace fatwood
