// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Faults and other changes: cables cut, nodes gone, cables of another speed, switches and cables
// more. The result is a fabric like any other: what is left keeps its
// order, port numbers, names, GUIDs, addresses and rates; it is no longer a whole tree (tree()).
//
// A fault is named by a short text, on the command line and in files alike:
//
//   cut     NAME[PORT]      the cable at that port         remove  NAME    that switch or adapter
//           NAME            all cables of that node
//           5%  13          so many of the cables between  remove  2% 3    so many switches at
//                           switches, at random                            random
//           5%@2-3          only between levels 2 and 3    remove  2@3     only of level 3
//           @2-3            all cables between them        remove  @3      all of that level
//
//   speed   NAME[PORT] RATE  that cable, such as 2xHDR      add     switch@2  additions.hpp
//           NAME RATE        all cables of that node                2xcable@1
//
// NAME is as node_names.hpp has it. Levels count from 0 (adapters) and 1 (leaf
// switches) upwards, as find_levels has them. Faults are taken in order, each on what those before
// it left; random ones draw from the stream (seed, number of the fault). Additions come last.

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "topology/change/additions.hpp"
#include "topology/fabric.hpp"

namespace fatwood {

enum class FaultKind : std::uint8_t { kCut, kRemove, kSpeed, kAdd };

struct FaultOrder {
  FaultKind kind;
  std::string text;
  Location where;  // of the text, for messages
};

enum class Connection : std::uint8_t {
  kMayBreak,
  kKept,  // random faults leave connected whatever was connected; PromiseError where they can't
};

struct FaultOptions {
  std::uint64_t seed = 1;
  Connection connection = Connection::kMayBreak;
};

struct Faults {
  std::vector<Channel> cut = {};   // one end of each cable, in order of cutting
  std::vector<Node> removed = {};  // their cables are gone with them and not in `cut`

  std::vector<std::pair<Channel, Rate>> speeds = {};  // one end of each cable; the last counts
  std::vector<Addition> added = {};

  bool empty() const { return cut.empty() && removed.empty() && speeds.empty() && added.empty(); }
};

// Whether it is drawn at random, by the seed.
bool is_drawn(const FaultOrder& order);

// Resolves the requests on this fabric. InputError if a request names something that is not there.
Faults find_faults(const Fabric& fabric, std::span<const FaultOrder> orders,
                   const FaultOptions& options = {});

Fabric with_faults(const Fabric& fabric, const Faults& faults);

}  // namespace fatwood
