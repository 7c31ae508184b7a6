// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Forwarding tables into a file, as `opensm -R file -U FILE` reads them (lfts.hpp).

#include <string>

#include "routing/tables/routing.hpp"

namespace fatwood {

// With the fabric's own LIDs, or those of assign_lids if it has none. "-" is standard output.
// InputError, with the path, if it cannot be written.
void save_tables(const std::string& path, const Fabric& fabric, const ForwardingTables& tables);

}  // namespace fatwood
