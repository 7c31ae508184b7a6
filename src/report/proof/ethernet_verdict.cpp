// SPDX-License-Identifier: BSD-3-Clause
#include "report/proof/ethernet_verdict.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "topology/labels.hpp"

namespace fatwood {

namespace {

constexpr std::size_t kListed = 5;
constexpr std::array<std::string_view, 3> kMismatches{"pfc", "dscp", "queue"};

Destination destination_of(const Routing& routing, const Dependency& one) {
  return one.destination.is_switch()
             ? routing.tables.destination(one.destination.sw)
             : routing.tables.destination(one.destination.terminal, one.offset);
}

const std::string& prefix_of(const Routing& routing, const Prefixes& prefixes,
                             const Dependency& one) {
  return prefixes.of[index(destination_of(routing, one))];
}

std::string mismatch_text(const Fabric& fabric, const Names& labels, const PfcMismatch& one) {
  const std::string ends = fmt::format("{} - {}", interface_text(fabric, labels, one.cable),
                                       interface_text(fabric, labels, fabric.peer(one.cable)));
  const std::string values = fmt::format("{}", fmt::join(one.values, ", "));
  switch (one.kind) {
    case PfcMismatch::Kind::kPauses:
      return fmt::format("{}: priority {} pauses at one end only", ends, values);
    case PfcMismatch::Kind::kMeaning:
      return fmt::format("{}: DSCP {} has another priority at the other end", ends, values);
    case PfcMismatch::Kind::kQueue:
      return fmt::format("{}: DSCP {} waits in a queue that its pauses do not stop", ends, values);
  }
  return ends;
}

void add_cycle(Lines& lines, const Fabric& fabric, const Routing& routing,
               const PriorityVerdict& one, const EthernetFacts& facts) {
  for (const Dependency& step : one.cycle) {
    const std::string& prefix = prefix_of(routing, facts.prefixes, step);
    lines.add("",
              fmt::format("  {} > {} ({}{})", interface_text(fabric, facts.labels, step.channel),
                          unique_name(fabric, fabric.neighbour(step.channel)),
                          prefix.empty() ? "to " + endpoint_name(fabric, step.destination) : prefix,
                          fmt::format(" from {}", endpoint_name(fabric, step.source))));
  }
}

Json cycle_of(const Fabric& fabric, const Routing& routing, const PriorityVerdict& one,
              const EthernetFacts& facts) {
  return Json::list(one.cycle, [&](const Dependency& step) {
    return Json{{"channel", interface_text(fabric, facts.labels, step.channel)},
                {"to", interface_text(fabric, facts.labels, fabric.peer(step.channel))},
                {"priority", step.lane},
                {"prefix", text_or_null(prefix_of(routing, facts.prefixes, step))},
                {"source", endpoint_name(fabric, step.source)},
                {"destination", endpoint_name(fabric, step.destination)}};
  });
}

std::vector<std::string> interfaces(const Fabric& fabric, const Names& labels, Switch s,
                                    const std::vector<Port>& ports) {
  std::vector<std::string> names;
  for (const Port port : ports) {
    names.push_back(interface_text(fabric, labels, fabric.channel(fabric.node(s), port)));
  }
  return names;
}

}  // namespace

std::string interface_text(const Fabric& fabric, const Names& labels, Channel c) {
  if (labels.size() == 0 || labels[index(c)].empty()) return port_name(fabric, c);
  return fmt::format("{}[{}]", unique_name(fabric, fabric.owner(c)), labels[index(c)]);
}

void add_ethernet(Lines& lines, const Fabric& fabric, const Routing& routing,
                  const Verdict& verdict, const EthernetFacts& facts) {
  const Prefixes& prefixes = facts.prefixes;
  lines.add("classes",
            fmt::format("{} of addresses that all switches treat alike", prefixes.classes));
  if (verdict.priorities && !verdict.priorities->given) {
    lines.add("priority",
              "no settings are given (--priorities): all packets count as being in one "
              "priority, which pauses on every cable");
  }
  if (verdict.priorities && verdict.priorities->given) {
    if (verdict.priorities->of.empty()) lines.add("priority", "none pauses on any cable");
    for (const PriorityVerdict& one : verdict.priorities->of) {
      lines.add("priority",
                fmt::format("{}: pauses on {} channels between switches; {}", one.priority,
                            one.channels, one.free() ? "cannot lock up" : "can lock up"));
      add_cycle(lines, fabric, routing, one, facts);
    }
  }
  for (std::size_t i = 0; i < std::min(kListed, prefixes.narrow.size()); ++i) {
    const NarrowGroup& one = prefixes.narrow[i];
    lines.add(i == 0 ? "narrow" : "",
              fmt::format("{} sends {} by {} of {} cables towards it, not by {}",
                          unique_name(fabric, one.at), one.prefix, one.used.size(),
                          one.used.size() + one.missing.size(),
                          listed(interfaces(fabric, facts.labels, one.at, one.missing), 4)));
  }
  if (prefixes.narrow_groups > kListed) {
    lines.add("", fmt::format("and {} more groups", prefixes.narrow_groups - kListed));
  }
  for (std::size_t i = 0; i < std::min(kListed, facts.mismatches.size()); ++i) {
    lines.add(i == 0 ? "PFC" : "", mismatch_text(fabric, facts.labels, facts.mismatches[i]));
  }
  if (facts.mismatches.size() > kListed) {
    lines.add("", fmt::format("and {} more cables", facts.mismatches.size() - kListed));
  }
}

void add_ethernet(Json& json, const Fabric& fabric, const Routing& routing, const Verdict& verdict,
                  const EthernetFacts& facts) {
  const Prefixes& prefixes = facts.prefixes;
  json["classes"] = prefixes.classes;
  json["priorities_given"] = verdict.priorities && verdict.priorities->given;
  json["priorities"] = Json::array();
  if (verdict.priorities) {
    const bool given = verdict.priorities->given;
    json["priorities"] = Json::list(verdict.priorities->of, [&](const PriorityVerdict& one) {
      return Json{{"priority", given ? Json(one.priority) : Json()},
                  {"channels", given ? Json(one.channels) : Json()},
                  {"deadlock_free", one.free()},
                  {"cycle", cycle_of(fabric, routing, one, facts)}};
    });
  }
  json["narrow_groups"] = Json::list(prefixes.narrow, [&](const NarrowGroup& one) {
    return Json{{"switch", unique_name(fabric, one.at)},
                {"prefix", one.prefix},
                {"used", interfaces(fabric, facts.labels, one.at, one.used)},
                {"missing", interfaces(fabric, facts.labels, one.at, one.missing)}};
  });
  json["narrow_groups_in_all"] = prefixes.narrow_groups;
  json["pfc_mismatches"] = Json::list(facts.mismatches, [&](const PfcMismatch& one) {
    return Json{{"kind", kMismatches[static_cast<std::size_t>(one.kind)]},
                {"from", interface_text(fabric, facts.labels, one.cable)},
                {"to", interface_text(fabric, facts.labels, fabric.peer(one.cable))},
                {"values", one.values}};
  });
}

}  // namespace fatwood
