// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/change/transition.hpp"

#include "routing/tables/destination_tree.hpp"

namespace fatwood {

Transition transition(const Model& model, const Routing& old, const Routing& now, int threads) {
  require_same_lmc(old.tables, now.tables);
  return find_transition(model, old.tables, now.tables, threads, {&old.lanes, &now.lanes});
}

std::vector<ForwardingTables> tables_of_rounds(const ForwardingTables& old,
                                               const ForwardingTables& now,
                                               const Transition& transition) {
  std::vector<ForwardingTables> result;
  ForwardingTables tables = old;
  for (const Round& round : transition.rounds) {
    for (const auto& [destination, at] : round.clear) tables.row(destination)[index(at)] = kNoRoute;
    for (const auto& [destination, at] : round.write) {
      tables.row(destination)[index(at)] = now.at(destination, at);
    }
    result.push_back(tables);
  }
  return result;
}

}  // namespace fatwood
