#pragma once
// What ftree and sftree share: the ranked fabric, and the choices made on it.

#include "routing/tree/plan.hpp"

namespace fatwood {

struct TreeRouting {
  TreeClimb climb;
  std::vector<std::uint8_t> counted;  // by terminal: is it a destination of weight?
  TreePlan plan;
  ForwardingTables tables;  // not yet written
  int threads = 1;          // to write them
};

// Ranks by what the user said and recognition finds. Throws PromiseError, led by the engine's name,
// when there are no switches.
Levels tree_levels(const Fabric& fabric, const RouteOptions& options, std::string_view engine);

TreeRouting prepare_tree(const Fabric& fabric, const RouteOptions& options, const Levels& levels);

}  // namespace fatwood
