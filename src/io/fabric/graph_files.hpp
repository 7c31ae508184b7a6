// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Fabrics for programs that draw or study graphs. Write-only.
//
//   DOT      an undirected multigraph; switches are boxes in rows by level, ports are at the ends
//            of the edges
//   GraphML  nodes with kind, description, GUID and ports; edges with both ports and the rate

#include <ostream>

#include "topology/levels/levels.hpp"

namespace fatwood {

void write_dot(std::ostream& out, const Fabric& fabric, const Levels& levels);
void write_graphml(std::ostream& out, const Fabric& fabric);

}  // namespace fatwood
