// SPDX-License-Identifier: BSD-3-Clause
// What a run of ibdiagnet measured at each port, as the page has it.

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <optional>

#include "report/page/packed.hpp"
#include "report/page/page_json.hpp"

namespace fatwood {

namespace {

// As the first that the run has; names as PortCounters::column() takes them.
struct PortColumn {
  std::string_view key;
  std::array<std::string_view, 2> names;
};
constexpr std::array<PortColumn, 4> kData{{{"sent", {"PortXmitDataExtended", "PortXmitData"}},
                                           {"received", {"PortRcvDataExtended", "PortRcvData"}},
                                           {"waits", {"PortXmitWaitExtended", "PortXmitWait"}},
                                           {"downs", {"LinkDownedCounter", "link_down_counter"}}}};
constexpr std::array<std::string_view, 8> kErrors{
    "SymbolErrorCounter",       "LinkErrorRecoveryCounter",    "PortRcvErrors",
    "PortXmitDiscards",         "PortRcvRemotePhysicalErrors", "PortRcvSwitchRelayErrors",
    "LocalLinkIntegrityErrors", "ExcessiveBufferOverrunErrors"};

std::string packed_counts(const PortCounters& counters, std::size_t column) {
  std::vector<std::uint64_t> values;
  for (const Channel c : ids<Channel>(counters.row.size()))
    values.push_back(counters.at(c, column));
  return packed(values);
}

// Doubles as their bits; NaN where there is none. null if there is none at all.
template <class Id, class Rows, class Value>
Json packed_reals(const Rows& rows, const Value& value) {
  std::vector<std::uint64_t> bits;
  bool any = false;
  for (const Id id : ids<Id>(rows.size())) {
    const std::optional<double> one = value(rows[id]);
    any = any || one.has_value();
    bits.push_back(
        std::bit_cast<std::uint64_t>(one.value_or(std::numeric_limits<double>::quiet_NaN())));
  }
  return any ? Json(packed(bits)) : Json();
}

Json counters_of(const PortCounters& counters) {
  Json json{{"errors", Json::array()}};
  if (counters.empty()) return json;
  for (const PortColumn& one : kData) {
    for (const std::string_view name : one.names) {
      const auto column = counters.column(name);
      if (!column) continue;
      json[std::string(one.key)] = packed_counts(counters, *column);
      break;
    }
  }
  for (const std::string_view name : kErrors) {
    if (const auto column = counters.column(name)) {
      json["errors"].push_back({{"name", name}, {"counts", packed_counts(counters, *column)}});
    }
  }
  return json;
}

void add_corrections(Json& json, const Table<Channel, SignalQuality>& signals) {
  std::vector<std::string> names{""};
  std::vector<std::uint8_t> of;
  for (const SignalQuality& signal : signals) {
    const auto at = std::ranges::find(names, signal.fec);
    of.push_back(static_cast<std::uint8_t>(at - names.begin()));
    if (at == names.end()) names.push_back(signal.fec);
  }
  if (names.size() == 1) return;
  json["fec_names"] = names;
  json["fec"] = packed(of);
}

}  // namespace

Json page_ports(const RunData* run) {
  if (run == nullptr) return nullptr;
  if (run->counters.empty() && run->signals.empty() && run->cables.empty() && run->celsius.empty())
    return nullptr;
  Json json = counters_of(run->counters);
  const auto signal = [&](const char* key, std::optional<double> SignalQuality::* value) {
    json[key] =
        packed_reals<Channel>(run->signals, [&](const SignalQuality& one) { return one.*value; });
  };
  signal("raw_ber", &SignalQuality::raw_ber);
  signal("effective_ber", &SignalQuality::effective_ber);
  signal("symbol_ber", &SignalQuality::symbol_ber);
  add_corrections(json, run->signals);
  json["celsius"] =
      packed_reals<Channel>(run->cables, [](const CableFacts& one) { return one.celsius; });
  json["node_celsius"] = packed_reals<Node>(run->celsius, [](const auto& one) { return one; });
  return json;
}

}  // namespace fatwood
