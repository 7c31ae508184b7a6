// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Small fabrics written down in a line: "L1:24 L2:20 S1 L1-S1*4 L2-S1*3" is three switches, 24
// hosts on L1, 20 on L2, four cables from L1 to S1 and three from L2 to S1. Ports are taken in
// order; names are the ids. Hosts are called "<switch>.<number>".

#include <string_view>

#include "topology/fabric.hpp"

namespace fatwood::test {

Fabric sketch(std::string_view text, std::uint32_t radix = 36);

// The switch with this id; asserts that there is one.
Switch switch_named(const Fabric& fabric, std::string_view id);

}  // namespace fatwood::test
