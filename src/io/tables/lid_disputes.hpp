// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// LIDs that have different port GUIDs in a dump of forwarding tables: LIDs changed while the
// switches were dumped one after the other, or a switch lists a LID twice.
//
// Rule: a LID belongs to the port that has it in the fabric, or, if the fabric does not say, to the
// GUID that most switches have for it (the first in the file on a tie). An entry is that of the
// line with this GUID. If a switch has no such line, its entry is unknown.

#include <cstdint>
#include <vector>

#include "io/base/warnings.hpp"
#include "io/tables/lid_tables.hpp"

namespace fatwood {

class LidDisputes {
 public:
  // A line of a switch that has another GUID than the LID's first line in the file, or another port
  // than the switch's line before.
  struct Line {
    Switch at;
    Lid lid;
    Port port;
    std::uint64_t guid;
    Port before;  // by the switch's lines before; kNoRoute: there is none
  };

  void add(const Line& line) { lines_.push_back(line); }
  // Corrects the tables, once all rows are stored.
  void settle(const Fabric& fabric, LidTables& tables, Warnings& warnings) &&;

 private:
  std::vector<Line> lines_;  // in the order of the file
};

}  // namespace fatwood
