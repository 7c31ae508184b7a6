// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Data of a diagnostic run in addition to nodes and cables: the label of a port, counters, how
// adaptive routing is set up in a switch, who manages the subnet.
//
// A value that goes with the Fabric it was read with, by that fabric's ids; every part may be
// empty.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/ids.hpp"
#include "core/table.hpp"
#include "topology/fabric.hpp"

namespace fatwood {

inline constexpr std::uint64_t kNoCount = ~std::uint64_t{0};

// Counters of ports: a row of numbers for each port that has any. What a port sends is counted on
// its channel, what it receives on the channel's peer, under names of its own.
struct PortCounters {
  std::vector<std::string> names;     // of columns, as the file has them
  Table<Channel, std::uint32_t> row;  // kNoRow for a port without counters
  std::vector<std::uint64_t> values;  // [row][column]
  static constexpr std::uint32_t kNoRow = 0xffffffffU;

  bool empty() const { return names.empty(); }
  // The column of this name. Case and underscores don't matter, nor does Ext for Extended:
  // "PortXmitDataExtended" and "port_xmit_data_extended" are one.
  std::optional<std::size_t> column(std::string_view name) const;
  // kNoCount where the run has no number.
  std::uint64_t at(Channel c, std::size_t column) const {
    return row[c] == kNoRow ? kNoCount : values[row[c] * names.size() + column];
  }
};

// A switch's settings of adaptive routing. A packet is adaptive if `enabled`, its service level is
// allowed (in `levels`, or `by_level` is off), and its transport is (bits of `transports_off`: 0
// UD, 1 RC, 2 UC, 3 DC); others take the default port, or a hashed one where `hashed_levels` say.
struct AdaptiveSettings {
  bool known = false;  // the run has a row for the switch
  bool enabled = false;
  bool by_level = false;
  bool hashed_by_level = false;
  bool hashing_supported = false;
  bool weights_enabled = false;  // of hashing
  bool fast_recovery = false;    // a port that fails is replaced by another of its group
  bool notifies = false;         // pFRN: switches notify each other of failed ports
  std::uint16_t levels = 0xffff;
  std::uint16_t hashed_levels = 0;
  std::uint16_t transports_off = 0;
  std::uint32_t most_groups = 0;    // that a table holds
  std::uint32_t highest_group = 0;  // in use
  std::uint32_t group_tables = 0;
  std::uint32_t sub_groups_active = 0;
  std::uint32_t sub_groups_supported = 0;
  std::uint32_t ageing_us = 0;  // a burst ends after so much silence
};

// What the memory (EEPROM) of a cable or transceiver at a port says.
struct CableFacts {
  std::string part;     // "MFS1S00-H010E"; "" where it does not say, as the next
  std::string type;     // "Copper cable- unequalized"
  double length_m = 0;  // 0: unknown, and for transceivers
};

struct RunData {
  Names labels;  // by channel, "" for none; size() == 0: the run has none
  PortCounters counters;
  Table<Switch, AdaptiveSettings> adaptive;  // empty: the run has none
  // By channel: lanes for data in use (0: unknown); service levels on which an adapter takes
  // packets out of order (0 where it does not, or it is not known). Empty: the run has none.
  Table<Channel, std::uint8_t> lanes;
  Table<Channel, std::uint16_t> reordered_levels;
  Table<Channel, CableFacts> cables;  // empty: the run has none

  std::string_view label(Channel c) const {
    return labels.size() == 0 ? std::string_view{} : labels[index(c)];
  }
};

// The data read with `from`, for a fabric made of some of its nodes: they are found by GUID.
RunData carried(const RunData& run, const Fabric& from, const Fabric& to);

}  // namespace fatwood
