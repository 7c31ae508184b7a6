// SPDX-License-Identifier: BSD-3-Clause
#include "routing/tables/routing.hpp"

namespace fatwood {

// Compiled with -O3, unlike some of its callers; see the header.
ForwardingTables::~ForwardingTables() = default;

}  // namespace fatwood
