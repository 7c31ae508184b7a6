// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/change/transition.hpp"

#include "routing/tables/destination_tree.hpp"

namespace fatwood {

Transition transition(const Model& model, const Routing& old, const Routing& after, int threads) {
  require_same_lmc(old.tables, after.tables);
  return find_transition(model, old.tables, after.tables, threads, {&old.lanes, &after.lanes});
}

std::vector<ForwardingTables> tables_of_rounds(const ForwardingTables& old,
                                               const ForwardingTables& after,
                                               const Transition& transition) {
  std::vector<ForwardingTables> result;
  ForwardingTables tables = old;
  for (const Round& round : transition.rounds) {
    for (const auto& [destination, at] : round.clear) tables.row(destination)[index(at)] = kNoRoute;
    for (const auto& [destination, at] : round.write) {
      tables.row(destination)[index(at)] = after.at(destination, at);
    }
    result.push_back(tables);
  }
  return result;
}

}  // namespace fatwood
