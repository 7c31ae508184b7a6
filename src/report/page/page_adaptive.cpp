// SPDX-License-Identifier: BSD-3-Clause
// Adaptive tables for the page: groups of ports, the effect of a lost cable and of hash collisions;
// and the counters of the run.

#include <algorithm>

#include "report/load/load_report.hpp"
#include "report/page/packed.hpp"
#include "report/page/page_json.hpp"

namespace fatwood {

namespace {

// [switch]: how many kinds, then each.
std::vector<std::uint32_t> kinds_of(const Fabric& fabric, const PortSets& sets) {
  std::vector<std::uint32_t> numbers;
  for (const Switch s : ids<Switch>(fabric.num_switches())) {
    const std::size_t count = std::max<std::size_t>(sets.num_kinds(s), 1);
    numbers.push_back(static_cast<std::uint32_t>(count - 1));
    for (std::size_t k = 1; k < count; ++k) {
      const PortSets::KindOf kind = sets.of(s, static_cast<PortSets::Kind>(k));
      numbers.push_back(static_cast<std::uint32_t>(kind.state));
      numbers.push_back(kind.group);
      numbers.push_back(static_cast<std::uint32_t>(kind.ports.size()));
      for (const Port port : kind.ports) numbers.push_back(index(port));
    }
  }
  return numbers;
}

std::int64_t destination_number(const ForwardingTables& tables, Destination destination) {
  return tables.is_switch(destination) ? -1 - std::int64_t{index(tables.as_switch(destination))}
                                       : std::int64_t{index(tables.terminal(destination))};
}

}  // namespace

Json page_groups(const Fabric& fabric, const Routing& routing) {
  const PortSets& sets = routing.sets;
  std::vector<std::uint32_t> row_of;
  for (const Destination destination : ids<Destination>(routing.tables.num_destinations())) {
    row_of.push_back(sets.row(destination));
  }
  std::vector<std::uint8_t> low, high;
  bool wide = false;
  for (std::uint32_t row = 0; row < sets.num_rows(); ++row) {
    for (const Switch s : ids<Switch>(fabric.num_switches())) {
      const PortSets::Kind kind = sets.kind_in(row, s);
      low.push_back(static_cast<std::uint8_t>(kind & 0xffU));
      high.push_back(static_cast<std::uint8_t>(kind >> 8U));
      wide = wide || kind > 0xff;
    }
  }
  return {{"row_of", packed(row_of)},
          {"rows", packed(low)},
          {"rows_high", wide ? Json(packed(high)) : Json()},
          {"kinds", packed(kinds_of(fabric, sets))}};
}

Json page_adaptive(const PageAdaptive& adaptive, const Routing& routing) {
  const Coverage& coverage = adaptive.coverage;
  Json json{{"engine", adaptive.engine},
            {"rows", Json::array()},
            {"pairs", coverage.pairs},
            {"exposed", coverage.exposed},
            {"exposed_notified", coverage.exposed_notified},
            {"first", nullptr},
            {"risky", adaptive.risky},
            {"first_risky", nullptr},
            {"seeds", adaptive.seeds},
            {"why_no_hashed", adaptive.why_no_hashed},
            {"hashed", hashed_rows(adaptive.hashed)}};
  for (const Coverage::Row& row : coverage.rows) {
    json["rows"].push_back({{"level", row.level},
                            {"way", static_cast<int>(row.direction)},
                            {"entries", row.entries},
                            {"one_port", row.alone}});
  }
  if (coverage.first_cable != kNone<Channel>) {
    json["first"] = {
        {"source", -1 - std::int64_t{index(coverage.first_source)}},
        {"destination", destination_number(routing.tables, coverage.first_destination)},
        {"cable", index(coverage.first_cable)}};
  }
  if (adaptive.first_risky) {
    const RiskyPort& risky = *adaptive.first_risky;
    const GroupNumber group = routing.sets.group(risky.at, risky.destination);
    json["first_risky"] = {{"switch", index(risky.at)},
                           {"destination", destination_number(routing.tables, risky.destination)},
                           {"port", index(risky.port)},
                           {"group", group == kNoGroup ? Json(nullptr) : Json(group)}};
  }
  return json;
}

Json page_counters(const PortCounters& counters) {
  constexpr std::uint64_t kStuck = 0xffffffffU;  // where a counter of 32 bits ends
  const auto extended = counters.column("PortXmitDataExtended");
  const auto sent = extended ? extended : counters.column("PortXmitData");
  if (counters.empty() || !sent) return nullptr;
  const auto column = [&](std::size_t which) {
    std::vector<std::uint64_t> values;
    for (const Channel c : ids<Channel>(counters.row.size())) {
      values.push_back(counters.at(c, which));
    }
    return packed(values);
  };
  auto waits = counters.column("PortXmitWaitExtended");
  if (!waits) waits = counters.column("PortXmitWait");
  return {{"name", counters.names[*sent]},
          {"unit_bytes", 4},  // as InfiniBand counts what is sent
          {"most", extended ? 0 : kStuck},
          {"sent", column(*sent)},
          {"waits", waits ? Json(column(*waits)) : Json()}};
}

}  // namespace fatwood
