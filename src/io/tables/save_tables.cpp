// SPDX-License-Identifier: BSD-3-Clause
#include "io/tables/save_tables.hpp"

#include "io/base/output.hpp"
#include "io/tables/lfts.hpp"
#include "routing/tables/lids.hpp"

namespace fatwood {

void save_tables(const std::string& path, const Fabric& fabric, const ForwardingTables& tables) {
  const Lids lids = assign_lids(fabric, tables.lmc());
  write_output(path, [&](std::ostream& out) { write_lfts(out, fabric, tables, lids); });
}

}  // namespace fatwood
