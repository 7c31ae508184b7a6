// SPDX-License-Identifier: BSD-3-Clause
#include "io/lid_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <utility>

#include "core/error.hpp"

namespace fatwood {

namespace {

constexpr std::string_view kUnknownSwitch = "tables of a switch that the fabric does not have";
constexpr std::string_view kNoSuchPort = "a route by a port that the switch does not have";
constexpr std::string_view kNoCable = "a route by a port without a cable";
constexpr std::string_view kTwice = "a second route for the same address; the last one counts";
constexpr std::string_view kTwoTables =
    "; no file that is read says which packets take which table, so they can't be judged";

LidColumn new_column(LidRows::Kinds kinds) {
  LidColumn column;
  column.port.resize(kMaxLid + 1, kNoRoute);
  if (kinds == LidRows::Kinds::kNone) return column;
  column.kind_low.resize(kMaxLid + 1, 0);
  column.kind_high.resize(kMaxLid + 1, 0);
  return column;
}

}  // namespace

LidRows::LidRows(const Fabric& fabric, Kinds kinds) : fabric_(fabric), kinds_(kinds) {
  tables_.row.resize(kMaxLid + 1);
  tables_.port_guid.resize(kMaxLid + 1, 0);
  tables_.filled.resize(fabric.num_switches(), false);
  for (const Switch s : ids<Switch>(fabric.num_switches())) {
    by_guid_.emplace(fabric.guid(fabric.node(s)), s);
  }
  if (kinds == Kinds::kNone) return;
  tables_.sets.emplace(fabric);
  tables_.kind_low.resize(kMaxLid + 1);
  tables_.kind_high.resize(kMaxLid + 1);
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
  for (std::uint32_t lid = 0; lid <= kMaxLid; ++lid) {
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

LidRow LidRows::new_row(std::uint8_t value) const {
  LidRow row = std::make_unique_for_overwrite<std::uint8_t[]>(fabric_.num_switches());
  std::memset(row.get(), value, fabric_.num_switches());
  return row;
}

// Where these columns write to, by LID; nullptr for LIDs that none of them names.
std::vector<std::uint8_t*> LidRows::make_rows(std::vector<LidRow>& rows, std::uint8_t value,
                                              std::uint32_t highest,
                                              const std::function<bool(std::uint32_t)>& named) {
  std::vector<std::uint8_t*> at(std::size_t{highest} + 1, nullptr);
  for (std::uint32_t lid = 0; lid <= highest; ++lid) {
    if (!rows[lid] && named(lid)) rows[lid] = new_row(value);
    at[lid] = rows[lid].get();
  }
  return at;
}

void LidRows::store(std::span<const LidColumn> columns, std::size_t sections) {
  std::uint32_t highest = 0;
  bool wide = false;
  for (const LidColumn& column : columns) {
    highest = std::max(highest, column.highest);
    wide = wide || column.wide;
  }
  const auto any = [&](const auto& of_column) {
    return [&columns, of_column](std::uint32_t lid) {
      return std::ranges::any_of(columns, [&](const LidColumn& c) { return of_column(c, lid); });
    };
  };
  std::vector<std::uint8_t*> ports, low, high;
  {
    const std::scoped_lock lock(mutex_);
    sections_ += sections;
    for (const LidColumn& column : columns) tables_.filled[index(column.at)] = true;
    ports = make_rows(tables_.row, kNoRoute, highest, any([](const LidColumn& c, std::uint32_t l) {
                        return c.port[l] != kNoRoute || c.kind(l) != 0;
                      }));
    if (kinds_ == Kinds::kCollected) {
      low = make_rows(tables_.kind_low, 0, highest,
                      any([](const LidColumn& c, std::uint32_t l) { return c.kind(l) != 0; }));
    }
    if (wide) {
      high = make_rows(tables_.kind_high, 0, highest,
                       any([](const LidColumn& c, std::uint32_t l) { return c.kind(l) > 255; }));
    }
  }
  // Rows stay where they are, and each byte is one switch's: other threads write others.
  const auto write = [&](std::span<std::uint8_t* const> rows, const auto& bytes_of) {
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
  port_[0] = port_[kNoRoute] = PortUse::kGood;
  const Fabric& fabric = rows_.fabric();
  const Node node = fabric.node(switch_);
  for (Port port = 1; port <= fabric.ports(node); ++port) {
    const bool cable = fabric.connected(fabric.channel(node, port));
    port_[port] = cable ? PortUse::kGood : PortUse::kNoCable;
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
  const auto clear = [&](std::vector<std::uint8_t>& bytes, std::uint8_t value) {
    if (!bytes.empty()) std::memset(bytes.data(), value, std::size_t{column.highest} + 1);
  };
  clear(column.port, kNoRoute);
  clear(column.kind_low, 0);
  if (column.wide) clear(column.kind_high, 0);
  column.at = switch_;
  column.wide = false;
  column.highest = 0;
}

void LidCollector::hand_over() {
  rows_.store(std::span(columns_).first(used_), sections_ - told_);
  told_ = sections_;
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
                               display_name(fabric, fabric.node(switch_)), first_entries_,
                               *first_private_, private_entries_, *private_, kTwoTables));
}

std::uint8_t LidCollector::odd_port(std::uint32_t port) {
  const PortUse use = port_[port & 255U];
  warnings_.count(use == PortUse::kNone ? kNoSuchPort : kNoCable, input_.line_number());
  // What is in the switch stays, even where its cable is gone.
  return use == PortUse::kNone ? kNoRoute : static_cast<std::uint8_t>(port);
}

void LidCollector::count_second() { warnings_.count(kTwice, input_.line_number()); }

void LidCollector::compare(std::uint32_t lid, std::uint8_t port, PortSets::Kind kind) const {
  const LidColumn& column = columns_[used_ - 1];
  if (column.port[lid] == port && column.kind(lid) == kind) return;
  const Fabric& fabric = rows_.fabric();
  throw InputError(
      input_.at(1),
      fmt::format("{} has private tables that differ: number {} has another route to LID {} than "
                  "number {}{}",
                  display_name(fabric, fabric.node(switch_)), *private_, lid, *first_private_,
                  kTwoTables));
}

}  // namespace fatwood
