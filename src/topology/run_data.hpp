// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Data of a diagnostic run besides nodes and cables: port labels, counters, adaptive routing
// settings of switches, data about cables. Ids are those of the Fabric read from the same run.
// Every part may be empty.

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

// Counters of ports, one row per port that has any. What a port sends is counted on its channel,
// what it receives on the peer of that channel, under separate names.
struct PortCounters {
  std::vector<std::string> names;     // of columns, as the file has them
  Table<Channel, std::uint32_t> row;  // kNoRow for a port without counters
  std::vector<std::uint64_t> values;  // [row][column]
  static constexpr std::uint32_t kNoRow = 0xffffffffU;

  bool empty() const { return names.empty(); }
  // The column of this name. Case, underscores and Ext for Extended make no difference:
  // "PortXmitDataExtended" and "port_xmit_data_extended" are the same.
  std::optional<std::size_t> column(std::string_view name) const;
  // kNoCount if the run has no value.
  std::uint64_t at(Channel c, std::size_t column) const {
    return row[c] == kNoRow ? kNoCount : values[row[c] * names.size() + column];
  }
};

// Adaptive routing settings of a switch. A packet is adaptive if `enabled`, its SL is allowed (in
// `levels`, or `by_level` is off), and its transport is allowed (bits of `transports_off`: 0 UD, 1
// RC, 2 UC, 3 DC). Others take the default port, or a hashed one if `hashed_levels` says so.
struct AdaptiveSettings {
  bool known = false;  // the run has a row for the switch
  bool enabled = false;
  bool by_level = false;
  bool hashed_by_level = false;
  bool hashing_supported = false;
  std::uint16_t levels = 0xffff;
  std::uint16_t hashed_levels = 0;
  std::uint16_t transports_off = 0;
};

// The contents of the memory (EEPROM) of a cable or transceiver at a port.
struct CableFacts {
  std::string part;     // "MFS1S00-H010E"; "" if unknown, as `type`
  std::string type;     // "Copper cable- unequalized"
  double length_m = 0;  // 0: unknown, and for transceivers
  std::string serial = {};
  std::optional<double> celsius = {};        // of the module
  std::optional<double> limit_celsius = {};  // at which the module raises an alarm
};

// The signal that a port receives. Bit error rates are before (raw) and after (effective) error
// correction, and of the symbols that arrive.
struct SignalQuality {
  std::optional<double> raw_ber = {}, effective_ber = {}, symbol_ber = {};
  std::uint64_t symbol_errors = kNoCount;
  std::string fec = {};  // the error correction in use; "" if unknown

  bool has_ber() const { return raw_ber || effective_ber || symbol_ber; }
  bool known() const { return has_ber() || symbol_errors != kNoCount || !fec.empty(); }
  // Takes what this lacks.
  void fill(const SignalQuality& other);
};

struct RunData {
  Names labels;  // by channel, "" for none; size() == 0: not in the run
  PortCounters counters;
  Table<Switch, AdaptiveSettings> adaptive;  // empty: not in the run
  // By channel: data VLs in use (0: unknown); SLs on which an adapter accepts packets out of order
  // (0: none, or unknown). Empty: not in the run.
  Table<Channel, std::uint8_t> lanes;
  Table<Channel, std::uint16_t> reordered_levels;
  Table<Channel, CableFacts> cables;           // empty: not in the run
  Table<Channel, SignalQuality> signals;       // by the channel of the port that receives; or empty
  Table<Node, std::optional<double>> celsius;  // of switches and adapters; empty: not in the run

  std::string_view label(Channel c) const {
    return labels.size() == 0 ? std::string_view{} : labels[index(c)];
  }
};

// Data read with `from`, for a fabric with some of its nodes, found by GUID.
RunData carried(const RunData& run, const Fabric& from, const Fabric& to);

}  // namespace fatwood
