// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Makes a Plan from the rows of cable lists: two ends by name, place and port text, in any order,
// hosts and switches mixed.
//
// Method.
//  1. Devices. Rows with one name (ignoring case) are one device. There are two exceptions: rows
//     with different racks, and rows with different units in one rack if no port text names a card
//     (the cards of a director are at several heights). These are different devices, and get rack
//     and unit appended to their names: "leaf1@A01-U40".
//  2. Kinds: switch or host. First a type word, the name of an adapter as port, a slot, or a column
//     for adapters decides. Then the device's name ("spine1") and port texts of switches ("Port
//     7"). If nothing decides, a device is a host if it has at most 16 cables, all to devices with
//     more cables, and none to a host.
//  3. Ports get numbers from PortNumbering, those of hosts from host_port. If the inside of a
//     director is not given, it gets as many spine chips as a card chip has ports, each with a
//     cable to every card chip.
//  4. A cable listed twice, in either direction, is one cable; for each field the first row that
//     has it counts. Two cables at one port are a problem of the later row.
//
// An unusable row is left out and reported. Cost: O(rows) with hash maps.

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "plan/model/plan.hpp"
#include "plan/model/port_text.hpp"

namespace fatwood {

struct RowEnd {
  std::string name;
  std::string rack;
  std::uint32_t unit = 0;
  std::string port;
  std::string slot;  // an adapter of a host or a card of a director; "": it is in the port text
  std::string type;  // "SW", "FI", a model
  std::string role;
  std::optional<NodeKind> kind;  // from its column or file
  std::uint64_t guid = 0;
};

struct CableRow {
  RowEnd a, b;
  std::string label;
  std::string type;
  double length_m = 0;
  Rate rate;
  std::size_t line = 0;
};

// What is wrong with a row, and at which end.
struct RowProblem {
  enum class Where : std::uint8_t { kA, kB };
  std::size_t row = 0;
  Where where = Where::kA;
  std::string message;
};

// The inside of a device type with known chips, and the position of its panel ports.
struct DeviceInside {
  NodeKind kind = NodeKind::kSwitch;
  std::vector<PlanChip> chips;
  std::vector<InsideCable> cables;
  std::unordered_map<std::string, std::pair<std::uint32_t, std::uint32_t>> panel;  // chip, port
};

class PlanBuilder {
 public:
  void add(CableRow row) { rows_.push_back(std::move(row)); }
  // A device with a known inside; its ports are looked up in the panel. `inside` must outlive this.
  void set_inside(const std::string& device, const DeviceInside& inside);
  // A device that may have no cable.
  void add_device(RowEnd device) { alone_.push_back(std::move(device)); }

  struct Result {
    Plan plan;
    std::vector<RowProblem> problems;  // by row
    std::size_t repeated = 0;          // rows that list a cable again
  };
  Result build() const;

 private:
  std::vector<CableRow> rows_;
  std::vector<RowEnd> alone_;
  std::unordered_map<std::string, const DeviceInside*> inside_;  // by lower-case name
};

}  // namespace fatwood
