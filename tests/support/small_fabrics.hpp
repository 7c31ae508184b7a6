// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Fabrics that every engine is tried on, small enough for slow checkers: complete trees, trees with
// parts gone, and graphs that are no trees. A name is a spec of io/fabric/spec.hpp or one
// of the hand-made ones of small_fabrics.cpp.

#include <span>
#include <string>
#include <string_view>

#include "topology/fabric.hpp"

namespace fatwood::test {

std::span<const std::string_view> small_fabric_names();
Fabric small_fabric(const std::string& name);

}  // namespace fatwood::test
