// SPDX-License-Identifier: BSD-3-Clause
#include "report/proof/verify_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <utility>

#include "report/json.hpp"
#include "report/proof/adaptive_verdict.hpp"
#include "report/proof/verify_lines.hpp"
#include "topology/labels.hpp"

namespace fatwood {

namespace {

constexpr std::array<std::string_view, 5> kFaultKinds = {"no entry", "no such port", "no cable",
                                                         "wrong adapter", "wrong own port"};

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
    lines.add("entries", fmt::format("{} are wrong: {}; the first is in {} for {}", fault.entries,
                                     kFaultKinds[i], switch_name(fabric, fault.first_switch),
                                     destination_name(fabric, routing, fault.first_destination)));
  }
  if (found.unknown.total() > 0) {
    const PairCounts& some = found.unknown;
    lines.add("unknown",
              fmt::format("{} more pairs, {} of them between terminals: their packets come to "
                          "table entries that are unknown",
                          some.total(), some.terminal_terminal));
  }
  if (found.disconnected.total() > 0) {
    lines.add("no cables", fmt::format("{} of the unreachable pairs are disconnected",
                                       found.disconnected.total()));
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
    std::string loop;
    for (const Switch s : found.first_loop->switches) loop += switch_name(fabric, s) + " > ";
    loop += switch_name(fabric, found.first_loop->switches.front());
    lines.add("",
              fmt::format("packets to {} loop: {}",
                          destination_name(fabric, routing, found.first_loop->destination), loop));
  }
}

void add_hops(Lines& lines, const Fabric& fabric, const Routing& routing, const Verdict& verdict) {
  std::string histogram;
  const std::vector<std::uint64_t>& pairs = verdict.hops.terminals.pairs;
  for (std::size_t h = 0; h < pairs.size(); ++h) {
    if (pairs[h] == 0) continue;
    histogram += fmt::format("{}{}: {}", histogram.empty() ? "" : ", ", h, pairs[h]);
  }
  lines.add("hops", fmt::format("{:.3f} between terminals on average, {} at most ({})",
                                verdict.hops.terminals.mean(), verdict.hops.terminals.longest(),
                                histogram));
  const Minimality& minimality = verdict.minimality;
  lines.add(
      "minimal",
      minimality.minimal()
          ? "yes"
          : fmt::format("no: {} pairs take more hops than the shortest path, {} more at "
                        "most; {:.4f} times the shortest on average",
                        minimality.longer.total(), minimality.worst_excess, minimality.stretch()));
  if (!verdict.up_down) {
    lines.add("up/down", fmt::format("not checked: {}", verdict.no_levels));
    return;
  }
  const UpDown& turns = *verdict.up_down;
  std::string text = "kept by all";
  if (turns.turning.total() > 0) {
    text = fmt::format("{} pairs go down and up again, the first from {} to {}",
                       turns.turning.total(), endpoint_name(fabric, endpoint(*turns.first_switch)),
                       destination_name(fabric, routing, turns.first_destination));
  }
  if (turns.horizontal.total() > 0) {
    text += fmt::format("; {} pairs take a cable within a level", turns.horizontal.total());
  }
  lines.add("up/down", text);
}

// " by group 3" of the switch that the channel leads to, where the packet has a choice.
std::string by_group(const Fabric& fabric, const Routing& routing, const Dependency& one) {
  if (routing.sets.empty()) return {};
  const Destination destination =
      one.destination.is_switch()
          ? routing.tables.destination(one.destination.sw)
          : routing.tables.destination(one.destination.terminal, one.offset);
  const GroupNumber group =
      routing.sets.group(fabric.as_switch(fabric.neighbour(one.channel)), destination);
  return group == kNoGroup ? std::string(", on by its default port")
                           : fmt::format(", on by group {}", group);
}

void add_deadlock(Lines& lines, const Fabric& fabric, const Routing& routing,
                  const Deadlock& deadlock) {
  for (std::size_t lane = 0; lane < deadlock.lanes.size(); ++lane) {
    const LaneVerdict& verdict = deadlock.lanes[lane];
    const std::string of_lane =
        deadlock.changing > 1
            ? fmt::format("{} lanes that routes change between: ", deadlock.changing)
        : deadlock.lanes.size() > 1 ? fmt::format("lane {}: ", lane)
                                    : "";
    if (verdict.cycle.empty()) {
      lines.add(lane == 0 ? "deadlock" : "",
                fmt::format("{}none: {} channels can be numbered so that every route only goes up "
                            "({} dependencies)",
                            of_lane, verdict.order.size(), verdict.dependencies));
      continue;
    }
    lines.add(lane == 0 ? "deadlock" : "",
              fmt::format("{}a shortest cycle: {} channels ({} dependencies in all)", of_lane,
                          verdict.cycle.size(), verdict.dependencies));
    for (const Dependency& one : verdict.cycle) {
      const std::string in_lane = deadlock.changing > 1 ? fmt::format(" in lane {}", one.lane) : "";
      lines.add(
          "", fmt::format("  {} > {}{} held by {} to {}{}", port_name(fabric, one.channel),
                          port_name(fabric, fabric.peer(one.channel)), in_lane,
                          endpoint_name(fabric, one.source), endpoint_name(fabric, one.destination),
                          by_group(fabric, routing, one)));
    }
  }
}

constexpr std::array kTierNames = {"hosts", "aggregation_nodes", "switches"};

// "deadlock-free for host traffic; not with switch management"
void add_tiers(Lines& lines, const DeadlockTiers& tiers) {
  constexpr std::array kWords = {"host traffic", "aggregation nodes", "switch management"};
  std::vector<std::string> free, cyclic;
  for (std::size_t tier = 0; tier < tiers.size(); ++tier) {
    if (tiers[tier]) (*tiers[tier] ? free : cyclic).emplace_back(kWords[tier]);
  }
  if (free.empty() && cyclic.empty()) return;
  std::string text =
      free.empty() ? "host traffic can deadlock" : "deadlock-free for " + listed(free, free.size());
  if (!free.empty() && !cyclic.empty()) text += "; not with " + listed(cyclic, cyclic.size());
  lines.add("by packets", text);
}

std::vector<unsigned> levels_in(std::uint16_t bits) {
  std::vector<unsigned> levels;
  for (unsigned level = 0; level < kLevels; ++level) {
    if ((bits >> level & 1U) != 0) levels.push_back(level);
  }
  return levels;
}

std::string level_words(std::uint16_t bits) {
  std::vector<Port> numbers;
  for (const unsigned level : levels_in(bits)) numbers.push_back(static_cast<Port>(level));
  return fmt::format("{} {}", numbers.size() == 1 ? "SL" : "SLs", ranges(std::move(numbers)));
}

void add_levels(Lines& lines, const AllLevels& levels) {
  const auto add = [&](std::uint16_t bits, std::string_view what) {
    if (bits != 0) lines.add("levels", fmt::format("{}: {}", level_words(bits), what));
  };
  add(levels.together, "safe together, whatever SL a path has");
  add(levels.conflicting(), "safe alone, but packets of these and of the others can deadlock");
  add(levels.cyclic, "packets can deadlock");
  add(levels.discarded, "discarded on VL 15");
}

Json levels_json(const std::optional<AllLevels>& levels) {
  if (!levels) return nullptr;
  return {{"safe_together", levels_in(levels->together)},
          {"conflicting", levels_in(levels->conflicting())},
          {"cyclic", levels_in(levels->cyclic)},
          {"discarded", levels_in(levels->discarded)}};
}

// What a proof of unicast tables says nothing about.
std::vector<std::string_view> not_checked(const Fabric& fabric) {
  std::vector<std::string_view> names{"multicast", "partitions", "aggregation trees (SHARP)"};
  for (const Node node : ids<Node>(fabric.num_nodes())) {
    if (fabric.kind(node) != NodeKind::kRouter) continue;
    names.emplace_back("paths beyond routers");
    break;
  }
  return names;
}

Json tiers_json(const DeadlockTiers& tiers) {
  Json json = Json::object();
  for (std::size_t tier = 0; tier < tiers.size(); ++tier) {
    json[kTierNames[tier]] = tiers[tier];
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
                      {"destination", destination_name(fabric, routing, fault.first_destination)}});
  }
  return faults;
}

void add_contradictions(Lines& lines, const LidContradictions& found) {
  if (found.lids == 0) return;
  lines.add("LIDs",
            fmt::format("{} contradict the fabric: what holds is for the ports of the GUIDs",
                        found.lids));
  lines.add("",
            fmt::format("LID {} is of {} in the tables, of {} in the fabric", index(found.first),
                        found.by_guid, found.in_fabric.empty() ? "no port" : found.in_fabric));
}

Json first_contradicted(const LidContradictions& found) {
  if (found.lids == 0) return nullptr;
  return {{"lid", index(found.first)},
          {"by_guid", found.by_guid},
          {"in_fabric", text_or_null(found.in_fabric)}};
}

Json cycle_json(const Fabric& fabric, const Deadlock& deadlock) {
  Json cycle = Json::array();
  if (deadlock.free()) return cycle;
  const std::size_t lane = deadlock.cyclic_lane();
  for (const Dependency& one : deadlock.lanes[lane].cycle) {
    cycle.push_back({{"lane", one.lane},
                     {"channel", port_name(fabric, one.channel)},
                     {"guid", fmt::format("{:#018x}", fabric.guid(fabric.owner(one.channel)))},
                     {"port", index(fabric.port(one.channel))},
                     {"to", port_name(fabric, fabric.peer(one.channel))},
                     {"source", endpoint_name(fabric, one.source)},
                     {"destination", endpoint_name(fabric, one.destination)},
                     {"offset", one.offset}});
  }
  return cycle;
}

}  // namespace

std::string verify_text(const Fabric& fabric, const Routing& routing, const Verdict& verdict,
                        const LidContradictions& contradictions, const FromOld* from,
                        const EthernetFacts* ethernet) {
  Lines lines;
  lines.add("routes", routing.engine);
  lines.add("about", fmt::format("unicast in one subnet; not asked: {}",
                                 fmt::join(not_checked(fabric), ", ")));
  if (verdict.adaptive) {
    lines.add("", "adaptive: what follows is true whatever port of its group a packet takes");
  }
  add_reachability(lines, fabric, routing, verdict.reachability, verdict.discarded);
  add_contradictions(lines, contradictions);
  add_hops(lines, fabric, routing, verdict);
  add_deadlock(lines, fabric, routing, verdict.deadlock);
  if (ethernet != nullptr) add_ethernet(lines, fabric, routing, verdict, *ethernet);
  if (verdict.adaptive && verdict.adaptive->some) {
    add_some_choice(lines, fabric, routing, *verdict.adaptive->some);
  }
  if (verdict.levels) add_levels(lines, *verdict.levels);
  add_tiers(lines, verdict.tiers);
  if (verdict.adaptive) add_adaptive(lines, fabric, routing, verdict);
  lines.add("holds", verdict.holds()          ? "yes"
                     : verdict.fails_surely() ? "no"
                                              : "unknown: the tables are incomplete; what they "
                                                "have is free of loops and deadlock");
  if (from == nullptr) return lines.text();
  return lines.text() + "from the old tables:\n" +
         transition_text(from->model, routing.tables, from->lids, from->transition);
}

std::string verify_json(const Fabric& fabric, const Routing& routing, const Verdict& verdict,
                        const LidContradictions& contradictions, const FromOld* from,
                        const EthernetFacts* ethernet) {
  const Reachability& found = verdict.reachability;
  Json json{{"holds", verdict.holds()},
            {"routes", routing.engine},
            {"pairs", by_kind(found.pairs)},
            {"unreachable", by_kind(found.unreachable)},
            {"first_unreachable", nullptr},
            {"unknown", by_kind(found.unknown)},
            {"apart", by_kind(found.disconnected)},
            {"discarded", by_kind(verdict.discarded.pairs)},
            {"lids_contradicted", contradictions.lids},
            {"first_contradicted", first_contradicted(contradictions)},
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
            {"deadlock_free", verdict.deadlock_free()},
            {"deadlock_free_packets_of", tiers_json(verdict.tiers)},
            {"lanes", verdict.deadlock.changing > 0 ? verdict.deadlock.changing
                                                    : verdict.deadlock.lanes.size()},
            {"service_levels", levels_json(verdict.levels)},
            {"not_checked", not_checked(fabric)},
            {"dependencies", Json::array()},
            {"cycle", cycle_json(fabric, verdict.deadlock)}};
  if (found.first_lost) {
    json["first_unreachable"] = {
        {"source", endpoint_name(fabric, found.first_lost->source)},
        {"destination", endpoint_name(fabric, found.first_lost->destination)}};
  }
  if (found.first_loop) {
    Json switches = Json::list(found.first_loop->switches,
                               [&](const Switch s) { return switch_name(fabric, s); });
    json["first_loop"] = {
        {"destination", destination_name(fabric, routing, found.first_loop->destination)},
        {"switches", switches}};
  }
  if (verdict.up_down) {
    json["up_down"] = {{"turning", by_kind(verdict.up_down->turning)},
                       {"horizontal", by_kind(verdict.up_down->horizontal)}};
  }
  if (verdict.adaptive) json["adaptive"] = adaptive_json(fabric, routing, verdict);
  for (const LaneVerdict& lane : verdict.deadlock.lanes) {
    json["dependencies"].push_back(lane.dependencies);
  }
  if (ethernet != nullptr) add_ethernet(json, fabric, routing, verdict, *ethernet);
  if (from != nullptr) {
    json["transition"] =
        transition_object(from->model, routing.tables, from->lids, from->transition);
  }
  return document(std::move(json));
}

std::string trace_text(const Fabric& fabric, const PacketPath& trace, unsigned lane) {
  std::string text;
  for (const Channel c : trace.channels) {
    text += channel_name(fabric, c) + '\n';
  }
  text += trace.failure.empty()
              ? fmt::format("reached in {} hops, lane {}\n", trace.channels.size(), lane)
              : fmt::format("not reached: {}\n", trace.failure);
  return text;
}

std::string trace_json(const Fabric& fabric, const PacketPath& trace, unsigned lane) {
  Json json{{"reached", trace.failure.empty()},
            {"failure", trace.failure},
            {"lane", lane},
            {"hops", Json::array()}};
  for (const Channel c : trace.channels) {
    json["hops"].push_back({{"from", unique_name(fabric, fabric.owner(c))},
                            {"out", index(fabric.port(c))},
                            {"to", unique_name(fabric, fabric.neighbour(c))},
                            {"in", index(fabric.port(fabric.peer(c)))}});
  }
  return document(std::move(json));
}

}  // namespace fatwood
