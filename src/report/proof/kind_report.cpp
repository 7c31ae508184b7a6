// SPDX-License-Identifier: BSD-3-Clause
#include "report/proof/kind_report.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

namespace fatwood {

namespace {

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

}  // namespace

Json by_kind(const PairCounts& counts) {
  return {{"terminal_terminal", counts.terminal_terminal},
          {"terminal_switch", counts.terminal_switch},
          {"switch_terminal", counts.switch_terminal},
          {"switch_switch", counts.switch_switch}};
}

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

}  // namespace fatwood
