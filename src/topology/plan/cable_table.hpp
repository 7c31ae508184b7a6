// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Which cable reaches how far: kinds in order of preference. Ours has the reaches of docs/plan.md;
// users can replace it.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "topology/plan/plan.hpp"

namespace fatwood {

struct CableKind {
  std::string type;         // "DAC", "AOC", "MMF"
  std::uint32_t speed = 0;  // Gb/s of a link; 0: any
  bool splitter = false;
  double reach_m = 0;
  std::vector<double> lengths;  // sold, ascending
  double diameter_mm = 3;
  double kg_per_m = 0.009;

  friend bool operator==(const CableKind&, const CableKind&) = default;
};

using CableTable = std::vector<CableKind>;

const CableTable& default_cables();

struct ChosenCable {
  const CableKind* kind;
  double length_m;  // as sold
};

enum class CableShape : std::uint8_t { kStraight, kSplitter };

// The first kind of the table that is sold in the least length that will do. Nothing where none
// reaches so far at this speed.
std::optional<ChosenCable> choose_cable(const CableTable& table, std::uint32_t speed,
                                        CableShape shape, double needed_m);

// The least length sold that will do; 0 where there is none.
double sold_length(const CableKind& kind, double needed_m);

// The kind that a cable of a plan is: by type, speed where the table has it. nullptr: not known.
const CableKind* kind_of(const CableTable& table, const PlanCable& cable);

}  // namespace fatwood
