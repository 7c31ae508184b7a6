// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The kinds of cables, in order of preference, each with its reach. The default table has the
// reaches of docs/plan.md; users can replace it.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "plan/model/plan.hpp"

namespace fatwood {

struct CableKind {
  std::string type;         // "DAC", "AOC", "MMF"
  std::uint32_t speed = 0;  // Gb/s of a link; 0: any
  bool splitter = false;
  double reach_m = 0;
  std::vector<double> lengths;  // for sale, ascending
  double diameter_mm = 3;
  double kg_per_m = 0.009;

  friend bool operator==(const CableKind&, const CableKind&) = default;
};

using CableTable = std::vector<CableKind>;

const CableTable& default_cables();

struct ChosenCable {
  const CableKind* kind;
  double length_m;  // for sale
};

enum class CableShape : std::uint8_t { kStraight, kSplitter };

// The first kind of the table in the shortest sufficient length for sale. No value if none reaches
// that far at this speed.
std::optional<ChosenCable> choose_cable(const CableTable& table, std::uint32_t speed,
                                        CableShape shape, double needed_m);

// The shortest sufficient length for sale; 0 if there is none.
double sold_length(const CableKind& kind, double needed_m);

// The kind of a planned cable: by type, and by speed if the table has it. nullptr: unknown.
const CableKind* kind_of(const CableTable& table, const PlanCable& cable);

// Cables that share a cage of a switch: two ports behind one transceiver ("1/5/1" and "1/5/2",
// "sw5p1" and "sw5p2"), or the parts of a split port.
//
// A cage holds one transceiver. So its links have one speed and one type of cable, and one length
// unless each link has its own fibre. Ports with two numbers ("1/5") are skipped: on some switches
// they mean cage and port, on others module and port. Cost: O(n log n) for n cables.
//
// The cables of each cage with two or more.
std::vector<std::vector<std::uint32_t>> cages_of(const Plan& plan);

// Whether each link has its own fibre ("MMF", "smf-os2"), so that lengths may differ.
bool is_fibre(std::string_view type);
// Whether the type is that of a splitter by its name ("DAC splitter").
bool is_splitter(std::string_view type);

}  // namespace fatwood
