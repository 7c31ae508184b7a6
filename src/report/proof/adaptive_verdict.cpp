// SPDX-License-Identifier: BSD-3-Clause
#include "report/proof/adaptive_verdict.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

namespace fatwood {

namespace {

std::string_view direction_name(HopDirection direction) {
  return direction == HopDirection::kUp     ? "up"
         : direction == HopDirection::kDown ? "down"
                                            : "across";
}

std::string risky_text(const Fabric& fabric, const Routing& routing, const RiskyPort& risky) {
  const GroupNumber group = routing.sets.group(risky.at, risky.destination);
  return fmt::format("{} for {}: port {} leads astray{}", switch_name(fabric, risky.at),
                     destination_name(fabric, routing, risky.destination), index(risky.port),
                     group == kNoGroup ? std::string() : fmt::format(", of group {}", group));
}

void add_coverage(Lines& lines, const Fabric& fabric, const Routing& routing,
                  const Coverage& coverage) {
  lines.add("cable lost",
            fmt::format("{:<22} {:>12} {:>12}", "entries to a switch", "all", "one port"));
  for (const Coverage::Row& row : coverage.rows) {
    const std::string name =
        row.level == 0 ? std::string("all")
                       : fmt::format("level {} {}", row.level, direction_name(row.direction));
    lines.add("", fmt::format("{:<22} {:>12} {:>12}", name, row.entries, row.alone));
  }
  const auto share = [&](std::uint64_t pairs) {
    return fmt::format("{} of {} pairs of terminals", pairs, coverage.pairs);
  };
  lines.add("", fmt::format("{} can lose packets if one cable fails and only the switch at its end "
                            "reacts, {} if switches notify each other",
                            share(coverage.exposed), coverage.exposed_notified));
  if (coverage.first_cable == kNone<Channel>) return;
  lines.add("", fmt::format("the first: from {} to {} when {} - {} fails",
                            switch_name(fabric, coverage.first_source),
                            destination_name(fabric, routing, coverage.first_destination),
                            port_name(fabric, coverage.first_cable),
                            port_name(fabric, fabric.peer(coverage.first_cable))));
}

constexpr std::array<std::string_view, kNumTransports> kTransports = {"UD", "RC", "UC", "DC"};

// "0-3,7"
std::string levels_text(unsigned levels) {
  std::string text;
  for (unsigned from = 0; from < 16; ++from) {
    if ((levels >> from & 1U) == 0) continue;
    unsigned to = from;
    while (to < 15 && (levels >> (to + 1) & 1U) != 0) ++to;
    text += fmt::format("{}{}", text.empty() ? "" : ",", from);
    if (to > from) text += fmt::format("-{}", to);
    from = to;
  }
  return text;
}

// "SL 0-15 RC DC; SL 1 kept in order"
std::string packets_text(const PacketKind& kind) {
  std::string text;
  for (const Packets& packets : kind.packets) {
    text += fmt::format("{}SL {}", text.empty() ? "" : "; ", levels_text(packets.levels));
    for (unsigned t = 0; packets.transports + 1U < 1U << kNumTransports && t < kNumTransports;
         ++t) {
      if ((unsigned{packets.transports} >> t & 1U) != 0) text += fmt::format(" {}", kTransports[t]);
    }
    if (packets.in_order) text += " kept in order";
  }
  return text;
}

// A line of titles, then one line per kind.
std::vector<std::string> kind_lines(const Fabric& fabric, const std::vector<KindVerdict>& kinds) {
  std::vector<std::string> lines = {"that choose at      unreachable    loops  deadlock"};
  for (const KindVerdict& one : kinds) {
    const std::size_t choosing = one.kind.choosing;
    const std::string at = choosing == fabric.num_switches() ? "every switch"
                           : choosing == 0                   ? "no switch"
                                                             : fmt::format("{} switches", choosing);
    lines.push_back(fmt::format("{:<18} {:>12} {:>8}  {:<8}  {}", at, one.unreachable.total(),
                                one.loops, one.deadlock_free ? "none" : "a cycle",
                                packets_text(one.kind)));
  }
  return lines;
}

Json kinds_json(const std::vector<KindVerdict>& kinds) {
  Json json = Json::array();
  for (const KindVerdict& one : kinds) {
    Json packets = Json::array();
    for (const Packets& some : one.kind.packets) {
      Json levels = Json::array();
      Json transports = Json::array();
      for (unsigned level = 0; level < 16; ++level) {
        if ((some.levels >> level & 1U) != 0) levels.push_back(level);
      }
      for (unsigned t = 0; t < kNumTransports; ++t) {
        if ((some.transports >> t & 1U) != 0) transports.push_back(kTransports[t]);
      }
      packets.push_back({{"service_levels", std::move(levels)},
                         {"transports", std::move(transports)},
                         {"kept_in_order", some.in_order}});
    }
    json.push_back({{"packets", std::move(packets)},
                    {"choosing_switches", one.kind.choosing},
                    {"unreachable_pairs", one.unreachable.total()},
                    {"loops", one.loops},
                    {"deadlock_free", one.deadlock_free},
                    {"holds", one.holds()}});
  }
  return json;
}

}  // namespace

void add_some_choice(Lines& lines, const Fabric& fabric, const Routing& routing,
                     const SomeChoice& some) {
  constexpr std::string_view kAssumption =
      "if a waiting packet takes whichever port of its group frees first";
  if (some.free()) {
    lines.add("", fmt::format("none {}: at each of {} channels every packet has a next one that is "
                              "later in one order",
                              kAssumption, some.order.size()));
    return;
  }
  lines.add("", fmt::format("also {}: {} channels can fill with packets that wait only for each "
                            "other, such as",
                            kAssumption, some.stuck_count));
  for (const StuckChannel& one : some.stuck) {
    const GroupNumber group = routing.sets.group(one.at, one.destination);
    lines.add("",
              fmt::format(
                  "  {} > {} held by {} to {}, which leaves by {}", port_name(fabric, one.channel),
                  port_name(fabric, fabric.peer(one.channel)), endpoint_name(fabric, one.source),
                  destination_name(fabric, routing, one.destination),
                  group == kNoGroup
                      ? fmt::format("port {}", index(routing.tables.at(one.destination, one.at)))
                      : fmt::format("group {}", group)));
  }
}

void add_adaptive(Lines& lines, const Fabric& fabric, const Routing& routing,
                  const Verdict& verdict) {
  const AdaptiveVerdict& adaptive = *verdict.adaptive;
  if (verdict.reachability.whole()) {
    lines.add("masked",
              "every part of a group that is left is safe: what holds for every choice "
              "holds for fewer");
  } else {
    lines.add("choices",
              fmt::format("of the unreachable pairs {} are connected by some choice",
                          verdict.reachability.unreachable.total() - adaptive.never.total()));
    if (adaptive.first_risky) {
      lines.add("masked",
                fmt::format("{} entries lose packets when their good ports are masked; the "
                            "first is of {}",
                            adaptive.risky, risky_text(fabric, routing, *adaptive.first_risky)));
    }
  }
  if (adaptive.static_holds) {
    lines.add("default", fmt::format("packets that keep to the default ports, alone: {}",
                                     *adaptive.static_holds ? "all holds" : "something fails too"));
  }
  for (bool first = true; const std::string& line : kind_lines(fabric, adaptive.kinds)) {
    lines.add(std::exchange(first, false) ? "packets" : "", line);
  }
  add_coverage(lines, fabric, routing, adaptive.coverage);
}

Json adaptive_json(const Fabric& fabric, const Routing& routing, const Verdict& verdict) {
  const AdaptiveVerdict& adaptive = *verdict.adaptive;
  const Coverage& coverage = adaptive.coverage;
  Json rows = Json::list(coverage.rows, [&](const Coverage::Row& row) -> Json {
    return {{"level", row.level == 0 ? Json(nullptr) : Json(row.level)},
            {"way", direction_name(row.direction)},
            {"entries", row.entries},
            {"one_port", row.alone}};
  });
  Json json{{"joined_by_some_choice", by_kind(verdict.reachability.unreachable - adaptive.never)},
            {"fewest_hops_mean", adaptive.fewest.terminals.mean()},
            {"masked_safe", verdict.reachability.whole()},
            {"risky_entries", adaptive.risky},
            {"first_risky", nullptr},
            {"default_ports_hold",
             adaptive.static_holds ? Json(*adaptive.static_holds) : Json(verdict.holds())},
            {"kinds", kinds_json(adaptive.kinds)},
            {"coverage",
             {{"rows", rows},
              {"pairs", coverage.pairs},
              {"exposed", coverage.exposed},
              {"exposed_notified", coverage.exposed_notified},
              {"first", nullptr}}},
            {"rechoosing", nullptr}};
  if (adaptive.first_risky) {
    const RiskyPort& risky = *adaptive.first_risky;
    const GroupNumber group = routing.sets.group(risky.at, risky.destination);
    json["first_risky"] = {{"switch", switch_name(fabric, risky.at)},
                           {"destination", destination_name(fabric, routing, risky.destination)},
                           {"port", index(risky.port)},
                           {"group", group == kNoGroup ? Json(nullptr) : Json(group)}};
  }
  if (coverage.first_cable != kNone<Channel>) {
    json["coverage"]["first"] = {
        {"source", switch_name(fabric, coverage.first_source)},
        {"destination", destination_name(fabric, routing, coverage.first_destination)},
        {"cable", Json::array({port_name(fabric, coverage.first_cable),
                               port_name(fabric, fabric.peer(coverage.first_cable))})}};
  }
  if (adaptive.some) {
    Json stuck = Json::array();
    for (const StuckChannel& one : adaptive.some->stuck) {
      const GroupNumber group = routing.sets.group(one.at, one.destination);
      stuck.push_back({{"channel", port_name(fabric, one.channel)},
                       {"to", port_name(fabric, fabric.peer(one.channel))},
                       {"source", endpoint_name(fabric, one.source)},
                       {"destination", destination_name(fabric, routing, one.destination)},
                       {"group", group == kNoGroup ? Json(nullptr) : Json(group)}});
    }
    json["rechoosing"] = {
        {"deadlock_free", adaptive.some->free()},
        {"assumption", "a waiting packet takes whichever port of its group frees first"},
        {"stuck", adaptive.some->stuck_count},
        {"first_stuck", stuck}};
  }
  return json;
}

}  // namespace fatwood
