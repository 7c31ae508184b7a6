#pragma once
// An end of a route: a terminal, or a switch (its port 0).

#include <string>

#include "routing/routing.hpp"

namespace fatwood {

struct Endpoint {
  Terminal terminal = kNone<Terminal>;
  Switch sw = kNone<Switch>;  // only when terminal is kNone

  bool is_switch() const { return terminal == kNone<Terminal>; }
  friend bool operator==(const Endpoint&, const Endpoint&) = default;
};

inline Endpoint endpoint(Terminal t) { return {.terminal = t}; }
inline Endpoint endpoint(Switch s) { return {.sw = s}; }
inline Endpoint endpoint(const ForwardingTables& tables, Target target) {
  if (tables.is_switch(target)) return endpoint(tables.as_switch(target));
  return endpoint(tables.terminal(target));
}

// "H3[1]" for a host's port, "S1_0[0]" for a switch.
inline std::string endpoint_name(const Fabric& fabric, const Endpoint& end) {
  return port_name(fabric, end.is_switch() ? fabric.channel(fabric.node(end.sw), 0)
                                           : fabric.terminal_channel(end.terminal));
}

// The switch where an end's packets enter or leave; kNone for a terminal on no switch.
inline Switch switch_of(const Fabric& fabric, const Endpoint& end) {
  return end.is_switch() ? end.sw : fabric.leaf(end.terminal);
}

}  // namespace fatwood
