// SPDX-License-Identifier: BSD-3-Clause
#include "report/verify_report.hpp"

#include <fmt/format.h>

#include <array>

#include "report/json.hpp"

namespace fatwood {

namespace {

constexpr std::array<std::string_view, 5> kFaultKinds = {"no entry", "no such port", "no cable",
                                                         "wrong adapter", "wrong own port"};

std::string switch_name(const Fabric& fabric, Switch s) {
  return std::string(display_name(fabric, fabric.node(s)));
}

std::string target_name(const Fabric& fabric, const Routing& routing, Target target) {
  return endpoint_name(fabric, endpoint(routing.tables, target));
}

Json by_kind(const PairCounts& counts) {
  return {{"terminal_terminal", counts.terminal_terminal},
          {"terminal_switch", counts.terminal_switch},
          {"switch_terminal", counts.switch_terminal},
          {"switch_switch", counts.switch_switch}};
}

class Lines {
 public:
  void add(std::string_view name, const std::string& value) {
    text_ += fmt::format("{:<10} {}\n", name, value);
  }
  std::string text_;
};

void add_reachability(Lines& lines, const Fabric& fabric, const Routing& routing,
                      const Reachability& found, const Discarded& discarded) {
  const auto kind = [&](std::string_view name, std::uint64_t pairs, std::uint64_t lost) {
    lines.add("", fmt::format("{:<22} {:>12} {:>12}", name, pairs, lost));
  };
  lines.add("pairs", fmt::format("{:<22} {:>12} {:>12}", "", "all", "unreachable"));
  const PairCounts& all = found.pairs;
  const PairCounts& lost = found.unreachable;
  kind("terminal to terminal", all.terminal_terminal, lost.terminal_terminal);
  kind("terminal to switch", all.terminal_switch, lost.terminal_switch);
  kind("switch to terminal", all.switch_terminal, lost.switch_terminal);
  kind("switch to switch", all.switch_switch, lost.switch_switch);
  if (found.first_lost) {
    lines.add("",
              fmt::format("{} does not reach {}", endpoint_name(fabric, found.first_lost->source),
                          endpoint_name(fabric, found.first_lost->destination)));
  }
  for (std::size_t i = 0; i < found.faults.size(); ++i) {
    const TableFault& fault = found.faults[i];
    if (fault.entries == 0) continue;
    lines.add("entries", fmt::format("{} lead astray: {}; the first is of {} for {}", fault.entries,
                                     kFaultKinds[i], switch_name(fabric, fault.first_switch),
                                     target_name(fabric, routing, fault.first_target)));
  }
  if (found.apart.total() > 0) {
    lines.add("apart", fmt::format("{} of the unreachable pairs are joined by no cables",
                                   found.apart.total()));
  }
  if (discarded.pairs.total() > 0) {
    lines.add("discarded", fmt::format("{} of the unreachable pairs are sent in lane {}, which "
                                       "carries no data; the first is {} to {}",
                                       discarded.pairs.total(), kManagementLane,
                                       endpoint_name(fabric, discarded.first->source),
                                       endpoint_name(fabric, discarded.first->destination)));
  }
  lines.add("loops", std::to_string(found.loops));
  if (found.first_loop) {
    std::string circle;
    for (const Switch s : found.first_loop->switches) circle += switch_name(fabric, s) + " > ";
    circle += switch_name(fabric, found.first_loop->switches.front());
    lines.add("", fmt::format("packets to {} circle: {}",
                              target_name(fabric, routing, found.first_loop->target), circle));
  }
}

void add_hops(Lines& lines, const Fabric& fabric, const Routing& routing, const Verdict& verdict) {
  std::string histogram;
  const std::vector<std::uint64_t>& pairs = verdict.hops.terminals.pairs;
  for (std::size_t h = 0; h < pairs.size(); ++h) {
    if (pairs[h] == 0) continue;
    histogram += fmt::format("{}{}: {}", histogram.empty() ? "" : ", ", h, pairs[h]);
  }
  lines.add("hops", fmt::format("{:.3f} between terminals in the mean, {} at most ({})",
                                verdict.hops.terminals.mean(), verdict.hops.terminals.longest(),
                                histogram));
  const Minimality& minimality = verdict.minimality;
  lines.add("minimal", minimality.minimal()
                           ? "yes"
                           : fmt::format("no: {} pairs go further than they must, by {} hops at "
                                         "most; {:.4f} times the shortest in the mean",
                                         minimality.longer.total(), minimality.worst_excess,
                                         minimality.stretch()));
  if (!verdict.up_down) {
    lines.add("up/down", fmt::format("not asked: {}", verdict.no_levels));
    return;
  }
  const UpDown& turns = *verdict.up_down;
  std::string text = "kept by all";
  if (turns.turning.total() > 0) {
    text = fmt::format("{} pairs go down and up again, the first {} to {}", turns.turning.total(),
                       endpoint_name(fabric, endpoint(*turns.first_switch)),
                       target_name(fabric, routing, turns.first_target));
  }
  if (turns.horizontal.total() > 0) {
    text += fmt::format("; {} pairs take a cable within a level", turns.horizontal.total());
  }
  lines.add("up/down", text);
}

void add_deadlock(Lines& lines, const Fabric& fabric, const Deadlock& deadlock) {
  for (std::size_t lane = 0; lane < deadlock.lanes.size(); ++lane) {
    const LaneVerdict& verdict = deadlock.lanes[lane];
    const std::string of_lane =
        deadlock.changing > 1
            ? fmt::format("{} lanes that routes change between: ", deadlock.changing)
        : deadlock.lanes.size() > 1 ? fmt::format("lane {}: ", lane)
                                    : "";
    if (verdict.cycle.empty()) {
      lines.add(lane == 0 ? "deadlock" : "",
                fmt::format("{}none: {} dependencies ascend one order of {} channels", of_lane,
                            verdict.dependencies, verdict.order.size()));
      continue;
    }
    lines.add(lane == 0 ? "deadlock" : "",
              fmt::format("{}a cycle of {} channels, the shortest of {} dependencies", of_lane,
                          verdict.cycle.size(), verdict.dependencies));
    for (const Dependency& one : verdict.cycle) {
      const std::string in_lane = deadlock.changing > 1 ? fmt::format(" in lane {}", one.lane) : "";
      lines.add("", fmt::format("  {} > {}{} held by {} to {}", port_name(fabric, one.channel),
                                port_name(fabric, fabric.peer(one.channel)), in_lane,
                                endpoint_name(fabric, one.source),
                                endpoint_name(fabric, one.destination)));
    }
  }
}

constexpr std::array kTierNames = {"hosts", "aggregation_nodes", "switches"};

// "hosts: free; with aggregation nodes: free; with switches: a cycle"
void add_tiers(Lines& lines, const DeadlockTiers& tiers) {
  constexpr std::array kWords = {"hosts", "with aggregation nodes", "with the switches' own"};
  std::string text;
  for (std::size_t tier = 0; tier < tiers.size(); ++tier) {
    if (!tiers[tier]) continue;
    text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", kWords[tier],
                        *tiers[tier] ? "free" : "a cycle");
  }
  lines.add("by packets", text);
}

Json tiers_json(const DeadlockTiers& tiers) {
  Json json = Json::object();
  for (std::size_t tier = 0; tier < tiers.size(); ++tier) {
    json[kTierNames[tier]] = tiers[tier] ? Json(*tiers[tier]) : Json();
  }
  return json;
}

Json faults_json(const Fabric& fabric, const Routing& routing, const Reachability& found) {
  Json faults = Json::array();
  for (std::size_t i = 0; i < found.faults.size(); ++i) {
    const TableFault& fault = found.faults[i];
    if (fault.entries == 0) continue;
    faults.push_back({{"kind", kFaultKinds[i]},
                      {"entries", fault.entries},
                      {"switch", switch_name(fabric, fault.first_switch)},
                      {"destination", target_name(fabric, routing, fault.first_target)}});
  }
  return faults;
}

Json cycle_json(const Fabric& fabric, const Deadlock& deadlock) {
  Json cycle = Json::array();
  if (deadlock.free()) return cycle;
  const std::size_t lane = deadlock.cyclic_lane();
  for (const Dependency& one : deadlock.lanes[lane].cycle) {
    cycle.push_back({{"lane", one.lane},
                     {"channel", port_name(fabric, one.channel)},
                     {"guid", fmt::format("{:#018x}", fabric.guid(fabric.owner(one.channel)))},
                     {"port", fabric.port(one.channel)},
                     {"to", port_name(fabric, fabric.peer(one.channel))},
                     {"source", endpoint_name(fabric, one.source)},
                     {"destination", endpoint_name(fabric, one.destination)},
                     {"offset", one.offset}});
  }
  return cycle;
}

}  // namespace

std::string verify_text(const Fabric& fabric, const Routing& routing, const Verdict& verdict) {
  Lines lines;
  lines.add("routes", routing.engine);
  add_reachability(lines, fabric, routing, verdict.reachability, verdict.discarded);
  add_hops(lines, fabric, routing, verdict);
  add_deadlock(lines, fabric, verdict.deadlock);
  add_tiers(lines, verdict.tiers);
  lines.add("holds", verdict.holds() ? "yes" : "no");
  return lines.text_;
}

std::string verify_json(const Fabric& fabric, const Routing& routing, const Verdict& verdict) {
  const Reachability& found = verdict.reachability;
  Json json{{"holds", verdict.holds()},
            {"routes", routing.engine},
            {"pairs", by_kind(found.pairs)},
            {"unreachable", by_kind(found.unreachable)},
            {"first_unreachable", nullptr},
            {"apart", by_kind(found.apart)},
            {"discarded", by_kind(verdict.discarded.pairs)},
            {"loops", found.loops},
            {"first_loop", nullptr},
            {"faults", faults_json(fabric, routing, found)},
            {"hops",
             {{"mean", verdict.hops.terminals.mean()},
              {"longest", verdict.hops.terminals.longest()},
              {"histogram", verdict.hops.terminals.pairs}}},
            {"minimal", verdict.minimality.minimal()},
            {"longer", by_kind(verdict.minimality.longer)},
            {"stretch", verdict.minimality.stretch()},
            {"up_down", nullptr},
            {"deadlock_free", verdict.deadlock.free()},
            {"deadlock_free_packets_of", tiers_json(verdict.tiers)},
            {"lanes", verdict.deadlock.changing > 0 ? verdict.deadlock.changing
                                                    : verdict.deadlock.lanes.size()},
            {"dependencies", Json::array()},
            {"cycle", cycle_json(fabric, verdict.deadlock)}};
  if (found.first_lost) {
    json["first_unreachable"] = {
        {"source", endpoint_name(fabric, found.first_lost->source)},
        {"destination", endpoint_name(fabric, found.first_lost->destination)}};
  }
  if (found.first_loop) {
    Json switches = Json::array();
    for (const Switch s : found.first_loop->switches) switches.push_back(switch_name(fabric, s));
    json["first_loop"] = {{"destination", target_name(fabric, routing, found.first_loop->target)},
                          {"switches", switches}};
  }
  if (verdict.up_down) {
    json["up_down"] = {{"turning", by_kind(verdict.up_down->turning)},
                       {"horizontal", by_kind(verdict.up_down->horizontal)}};
  }
  for (const LaneVerdict& lane : verdict.deadlock.lanes) {
    json["dependencies"].push_back(lane.dependencies);
  }
  return document(std::move(json));
}

std::string certificate_text(const CertificateCheck& check, const std::string& name) {
  if (check.holds()) {
    return fmt::format("holds: {} routes{} ascend the order in {} lane{}\n", check.routes,
                       check.terminals_only ? " between terminals" : "", check.lanes,
                       check.lanes == 1 ? "" : "s");
  }
  const std::string where = check.line == 0 ? name : fmt::format("{}:{}", name, check.line);
  return fmt::format("does not hold: {}: {}\n", where, check.why_not);
}

std::string certificate_json(const CertificateCheck& check) {
  Json json{{"holds", check.holds()},
            {"routes", check.routes},
            {"lanes", check.lanes},
            {"sources", check.terminals_only ? "terminals" : "all"},
            {"why_not", nullptr}};
  if (!check.holds()) json["why_not"] = check.why_not;
  return document(std::move(json));
}

}  // namespace fatwood
