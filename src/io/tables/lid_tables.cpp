// SPDX-License-Identifier: BSD-3-Clause
#include "io/tables/lid_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "core/error.hpp"

namespace fatwood {

namespace {

constexpr std::string_view kUnknownSwitch = "tables of a switch that the fabric does not have";
constexpr std::string_view kNoSuchPort = "a route by a port that the switch does not have";
constexpr std::string_view kNoCable = "a route by a port without a cable";
constexpr std::string_view kTwice = "an address is listed twice, with the same route";
constexpr std::string_view kTwoRoutes =
    "an address is listed twice, with different routes; the last one counts";
constexpr std::string_view kTwoTables =
    "; no file that is read says which packets take which table, so they can't be checked";

LidColumn new_column(LidRows::Kinds kinds) {
  LidColumn column;
  column.port.resize(kNumLids, kNoRoute);
  if (kinds == LidRows::Kinds::kNone) return column;
  column.kind_low.resize(kNumLids, 0);
  column.kind_high.resize(kNumLids, 0);
  return column;
}

}  // namespace

LidRows::LidRows(const Fabric& fabric, Kinds kinds) : fabric_(fabric), kinds_(kinds) {
  tables_.row = Table<Lid, LidRow<Port>>(std::vector<LidRow<Port>>(kNumLids));
  tables_.port_guid.resize(kNumLids, 0);
  tables_.filled.resize(fabric.num_switches(), false);
  tables_.known_below.resize(fabric.num_switches(), kNoLid);
  for (const Switch s : ids<Switch>(fabric.num_switches())) {
    by_guid_.emplace(fabric.guid(fabric.node(s)), s);
  }
  if (kinds == Kinds::kNone) return;
  tables_.sets.emplace(fabric);
  for (auto* const rows : {&tables_.kind_low, &tables_.kind_high}) {
    *rows = Table<Lid, LidRow<std::uint8_t>>(std::vector<LidRow<std::uint8_t>>(kNumLids));
  }
}

Switch LidRows::find(std::uint64_t guid) const {
  const auto found = by_guid_.find(guid);
  return found == by_guid_.end() ? kNone<Switch> : found->second;
}

bool LidRows::has(Switch s) {
  const std::scoped_lock lock(mutex_);
  return tables_.filled[index(s)];
}

LidColumn LidRows::load(Switch s) {
  const std::scoped_lock lock(mutex_);
  LidColumn column = new_column(kinds_);
  column.at = s;
  for (const Lid lid : ids<Lid>(kNumLids)) {
    if (!tables_.row[lid]) continue;
    column.port[lid] = tables_.row[lid][index(s)];
    column.highest = lid;
    if (kinds_ == Kinds::kNone) continue;
    if (tables_.kind_low[lid]) column.kind_low[lid] = tables_.kind_low[lid][index(s)];
    if (!tables_.kind_high[lid]) continue;
    column.kind_high[lid] = tables_.kind_high[lid][index(s)];
    column.wide = true;
  }
  return column;
}

// The place that these columns write to, by LID; nullptr for LIDs that none of them names.
template <class Byte>
std::vector<Byte*> LidRows::make_rows(Table<Lid, LidRow<Byte>>& rows, Byte value, Lid highest,
                                      const std::function<bool(Lid)>& named) const {
  std::vector<Byte*> at;
  at.reserve(std::size_t{index(highest)} + 1);
  for (const Lid lid : ids<Lid>(std::size_t{index(highest)} + 1)) {
    if (!rows[lid] && named(lid)) {
      rows[lid] = std::make_unique_for_overwrite<Byte[]>(fabric_.num_switches());
      std::fill_n(rows[lid].get(), fabric_.num_switches(), value);
    }
    at.push_back(rows[lid].get());
  }
  return at;
}

void LidRows::store(std::span<const LidColumn> columns, std::size_t sections) {
  Lid highest = kNoLid;
  bool wide = false;
  for (const LidColumn& column : columns) {
    highest = std::max(highest, column.highest);
    wide = wide || column.wide;
  }
  const auto any = [&](const auto& of_column) {
    return [&columns, of_column](Lid lid) {
      return std::ranges::any_of(columns, [&](const LidColumn& c) { return of_column(c, lid); });
    };
  };
  std::vector<Port*> ports;
  std::vector<std::uint8_t*> low, high;
  {
    const std::scoped_lock lock(mutex_);
    sections_ += sections;
    for (const LidColumn& column : columns) tables_.filled[index(column.at)] = true;
    ports = make_rows(tables_.row, kNoRoute, highest, any([](const LidColumn& c, Lid l) {
                        return c.port[l] != kNoRoute || c.kind(l) != 0;
                      }));
    if (kinds_ == Kinds::kCollected) {
      low = make_rows(tables_.kind_low, std::uint8_t{0}, highest,
                      any([](const LidColumn& c, Lid l) { return c.kind(l) != 0; }));
    }
    if (wide) {
      high = make_rows(tables_.kind_high, std::uint8_t{0}, highest,
                       any([](const LidColumn& c, Lid l) { return c.kind(l) > 255; }));
    }
  }
  // Rows stay where they are, and each byte is one switch's: other threads write others.
  const auto write = [&](const auto& rows, const auto& bytes_of) {
    for (std::size_t lid = 0; lid < rows.size(); ++lid) {
      if (rows[lid] == nullptr) continue;
      for (const LidColumn& column : columns) rows[lid][index(column.at)] = bytes_of(column)[lid];
    }
  };
  write(ports, [](const LidColumn& column) { return column.port.data(); });
  write(low, [](const LidColumn& column) { return column.kind_low.data(); });
  write(high, [](const LidColumn& column) { return column.kind_high.data(); });
}

LidTables LidRows::finish(const std::string& file) && {
  if (std::ranges::find(tables_.filled, true) == tables_.filled.end()) {
    throw InputError({.file = file},
                     fmt::format("these are tables of another fabric: none of its {} switches is "
                                 "here, expected some of {}",
                                 sections_, fabric_.num_switches()));
  }
  return std::move(tables_);
}

LidCollector::LidCollector(const Input& input, LidRows& rows, Warnings& warnings)
    : input_(input), rows_(rows), warnings_(warnings) {}

void LidCollector::start_switch(std::uint64_t guid) {
  end_private();
  ++sections_;
  first_private_.reset();
  private_.reset();
  first_entries_ = private_entries_ = 0;
  switch_ = rows_.find(guid);
  if (switch_ == kNone<Switch>) {
    warnings_.count(kUnknownSwitch, input_.line_number());
    return;
  }
  start_column();
  port_.fill(PortUse::kNone);
  port_[index(kOwnPort)] = port_[index(kNoRoute)] = PortUse::kGood;
  const Fabric& fabric = rows_.fabric();
  for (const Channel c : fabric.channels(fabric.node(switch_))) {
    const bool cable = fabric.connected(c);
    port_[index(fabric.port(c))] = cable ? PortUse::kGood : PortUse::kNoCable;
  }
}

// A switch that comes again goes on where it ended.
void LidCollector::start_column() {
  const bool again = std::ranges::any_of(std::span(columns_).first(used_),
                                         [&](const LidColumn& c) { return c.at == switch_; });
  if (again || used_ == kColumns) hand_over();
  if (columns_.size() == used_) columns_.push_back(new_column(rows_.kinds()));
  LidColumn& column = columns_[used_++];
  if (rows_.has(switch_)) {
    column = rows_.load(switch_);
    return;
  }
  const auto clear = [&](auto& bytes, auto value) {
    if (!bytes.empty()) std::fill_n(bytes.data(), std::size_t{index(column.highest)} + 1, value);
  };
  clear(column.port, kNoRoute);
  clear(column.kind_low, std::uint8_t{0});
  if (column.wide) clear(column.kind_high, std::uint8_t{0});
  column.at = switch_;
  column.wide = false;
  column.highest = kNoLid;
}

void LidCollector::hand_over() {
  rows_.store(std::span(columns_).first(used_), sections_ - seen_sections_);
  seen_sections_ = sections_;
  used_ = 0;
}

void LidCollector::finish() {
  end_private();
  hand_over();
  switch_ = kNone<Switch>;
}

std::optional<LidRun> LidCollector::start_run() {
  if (switch_ == kNone<Switch> || private_ != first_private_) return std::nullopt;
  LidColumn& column = columns_[used_ - 1];
  if (column.kind_low.empty()) return std::nullopt;
  return LidRun{.port = column.port.data(),
                .kind_low = column.kind_low.data(),
                .kind_high = column.wide ? column.kind_high.data() : nullptr,
                .highest = column.highest};
}

void LidCollector::end_run(LidRun run) {
  columns_[used_ - 1].highest = run.highest;
  first_entries_ += run.entries;
  private_entries_ += run.entries;
}

void LidCollector::start_private(std::uint64_t number) {
  end_private();
  if (!first_private_) first_private_ = number;
  private_ = number;
  private_line_ = input_.line_number();
  private_entries_ = 0;
}

// A further private table has as many entries as the first, or it differs.
void LidCollector::end_private() const {
  if (switch_ == kNone<Switch> || private_ == first_private_) return;
  if (private_entries_ == first_entries_) return;
  const Fabric& fabric = rows_.fabric();
  throw InputError({input_.name(), private_line_, 1},
                   fmt::format("{} has private tables that differ: {} routes in number {}, {} in "
                               "number {}{}",
                               unique_name(fabric, switch_), first_entries_, *first_private_,
                               private_entries_, *private_, kTwoTables));
}

Port LidCollector::odd_port(Port port) {
  const PortUse use = port_[index(port)];
  warnings_.count(use == PortUse::kNone ? kNoSuchPort : kNoCable, input_.line_number());
  // Entries of the switch stay, even if their cable is gone.
  return use == PortUse::kNone ? kNoRoute : port;
}

void LidCollector::count_second(bool same) {
  warnings_.count(same ? kTwice : kTwoRoutes, input_.line_number());
}

void LidCollector::compare(Lid lid, Port port, PortSets::Kind kind) const {
  const LidColumn& column = columns_[used_ - 1];
  if (column.port[lid] == port && column.kind(lid) == kind) return;
  const Fabric& fabric = rows_.fabric();
  throw InputError(
      input_.at(1),
      fmt::format("{} has private tables that differ: number {} has another route to LID {} than "
                  "number {}{}",
                  unique_name(fabric, switch_), *private_, index(lid), *first_private_,
                  kTwoTables));
}

}  // namespace fatwood
