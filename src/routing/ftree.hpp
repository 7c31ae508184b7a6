#pragma once
// What ftree and sftree share: the ranked fabric, and the choices made on it.

#include "routing/tree_plan.hpp"

namespace fatwood {

struct TreeRouting {
  Levels levels;
  TreeClimb climb;
  std::vector<std::uint8_t> counted;  // by terminal: is it a destination of weight?
  TreePlan plan;
  ForwardingTables tables;  // not yet written
};

// Throws PromiseError, led by the engine's name, when the fabric is not like a tree.
TreeRouting prepare_tree(const Fabric& fabric, const RouteOptions& options,
                         std::string_view engine);

}  // namespace fatwood
