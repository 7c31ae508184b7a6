// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The contents of a file of forwarding tables, by LID, before LIDs are assigned to ports; and the
// collector that readers of all formats share.
//
// A file goes switch by switch. Rows here are by LID, one byte per switch, so that the row of a
// destination is complete once its LID is known. Only named LIDs have a row.

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "io/base/input.hpp"
#include "io/base/warnings.hpp"
#include "routing/adaptive/port_sets_builder.hpp"
#include "routing/tables/lids.hpp"

namespace fatwood {

inline constexpr std::uint64_t kMaxPrivate = 255;  // highest number of a private table

template <class Byte>  // a port, or part of a kind
using LidRow = std::unique_ptr<Byte[]>;

struct LidTables {
  std::string format;                   // "lfts.dump", "dump_fts", "fdbs", "far"
  Table<Lid, LidRow<Port>> row;         // [switch] -> port
  Table<Lid, std::uint64_t> port_guid;  // 0: unknown
  std::vector<bool> filled;             // by switch: whether it has a section
  // Plain tables: missing entries of LIDs from this one on are unknown; below it they are no route.
  Table<Switch, Lid> known_below;
  std::vector<std::pair<Switch, Lid>> unknown;  // further entries that are unknown
  // Adaptive tables: kinds by LID and switch, in two bytes; the second one is rarely needed.
  std::optional<PortSetsBuilder> sets;
  Table<Lid, LidRow<std::uint8_t>> kind_low, kind_high;
};

// The table of one switch, by LID.
struct LidColumn {
  Switch at = kNone<Switch>;
  Table<Lid, Port> port;                         // kNoRoute for LIDs that are not named
  Table<Lid, std::uint8_t> kind_low, kind_high;  // empty if no kinds are collected
  bool wide = false;                             // kind_high is used
  Lid highest = kNoLid;                          // the highest named LID

  PortSets::Kind kind(Lid lid) const {
    return kind_low.empty() ? PortSets::Kind{0}
                            : static_cast<PortSets::Kind>(kind_low[lid] | kind_high[lid] << 8U);
  }
};

// The rows of all LIDs. Several collectors can fill them at once, each with its own switches.
class LidRows {
 public:
  enum class Kinds : std::uint8_t { kNone, kCollected };

  // The fabric must outlive the rows.
  LidRows(const Fabric& fabric, Kinds kinds);

  const Fabric& fabric() const { return fabric_; }
  Kinds kinds() const { return kinds_; }
  LidTables& tables() { return tables_; }
  std::size_t sections() const { return sections_; }
  // kNone if the fabric has no switch of this GUID.
  Switch find(std::uint64_t guid) const;

  // Thread-safe: whether a switch is stored; stores new columns and `sections` of the file.
  bool has(Switch s);
  LidColumn load(Switch s);
  void store(std::span<const LidColumn> columns, std::size_t sections);

  // InputError if no section belongs to this fabric. The reader checks that there was a section.
  LidTables finish(const std::string& file) &&;

 private:
  template <class Byte>
  std::vector<Byte*> make_rows(Table<Lid, LidRow<Byte>>& rows, Byte value, Lid highest,
                               const std::function<bool(Lid)>& named) const;

  const Fabric& fabric_;
  Kinds kinds_;
  std::unordered_map<std::uint64_t, Switch> by_guid_;
  std::mutex mutex_;
  LidTables tables_;
  std::size_t sections_ = 0;
};

// Consecutive entries of one switch, for fast readers of very large files. Entries that must be
// reported or compared go through LidCollector.
struct LidRun {
  Port* port = nullptr;
  std::uint8_t* kind_low = nullptr;
  std::uint8_t* kind_high = nullptr;  // if kinds above 255 are in use
  Lid highest = kNoLid;
  std::size_t entries = 0;

  // Like LidCollector::put. False, with no effect, for entries that the collector must see.
  bool put(Lid at, Port by, PortSets::Kind kind) {
    const std::uint32_t lid = index(at);
    const Port before = port[lid];
    const unsigned high = kind_high == nullptr ? 0U : kind_high[lid];
    const unsigned kind_before = kind_low[lid] | high << 8U;
    const bool fresh = before == kNoRoute && kind_before == 0;
    if (!fresh && (before != by || kind_before != kind)) return false;
    if (kind > 255 && kind_high == nullptr) return false;
    port[lid] = by;
    kind_low[lid] = static_cast<std::uint8_t>(kind & 255U);
    if (kind_high != nullptr) kind_high[lid] = static_cast<std::uint8_t>(kind >> 8U);
    if (at > highest) highest = at;
    ++entries;
    return true;
  }
};

class LidCollector {
 public:
  // All of them must outlive the collector.
  LidCollector(const Input& input, LidRows& rows, Warnings& warnings);

  std::size_t sections() const { return sections_; }

  // Starts the tables of a switch; warns if the fabric has none with this GUID.
  void start_switch(std::uint64_t guid);
  // kNone if the fabric has no such switch: entries are dropped.
  Switch current() const { return switch_; }
  // Starts a private table of the switch. The first one counts; others must be equal (InputError
  // otherwise, because no known file says which packets use which table).
  void start_private(std::uint64_t number);

  bool has_port(Port port) const { return port_[index(port)] != PortUse::kNone; }
  // Stores an entry; invalid ones are left out and counted. REQUIRES lid <= kMaxLid.
  void store(Lid lid, Port port) {
    if (switch_ != kNone<Switch>) put(lid, usable(port), 0);
  }
  // The port of the current switch to a LID, so far; kNoRoute: none, or no known switch.
  Port stored(Lid lid) const {
    return switch_ == kNone<Switch> ? kNoRoute : columns_[used_ - 1].port[lid];
  }
  // Forgets it. A line that follows is not a second one.
  void forget(Lid lid) { columns_[used_ - 1].port[lid] = kNoRoute; }
  bool good_port(Port port) const { return port_[index(port)] == PortUse::kGood; }
  // The port, or kNoRoute with a warning if it is not usable.
  Port usable(Port port) { return good_port(port) ? port : odd_port(port); }
  // Stores an entry with a usable port. REQUIRES a known switch, and that kinds are collected if
  // this one is not 0.
  void put(Lid lid, Port port, PortSets::Kind kind);

  // Starts a run of entries of the current switch with good ports; no value if they are not simply
  // collected. The collector must not be used before the run is returned.
  std::optional<LidRun> start_run();
  void end_run(LidRun run);

  // Ends the last switch and moves everything to the rows.
  void finish();

 private:
  enum class PortUse : std::uint8_t { kGood, kNoCable, kNone };
  Port odd_port(Port port);
  void compare(Lid lid, Port port, PortSets::Kind kind) const;
  void start_column();
  void hand_over();
  void count_second(bool same);
  void end_private() const;

  const Input& input_;
  LidRows& rows_;
  Warnings& warnings_;
  // Switches that are close in the file are usually close in rows, so several are stored together.
  static constexpr std::size_t kColumns = 16;
  std::vector<LidColumn> columns_;            // the last one in use belongs to the current switch
  std::size_t used_ = 0, seen_sections_ = 0;  // columns; sections already known to the rows
  std::array<PortUse, 256> port_{};
  Switch switch_ = kNone<Switch>;
  std::size_t sections_ = 0;
  std::optional<std::uint64_t> first_private_, private_;  // of the current switch
  std::size_t private_line_ = 0;
  std::size_t first_entries_ = 0, private_entries_ = 0;  // named in these tables
};

inline void LidCollector::put(Lid lid, Port port, PortSets::Kind kind) {
  if (port == kNoRoute && kind == 0) return;
  ++private_entries_;
  if (private_ != first_private_) return compare(lid, port, kind);
  ++first_entries_;
  LidColumn& column = columns_[used_ - 1];
  Port& at = column.port[lid];
  const PortSets::Kind before = column.kind(lid);
  const bool same = at == port && before == kind;
  // Adaptive tables may repeat rows.
  if ((at != kNoRoute || before != 0) && (!same || column.kind_low.empty())) count_second(same);
  at = port;
  if (lid > column.highest) column.highest = lid;
  if (column.kind_low.empty()) return;
  column.kind_low[lid] = static_cast<std::uint8_t>(kind & 255U);
  column.wide = column.wide || kind > 255;
  if (column.wide) column.kind_high[lid] = static_cast<std::uint8_t>(kind >> 8U);
}

}  // namespace fatwood
