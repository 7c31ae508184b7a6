// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Nodes that a request names, found in a fabric, and the hints made of them.

#include <vector>

#include "app/parameter.hpp"
#include "topology/model.hpp"

namespace fatwood {

// What the user knows of the levels of a fabric.
struct LevelNodes {
  NodeChoice roots = {}, compute = {};
};
template <class Visitor>
void describe(Visitor& visit, LevelNodes& hints) {
  visit(hints.roots, {.name = "roots", .help = "file: the root switches (default: found)"});
  visit(hints.compute, {.name = "compute", .help = "file: the compute nodes (default: found)"});
}

// Hosts that balance leaves out, and one kind that it counts.
struct BalanceNodes {
  NodeChoice io = {}, uncounted = {};
  bool count_aggregation = false;
};
template <class Visitor>
void describe(Visitor& visit, BalanceNodes& hints) {
  visit(hints.io, {.name = "io", .help = "file: I/O nodes; they don't count for balance"});
  visit(hints.uncounted, {.name = "uncounted", .help = "file: hosts that don't count for balance"});
  visit(hints.count_aggregation, {.name = "count_aggregation",
                                  .help = "count aggregation (SHARP) nodes of switches as hosts"});
}

// In the order of the list; an empty choice gives none. InputError, with file and line or the name
// of the parameter, for a name that is not there, and for a file without any: it would silently
// mean the default.
std::vector<Terminal> find_terminals(const Fabric& fabric, const NodeChoice& choice,
                                     const char* parameter);
std::vector<Switch> find_switches(const Fabric& fabric, const NodeChoice& choice,
                                  const char* parameter);

ModelHints find_hints(const Fabric& fabric, const LevelNodes& levels, const BalanceNodes& balance);

}  // namespace fatwood
