// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The kinds of findings about a fabric: one row each. CONTRIBUTING says how to add one.

#include <array>
#include <cstdint>
#include <string_view>

namespace fatwood {

// How serious a finding is.
//
//   bad    it breaks the fabric, or costs a switch half of its bandwidth, or a cable or host more
//          than half: disconnected components, duplicate or missing addresses, half of the uplinks
//          missing, a cable or host at a small part of its speed
//   warn   somebody should look at it: a missing or slower cable, a crossed rail, a wrong port
//   note   most likely intended: hosts on spines, aggregation nodes, groups of slower hosts
enum class Severity : std::uint8_t { kBad, kWarn, kNote };  // the worst first

std::string_view to_string(Severity severity);  // "bad", "warn", "note"

enum class FindingKind : std::uint8_t {
  kNoTree,
  kApart,
  kParts,
  kMissingCable,
  kUnevenCables,
  kExtraCable,
  kSmallGroup,
  kForeignCable,
  kSide,
  kHorizontal,
  kSkipping,
  kUpperHost,
  kAggregation,
  kSeveralPorts,
  kUnevenHosts,
  kNoHosts,
  kNoCable,
  kDirect,
  kSameName,
  kSlowCable,
  kSlowHost,
  kWithoutLid,
  kSameLid,
  kSameGuid,
  // Rails and names of hosts (topology/hosts/host_map_findings.hpp).
  kRailLeafMissing,
  kRailMissing,
  kRailCrossed,
  kPortsExchanged,
  kOffPort,
  kRailNumbering,
  kRailGuest,
  kUnnamedHost,
  kStockName,
  kSharedName,
  // Link quality (report/fabric/quality_report.hpp), the signs of tasks/link_quality.hpp.
  kBitErrors,
  kFlaps,
  kHotModule,
  kFecDiffers,
  kRawErrors,
  kHotDevice,
  // A warning of the reader.
  kFile,
  kCount,
};

struct FindingRow {
  FindingKind kind;
  std::string_view name;   // stable, for scripts
  Severity severity;       // where nothing else decides: severities() in recognition.hpp
  std::string_view title;  // of a list of such findings
};

inline constexpr std::array kFindingRows = {
    FindingRow{FindingKind::kNoTree, "no-tree", Severity::kNote, "No tree"},
    FindingRow{FindingKind::kApart, "apart", Severity::kWarn, "Apart"},
    FindingRow{FindingKind::kParts, "parts", Severity::kBad, "Unconnected parts"},
    FindingRow{FindingKind::kMissingCable, "missing-cable", Severity::kWarn, "Missing cables"},
    FindingRow{FindingKind::kUnevenCables, "uneven-cables", Severity::kWarn, "Uneven cables"},
    FindingRow{FindingKind::kExtraCable, "extra-cable", Severity::kWarn, "Extra cables"},
    FindingRow{FindingKind::kSmallGroup, "small-group", Severity::kNote, "Small groups"},
    FindingRow{FindingKind::kForeignCable, "foreign-cable", Severity::kWarn, "Foreign cables"},
    FindingRow{FindingKind::kSide, "side", Severity::kNote, "Off the side"},
    FindingRow{FindingKind::kHorizontal, "horizontal", Severity::kNote, "Cables within a level"},
    FindingRow{FindingKind::kSkipping, "skipping", Severity::kNote, "Cables that skip a level"},
    FindingRow{FindingKind::kUpperHost, "upper-host", Severity::kNote, "Hosts above the leaves"},
    FindingRow{FindingKind::kAggregation, "aggregation", Severity::kNote, "Aggregation nodes"},
    FindingRow{FindingKind::kSeveralPorts, "several-ports", Severity::kNote,
               "Hosts with several ports"},
    FindingRow{FindingKind::kUnevenHosts, "uneven-hosts", Severity::kNote, "Uneven hosts"},
    FindingRow{FindingKind::kNoHosts, "no-hosts", Severity::kNote, "Leaves without hosts"},
    FindingRow{FindingKind::kNoCable, "no-cable", Severity::kWarn, "No cable"},
    FindingRow{FindingKind::kDirect, "direct", Severity::kWarn, "Host to host"},
    FindingRow{FindingKind::kSameName, "same-name", Severity::kWarn, "Same name"},
    FindingRow{FindingKind::kSlowCable, "slow-cable", Severity::kWarn, "Slow cables"},
    FindingRow{FindingKind::kSlowHost, "slow-host", Severity::kWarn, "Slow hosts"},
    FindingRow{FindingKind::kWithoutLid, "no-lid", Severity::kBad, "No LID"},
    FindingRow{FindingKind::kSameLid, "same-lid", Severity::kBad, "Same LID"},
    FindingRow{FindingKind::kSameGuid, "same-guid", Severity::kBad, "Same GUID"},
    FindingRow{FindingKind::kRailLeafMissing, "rail-leaf-missing", Severity::kWarn,
               "Rails without a leaf"},
    FindingRow{FindingKind::kRailMissing, "rail-missing", Severity::kWarn,
               "Rails without an adapter"},
    FindingRow{FindingKind::kRailCrossed, "rail-crossed", Severity::kWarn, "Crossed rails"},
    FindingRow{FindingKind::kPortsExchanged, "ports-exchanged", Severity::kWarn, "Exchanged ports"},
    FindingRow{FindingKind::kOffPort, "off-port", Severity::kWarn, "Other ports"},
    FindingRow{FindingKind::kRailNumbering, "rail-numbering", Severity::kNote,
               "Numbering of adapters"},
    FindingRow{FindingKind::kRailGuest, "rail-guest", Severity::kNote, "Guests of a unit"},
    FindingRow{FindingKind::kUnnamedHost, "unnamed-host", Severity::kNote, "Hosts without a name"},
    FindingRow{FindingKind::kStockName, "stock-name", Severity::kNote, "Factory names"},
    FindingRow{FindingKind::kSharedName, "shared-name", Severity::kWarn, "Shared names"},
    FindingRow{FindingKind::kBitErrors, "bit-errors", Severity::kWarn, "Bit errors"},
    FindingRow{FindingKind::kFlaps, "flaps", Severity::kWarn, "Links that went down"},
    FindingRow{FindingKind::kHotModule, "hot-module", Severity::kWarn, "Hot modules"},
    FindingRow{FindingKind::kFecDiffers, "fec-differs", Severity::kWarn, "FEC differs"},
    FindingRow{FindingKind::kRawErrors, "raw-errors", Severity::kWarn, "Raw bit errors"},
    FindingRow{FindingKind::kHotDevice, "hot-device", Severity::kWarn, "Hot devices"},
    FindingRow{FindingKind::kFile, "file", Severity::kWarn, "Said the file"},
};

consteval bool finding_rows_are_complete() {
  if (kFindingRows.size() != static_cast<std::size_t>(FindingKind::kCount)) return false;
  for (std::size_t i = 0; i < kFindingRows.size(); ++i) {
    if (static_cast<std::size_t>(kFindingRows[i].kind) != i) return false;
  }
  return true;
}
static_assert(finding_rows_are_complete(), "one row for each kind, in the order of FindingKind");

constexpr const FindingRow& row_of(FindingKind kind) {
  return kFindingRows[static_cast<std::size_t>(kind)];
}
constexpr std::string_view to_string(FindingKind kind) { return row_of(kind).name; }

}  // namespace fatwood
