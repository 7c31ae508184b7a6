// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Faults and other changes: cut cables, removed nodes, cables with another speed, additional
// switches and cables. The rest keeps its order, port numbers, names, GUIDs, addresses and rates.
// The result does not count as a generated tree (tree()).
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
// NAME is as in node_names.hpp. Levels are those of find_levels: 0 for adapters, 1 for leaves, and
// so on. Faults are applied in order, each to the result of those before it. Random ones use the
// stream (seed, number of the fault). Additions come last.

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

struct FaultRequest {
  FaultKind kind;
  std::string text;
  Location where;  // of the text, for messages
};

enum class Connection : std::uint8_t {
  kMayBreak,
  kKept,  // random faults disconnect nothing; PromiseError if that is impossible
};

struct FaultOptions {
  std::uint64_t seed = 1;
  Connection connection = Connection::kMayBreak;
};

struct ResolvedFaults {
  std::vector<Channel> cut = {};   // one end of each cable, in order of cutting
  std::vector<Node> removed = {};  // their cables are removed too, and are not in `cut`

  std::vector<std::pair<Channel, Rate>> speeds = {};  // one end of each cable; the last one counts
  std::vector<Addition> added = {};

  bool empty() const { return cut.empty() && removed.empty() && speeds.empty() && added.empty(); }
};

// Whether the fault is drawn at random.
bool is_drawn(const FaultRequest& order);

// Resolves the requests on this fabric. InputError if a request names something that is not there.
ResolvedFaults find_faults(const Fabric& fabric, std::span<const FaultRequest> orders,
                           const FaultOptions& options = {});

Fabric with_faults(const Fabric& fabric, const ResolvedFaults& faults);

}  // namespace fatwood
