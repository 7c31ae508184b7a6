// SPDX-License-Identifier: BSD-3-Clause
#include "routing/tables/packet_path.hpp"

#include <fmt/format.h>

namespace fatwood {

PacketPath trace_packet(const Fabric& fabric, const ForwardingTables& tables, Terminal source,
                        Switch from, Destination destination) {
  PacketPath result;
  const Node goal = tables.is_switch(destination)
                        ? fabric.node(tables.as_switch(destination))
                        : fabric.adapter_node(tables.terminal(destination));
  Node at = fabric.node(from);
  if (source != kNone<Terminal>) {
    result.channels.push_back(fabric.terminal_channel(source));
    at = fabric.neighbour(fabric.terminal_channel(source));
  }
  while (at != goal && result.failure.empty()) {
    const std::string name = unique_name(fabric, at);
    if (!fabric.is_switch(at)) {
      result.failure = fmt::format("ends at {}, which is another host", name);
      break;
    }
    const Port port = tables.at(destination, fabric.as_switch(at));
    const Channel c = fabric.find_channel(at, index(port));
    if (port == kNoRoute) {
      result.failure = fmt::format("{} has no route", name);
    } else if (port == kOwnPort || c == kNone<Channel> || !fabric.connected(c)) {
      result.failure =
          fmt::format("{} forwards to port {}, which leads nowhere", name, index(port));
    } else if (result.channels.size() > fabric.num_switches() + 1) {
      result.failure = fmt::format("loops at {}", name);
    } else {
      result.channels.push_back(c);
      at = fabric.neighbour(c);
    }
  }
  return result;
}

}  // namespace fatwood
