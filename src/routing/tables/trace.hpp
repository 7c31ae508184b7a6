// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// One packet's way through the forwarding tables, hop by hop, as `ibtracert` walks it.

#include <string>
#include <vector>

#include "routing/tables/routing.hpp"

namespace fatwood {

struct PacketTrace {
  std::vector<Channel> channels;  // in order; from the source's port on, when it is a terminal
  std::string failure;            // "" when the destination was reached; else what happened where
};

// REQUIRES tables of this fabric. The source is a terminal's port, or a switch when it is kNone.
PacketTrace trace(const Fabric& fabric, const ForwardingTables& tables, Terminal source,
                  Switch from, Destination destination);

}  // namespace fatwood
