// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Makes a Plan of rows as cable lists have them: two ends by name, place and port text, in any
// order, with hosts and switches mixed.
//
// Method.
//  1. Devices. Rows with one name (letter case aside) are one device, unless they have different
//     racks, or different units in one rack while no port text names a card (the cards of a
//     director are at several heights). Such devices get rack and unit behind their names:
//     "leaf1@A01-U40".
//  2. Kinds. A type word, an adapter's name as port, a slot or a column for adapters decide; else
//     the name ("spine1") and port texts of switches ("Port 7"); else a device with at most 16
//     cables, all to devices with more of them and none to a host, is a host.
//  3. Ports get numbers by PortNumbering, hosts' by host_port. A director whose inside is not given
//     gets as many spine chips as a card chip has ports, each with a cable to every card chip.
//  4. A cable listed twice, in either direction, is one; the first row that says something counts.
//     Two cables at one port are a problem of the later row.
//
// A row that can't be used is left out and reported. Cost: O(rows) in hash maps.

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "topology/plan/plan.hpp"
#include "topology/plan/port_text.hpp"

namespace fatwood {

struct RowEnd {
  std::string name;
  std::string rack;
  std::uint32_t unit = 0;
  std::string port;
  std::string slot;  // an adapter of a host or a card of a director; "": the port text says it
  std::string type;  // "SW", "FI", a model
  std::string role;
  std::optional<NodeKind> kind;  // by its column or file
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

// What a row has wrong, and at which end.
struct RowProblem {
  enum class Where : std::uint8_t { kA, kB };
  std::size_t row = 0;
  Where where = Where::kA;
  std::string message;
};

// The inside of a device type whose chips are known, and where its panel ports are.
struct DeviceInside {
  NodeKind kind = NodeKind::kSwitch;
  std::vector<PlanChip> chips;
  std::vector<InsideCable> cables;
  std::unordered_map<std::string, std::pair<std::uint32_t, std::uint32_t>> panel;  // chip, port
};

class PlanBuilder {
 public:
  void add(CableRow row) { rows_.push_back(std::move(row)); }
  // A device of known inside; its ports are looked up in the panel. The inside must outlive this.
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

// What signalling a line speed in Gb/s is: 400 is 4xNDR, or 2xXDR where the text names XDR. Nothing
// for speeds that no link has.
std::optional<Rate> rate_of_speed(double gbps, std::string_view text);
// The line speed in Gb/s as it is sold: 40 for 4xQDR; 0 when unknown.
double sold_speed(Rate rate);

}  // namespace fatwood
