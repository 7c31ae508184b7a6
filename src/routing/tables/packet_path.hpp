// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The path of a packet through the forwarding tables, hop by hop, as `ibtracert` walks it.

#include <string>
#include <vector>

#include "routing/tables/routing.hpp"

namespace fatwood {

struct PacketPath {
  std::vector<Channel> channels;  // in order; starts at the source's port if it is a terminal
  std::string failure;            // "" if the packet arrived; otherwise what happened where
};

// REQUIRES tables of this fabric. The source is `source`, or the switch `from` if that is kNone.
PacketPath trace_packet(const Fabric& fabric, const ForwardingTables& tables, Terminal source,
                        Switch from, Destination destination);

}  // namespace fatwood
