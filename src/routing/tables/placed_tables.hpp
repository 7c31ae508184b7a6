// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Tables together with the model of their fabric. Code that compares tables before and after a
// change takes two of these, because the cables may differ, too.

#include "routing/tables/routing.hpp"
#include "topology/model.hpp"

namespace fatwood {

struct PlacedTables {
  const Model& model;
  const ForwardingTables& tables;
};

}  // namespace fatwood
