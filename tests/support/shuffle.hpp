// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The same fabric under another numbering: switches in random order, with new node GUIDs since they
// are numbered by them, and the ports of each node permuted. Names, addresses and rates move along.
// For tests: what is found in a fabric must not depend on how it is numbered.

#include <cstdint>

#include "topology/fabric.hpp"

namespace fatwood::test {

Fabric shuffled(const Fabric& fabric, std::uint64_t seed);

}  // namespace fatwood::test
