// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// An end of a route: a terminal, or a switch (its port 0).

#include <string>

#include "routing/tables/routing.hpp"

namespace fatwood {

struct Endpoint {
  Terminal terminal = kNone<Terminal>;
  Switch sw = kNone<Switch>;  // only if terminal is kNone

  bool is_switch() const { return terminal == kNone<Terminal>; }
  friend bool operator==(const Endpoint&, const Endpoint&) = default;
};

inline Endpoint endpoint(Terminal t) { return {.terminal = t}; }
inline Endpoint endpoint(Switch s) { return {.sw = s}; }
inline Endpoint endpoint(const ForwardingTables& tables, Destination destination) {
  if (tables.is_switch(destination)) return endpoint(tables.as_switch(destination));
  return endpoint(tables.terminal(destination));
}

// "H3[1]" for a host's port, "S1_0[0]" for a switch. Aggregation nodes inside switches all have the
// same name, so " on S1_0[41]" is appended.
inline std::string endpoint_name(const Fabric& fabric, const Endpoint& end) {
  if (end.is_switch()) return port_name(fabric, fabric.channel(fabric.node(end.sw), kOwnPort));
  const Channel c = fabric.terminal_channel(end.terminal);
  const bool shared =
      fabric.description(fabric.owner(c)).find("Aggregation Node") != std::string::npos;
  return shared ? port_name(fabric, c) + " on " + port_name(fabric, fabric.peer(c))
                : port_name(fabric, c);
}

// The switch where packets of an endpoint enter or leave; kNone for a terminal without a switch.
inline Switch switch_of(const Fabric& fabric, const Endpoint& end) {
  return end.is_switch() ? end.sw : fabric.leaf(end.terminal);
}

}  // namespace fatwood
