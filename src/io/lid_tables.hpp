// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What a file of forwarding tables says, by LID, before it is known whose the LIDs are; and the
// collecting of it, which readers of all formats share.
//
// A file goes switch by switch; rows here go by LID, a byte a switch, so that a target's row is
// there when its LID is known. Only LIDs that are named have a row.

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "io/input.hpp"
#include "io/warnings.hpp"
#include "routing/lids.hpp"
#include "routing/port_sets_builder.hpp"

namespace fatwood {

using LidRow = std::unique_ptr<std::uint8_t[]>;

struct LidTables {
  std::string format;                    // "lfts.dump", "dump_fts", "fdbs", "far"
  std::vector<LidRow> row;               // by LID; [switch] -> port
  std::vector<std::uint64_t> port_guid;  // by LID; 0: unknown
  std::vector<bool> filled;              // by switch: it has a section
  std::size_t entries = 0;
  // Of adaptive tables: kinds by LID and switch, in two bytes of which the second is seldom needed.
  std::optional<PortSetsBuilder> sets;
  std::vector<LidRow> kind_low, kind_high;
};

class LidCollector {
 public:
  // All of them must outlive the collector.
  LidCollector(Input& input, const Fabric& fabric, Warnings& warnings);

  const Fabric& fabric() const { return fabric_; }
  std::size_t sections() const { return sections_; }
  LidTables& tables() { return tables_; }

  // The tables of this switch follow; a warning when the fabric has none of this GUID.
  void start_switch(std::uint64_t guid);
  // kNone where the fabric has no such switch: entries are dropped.
  Switch current() const { return switch_; }
  // A private table of the switch follows. The first is the one that counts; others must say the
  // same (InputError otherwise: no file that we read says which packets take which table).
  void start_private(std::uint64_t number);

  bool has_port(std::uint32_t port) const { return port_[port & 255U] != PortUse::kNone; }
  // An entry; what does not fit is left out and counted. REQUIRES lid <= kMaxLid, port <= 255.
  void store(std::uint32_t lid, std::uint32_t port, PortSets::Kind kind = 0) {
    if (switch_ != kNone<Switch>) put(lid, usable(port), kind);
  }
  // The port, or kNoRoute where it can't be taken, with a warning.
  std::uint8_t usable(std::uint32_t port);

  // InputError when no section was of this fabric. The reader checks that there was a section.
  LidTables finish() &&;

 private:
  enum class PortUse : std::uint8_t { kGood, kNoCable, kNone };
  void put(std::uint32_t lid, std::uint8_t port, PortSets::Kind kind);
  void compare(std::uint32_t lid, std::uint8_t port, PortSets::Kind kind) const;
  LidRow new_row(std::uint8_t value) const;
  void end_private() const;

  Input& input_;
  const Fabric& fabric_;
  Warnings& warnings_;
  LidTables tables_;
  std::unordered_map<std::uint64_t, Switch> by_guid_;
  std::array<PortUse, 256> port_{};  // of the current switch
  Switch switch_ = kNone<Switch>;
  std::size_t sections_ = 0, known_ = 0;
  std::optional<std::uint64_t> first_private_, private_;  // of the current switch
  std::size_t first_entries_ = 0, private_entries_ = 0;   // named in these tables
};

}  // namespace fatwood
