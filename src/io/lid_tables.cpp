// SPDX-License-Identifier: BSD-3-Clause
#include "io/lid_tables.hpp"

#include <fmt/format.h>

#include <cstring>
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

}  // namespace

LidCollector::LidCollector(Input& input, const Fabric& fabric, Warnings& warnings)
    : input_(input), fabric_(fabric), warnings_(warnings) {
  tables_.row.resize(kMaxLid + 1);
  tables_.port_guid.resize(kMaxLid + 1, 0);
  tables_.filled.resize(fabric.num_switches(), false);
  for (const Switch s : ids<Switch>(fabric.num_switches())) {
    by_guid_.emplace(fabric.guid(fabric.node(s)), s);
  }
}

void LidCollector::start_switch(std::uint64_t guid) {
  end_private();
  ++sections_;
  first_private_.reset();
  private_.reset();
  first_entries_ = private_entries_ = 0;
  const auto found = by_guid_.find(guid);
  if (found == by_guid_.end()) {
    warnings_.count(kUnknownSwitch, input_.line_number());
    switch_ = kNone<Switch>;
    return;
  }
  ++known_;
  switch_ = found->second;
  tables_.filled[index(switch_)] = true;
  port_.fill(PortUse::kNone);
  port_[0] = port_[kNoRoute] = PortUse::kGood;
  const Node node = fabric_.node(switch_);
  for (Port port = 1; port <= fabric_.ports(node); ++port) {
    const bool cable = fabric_.connected(fabric_.channel(node, port));
    port_[port] = cable ? PortUse::kGood : PortUse::kNoCable;
  }
}

void LidCollector::start_private(std::uint64_t number) {
  end_private();
  if (!first_private_) first_private_ = number;
  private_ = number;
  private_entries_ = 0;
}

// A further private table has as many entries as the first, or it differs.
void LidCollector::end_private() const {
  if (switch_ == kNone<Switch> || private_ == first_private_) return;
  if (private_entries_ == first_entries_) return;
  throw InputError(input_.at(1),
                   fmt::format("{} has private tables that differ: {} routes in number {}, {} in "
                               "number {}{}",
                               display_name(fabric_, fabric_.node(switch_)), first_entries_,
                               *first_private_, private_entries_, *private_, kTwoTables));
}

std::uint8_t LidCollector::usable(std::uint32_t port) {
  const PortUse use = port_[port & 255U];
  if (use == PortUse::kGood) return static_cast<std::uint8_t>(port);
  warnings_.count(use == PortUse::kNone ? kNoSuchPort : kNoCable, input_.line_number());
  // What is in the switch stays, even where its cable is gone.
  return use == PortUse::kNone ? kNoRoute : static_cast<std::uint8_t>(port);
}

LidRow LidCollector::new_row(std::uint8_t value) const {
  LidRow row = std::make_unique_for_overwrite<std::uint8_t[]>(fabric_.num_switches());
  std::memset(row.get(), value, fabric_.num_switches());
  return row;
}

void LidCollector::put(std::uint32_t lid, std::uint8_t port, PortSets::Kind kind) {
  if (port == kNoRoute && kind == 0) return;
  ++private_entries_;
  if (private_ != first_private_) return compare(lid, port, kind);
  ++first_entries_;
  LidRow& row = tables_.row[lid];
  if (!row) row = new_row(kNoRoute);
  std::uint8_t& at = row[index(switch_)];
  if (at != kNoRoute && at != port) warnings_.count(kTwice, input_.line_number());
  at = port;
  ++tables_.entries;
  if (tables_.kind_low.empty()) return;
  LidRow& low = tables_.kind_low[lid];
  LidRow& high = tables_.kind_high[lid];
  if (kind != 0 && !low) low = new_row(0);
  if (low) low[index(switch_)] = static_cast<std::uint8_t>(kind & 255U);
  if (kind > 255 && !high) high = new_row(0);
  if (high) high[index(switch_)] = static_cast<std::uint8_t>(kind >> 8U);
}

void LidCollector::compare(std::uint32_t lid, std::uint8_t port, PortSets::Kind kind) const {
  const std::size_t s = index(switch_);
  const auto byte = [&](const std::vector<LidRow>& rows, std::uint8_t none) {
    return rows.empty() || !rows[lid] ? none : rows[lid][s];
  };
  const unsigned before = byte(tables_.kind_low, 0) | unsigned{byte(tables_.kind_high, 0)} << 8U;
  if (byte(tables_.row, kNoRoute) == port && before == kind) return;
  throw InputError(
      input_.at(1),
      fmt::format("{} has private tables that differ: number {} has another route to LID {} than "
                  "number {}{}",
                  display_name(fabric_, fabric_.node(switch_)), *private_, lid, *first_private_,
                  kTwoTables));
}

LidTables LidCollector::finish() && {
  end_private();
  if (known_ == 0) {
    throw InputError({.file = input_.name()},
                     fmt::format("these are tables of another fabric: none of its {} switches is "
                                 "here, expected some of {}",
                                 sections_, fabric_.num_switches()));
  }
  return std::move(tables_);
}

}  // namespace fatwood
