// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The dependencies of tables on one VL, with an order of the links that all of them follow. The
// tables are free of deadlock if such an order exists ([Dally87]).
//
// A row has the dependency (a, b) if a switch forwards over link a to a switch that forwards over
// link b. Every switch sends to every destination, so any two consecutive entries count. The order
// is updated when dependencies are added (routing/shortest/layers.hpp, [Pearce06]).
// Cost: O(destinations * switches), in parallel.

#include "routing/repair/dependency_counts.hpp"
#include "routing/shortest/layers.hpp"
#include "routing/tables/routing.hpp"
#include "topology/model.hpp"

namespace fatwood {

class TableOrder {
 public:
  // REQUIRES tables of the model's size, and a model that outlives this.
  TableOrder(const Model& model, const ForwardingTables& tables, int threads = 0)
      : TableOrder(model, DependencyCounts({model, tables}, threads)) {}
  // From dependencies that are already counted.
  TableOrder(const Model& model, const DependencyCounts& dependencies);

  // False: the tables have a cycle of dependencies, and the order covers only some of them.
  bool is_free() const { return free_; }
  const LinkGraph& links() const { return *links_; }
  Layer& order() { return order_; }
  const Layer& order() const { return order_; }

 private:
  const LinkGraph* links_;  // of the model
  Layer order_;
  bool free_ = true;
};

}  // namespace fatwood
